import { describe, expect, it } from 'vitest';
import { hasHidden, isBroken } from '../../../functions/domain/readable-text.ts';

describe('a hidden character', () => {
  it.each([
    ['a left-to-right mark', 'Siti\u200e'],
    ['a right-to-left mark', 'Siti\u200f'],
    ['an Arabic letter mark', 'Siti\u061c'],
    ['a reversed direction', 'Siti\u202eamhaR'],
    ['a zero-width space', 'Siti\u200bRahma'],
    ['a word joiner', 'Siti\u2060Rahma'],
    ['a soft hyphen', 'Siti\u00adRahma'],
    ['a byte order mark', 'Siti\ufeffRahma'],
    ['a tag', 'Siti\u{e0041}'],
    ['a tag that is not assigned', 'Siti\u{e0002}'],
    ['a grapheme joiner', 'Siti\u034fRahma'],
    ['a Hangul filler', 'Siti\u3164'],
    ['a line separator', 'Siti\u2028Rahma'],
    ['a paragraph separator', 'Siti\u2029Rahma'],
    ['a control character', 'Siti\u0085Rahma'],
    ['an invalid character', 'Siti\uffff'],
    ['a joiner in a script that has none', 'Si\u200dti'],
    ['a non-joiner in a script that has none', 'Si\u200cti'],
    ['two joiners in one that has them', 'می\u200c\u200cخواهم'],
    ['the blank of Braille', '\u2800'],
    ['a Khitan filler', '\u{16fe4}'],
    ['a note without a head', '\u{1d159}'],
    ['a non-joiner at the end of a word', 'علی\u200c رضا'],
    ['a joiner between an emoji and a letter', '😀\u200da'],
    ['a non-joiner between emoji', '👨\u200c👩'],
    ['a joiner in front', '\u200dسارا'],
    ['a variation of a letter that has none', 'Siti\ufe0f'],
    ['a variation of a digit that is no keycap', '1\ufe0f'],
    ['a flag that is made of tags', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ])('is found: %s', (_, text) => {
    expect(hasHidden(text)).toBe(true);
  });

  it.each([
    ['Persian with a non-joiner', 'می\u200cخواهم'],
    ['Hindi with a joiner', 'क्\u200dष'],
    ['Burmese with a non-joiner', 'က\u200cခ'],
    ['Sinhala with a joiner', 'ශ්\u200dරී'],
    ['a Japanese variant', '葛\u{e0100}城'],
    ['emoji', '❤\ufe0f 👩🏽\u200d🚀 👨\u200d👩\u200d👧'],
    ['keycaps', '1\ufe0f\u20e3 #\ufe0f\u20e3'],
    ['combining accents', 'Nguye\u0302\u0303n'],
    ['spaces of other scripts', '山田\u3000太郎\u00a0様'],
    ['a letter of private use', '\ue000'],
    ['a character of a later Unicode', '\u{323b0}'],
  ])('is not reported for %s', (_, text) => {
    expect(hasHidden(text)).toBe(false);
  });
});

it.each([
  ['half a character', 'a\ud83d', true],
  ['the replacement for lost bytes', 'Jos\ufffd', true],
  ['both halves', 'a😀', false],
])('a text with %s is broken: %s %s', (_, text, broken) => {
  expect(isBroken(text)).toBe(broken);
});
