import { hasHidden, isBroken } from '../../domain/readable-text.ts';

/** True for half of a surrogate pair. Valid UTF-8 JSON contains none. */
const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/** Characters that are allowed only in some places, which a character class cannot express. */
const mayPass = /\u200c|\u200d|\p{Variation_Selector}/u;

const isRefused = (code: number): boolean => {
  if (isHalf(code)) return false;
  const character = String.fromCodePoint(code);
  return isBroken(character) || (hasHidden(character) && !mayPass.test(character));
};

const beyondUnicode = 0x11_0000;

/** An escape that every regex dialect reads. Beyond U+FFFF there is none, so the character itself. */
const written = (code: number): string =>
  code > 0xffff ? String.fromCodePoint(code) : `\\u${code.toString(16).padStart(4, '0')}`;

/** The ranges of characters that are refused everywhere. Tools that generate texts do not know Unicode properties. */
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

/** Replaces `\p{Cc}` in a schema's pattern by the ranges of all refused characters. */
export const withRanges = (pattern: string): string => pattern.replaceAll('\\p{Cc}', refused);
