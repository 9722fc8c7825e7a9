/** Half of a Unicode character, or U+FFFD, which stands where bytes were not UTF-8: what was meant is lost. */
export const isBroken = (text: string): boolean => !text.isWellFormed() || text.includes('\ufffd');

/** Scripts whose letters are joined, or kept apart, by U+200C and U+200D: as in Persian, Hindi and Sinhala names. */
const joining = 'Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Java'
  .split(' ')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');

const hidden = new RegExp(
  [
    // Controls, separators of lines and paragraphs, and what no character will ever be.
    '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}]',
    // What is not shown: direction and other marks, zero-width spaces, fillers, tags, blanks that are letters by name.
    '[\\u2800\\u{16fe4}\\u{1d159}[[\\p{Cf}\\p{Default_Ignorable_Code_Point}]--[\\u200c\\u200d\\p{Variation_Selector}]]]',
    // A joiner passes where it shapes the letter before it, or joins two emoji.
    `(?<![[${joining}]&&[\\p{L}\\p{M}]])(?!(?<=\\p{Extended_Pictographic}[\\p{Emoji_Modifier}\\ufe0f]?)\\u200d\\p{Extended_Pictographic})[\\u200c\\u200d]`,
    // A non-joiner at the end of a word keeps nothing apart.
    '\\u200c(?![\\p{L}\\p{M}])',
    // A variation selector passes after an ideograph or emoji, and within a keycap such as 1️⃣.
    '(?<![\\p{Ideographic}\\p{Extended_Pictographic}])(?!(?<=[#*0-9])\\ufe0f\\u20e3)\\p{Variation_Selector}',
  ].join('|'),
  'v',
);

/**
 * Whether a text has a character that nobody sees, or that turns or breaks its line: it could be taken for another text.
 * Characters of private use pass, and those that Unicode has not assigned yet: rare letters of names are among them.
 */
export const hasHidden = (text: string): boolean => hidden.test(text);

/** The first such character. */
export const firstHidden = (text: string): string | undefined => hidden.exec(text)?.[0];
