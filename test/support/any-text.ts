import fc from 'fast-check';

const codePoint = fc
  .oneof(fc.nat(0xff), fc.nat(0x10_ff_ff))
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code));

/**
 * Any text that UTF-8 can hold. fast-check's own unit `binary` first builds a table of all 1.1 million code points, which takes
 * half a second in each worker.
 */
export const anyText = (lengths: { readonly minLength?: number; readonly maxLength: number }): fc.Arbitrary<string> =>
  fc.string({ unit: codePoint, ...lengths });
