/**
 * True when a text has half of a Unicode character, or U+FFFD, which replaces bytes that were not UTF-8. The original text is
 * lost.
 */
export const isBroken = (text: string): boolean => !text.isWellFormed() || text.includes('\ufffd');

const lineBreaks = /[ \t]*[\r\n]+[ \t]*/g;

/** Puts a text on one line, with a space for each line break. */
export const joinLines = (text: string): string => text.replaceAll(lineBreaks, ' ');

/** Scripts whose letters U+200C and U+200D join or separate, as in Persian, Hindi and Sinhala names. */
const joining = 'Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Java'
  .split(' ')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');

const hidden = new RegExp(
  [
    // Control characters, line and paragraph separators, and code points that are never characters.
    '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}]',
    // Invisible characters: direction and other marks, zero-width spaces, fillers, tags, and blanks that Unicode names letters.
    '[\\u2800\\u{16fe4}\\u{1d159}[[\\p{Cf}\\p{Default_Ignorable_Code_Point}]--[\\u200c\\u200d\\p{Variation_Selector}]]]',
    // A joiner passes where it shapes the letter before it, or joins two emoji.
    `(?<![[${joining}]&&[\\p{L}\\p{M}]])(?!(?<=\\p{Extended_Pictographic}[\\p{Emoji_Modifier}\\ufe0f]?)\\u200d\\p{Extended_Pictographic})[\\u200c\\u200d]`,
    // A non-joiner at the end of a word separates nothing.
    '\\u200c(?![\\p{L}\\p{M}])',
    // A variation selector passes after an ideograph or emoji, and within a keycap such as 1️⃣.
    '(?<![\\p{Ideographic}\\p{Extended_Pictographic}])(?!(?<=[#*0-9])\\ufe0f\\u20e3)\\p{Variation_Selector}',
  ].join('|'),
  'v',
);

/**
 * True when a text has an invisible character, or one that reverses or breaks its line. Readers could take it for another text.
 * Private-use and unassigned characters pass, because rare letters of names are among them.
 */
export const hasHidden = (text: string): boolean => hidden.test(text);

/** Returns the first such character. */
export const firstHidden = (text: string): string | undefined => hidden.exec(text)?.[0];
