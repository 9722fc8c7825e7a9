import { hasHidden, isBroken } from '../../domain/readable-text.ts';

/** Half characters: no JSON text that is UTF-8 has any. */
const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/** What passes at some places is not told by a character alone. */
const mayPass = /\u200c|\u200d|\p{Variation_Selector}/u;

const isRefused = (code: number): boolean => {
  if (isHalf(code)) return false;
  const character = String.fromCodePoint(code);
  return isBroken(character) || (hasHidden(character) && !mayPass.test(character));
};

const beyondUnicode = 0x11_0000;

/** An escape that every dialect of patterns reads; beyond U+FFFF there is none, so the character itself. */
const written = (code: number): string =>
  code > 0xffff ? String.fromCodePoint(code) : `\\u${code.toString(16).padStart(4, '0')}`;

/** The ranges of a character class: what is refused wherever it stands. Tools that make texts know no Unicode properties. */
const refusedRanges = (): string => {
  let ranges = '';
  for (let code = 0; code < beyondUnicode; code++) {
    if (!isRefused(code)) continue;
    const first = code;
    while (code + 1 < beyondUnicode && isRefused(code + 1)) code++;
    ranges += code === first ? written(first) : `${written(first)}-${written(code)}`;
  }
  return ranges;
};

const refused = refusedRanges();

/** A schema's pattern with `\p{Cc}` replaced by the ranges of all that its text may not have. */
export const withRanges = (pattern: string): string => pattern.replaceAll('\\p{Cc}', refused);
