/**
 * Calls `make` on first use and keeps its value. If `make` throws, the next use calls it again.
 *
 * Schemas are created this way. Each part of a schema takes about 20 µs at function start, and most functions use few of them.
 */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
