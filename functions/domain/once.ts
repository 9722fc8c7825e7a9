/**
 * What `make` answers, made when it is first asked for and kept. A function that throws is asked again.
 *
 * Schemas are made so: each of their parts takes some 20 µs when a function starts, and most functions read few of them.
 */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
