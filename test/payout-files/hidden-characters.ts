import type { Chance } from '../simulation/world/random.ts';

/** Unicode's own words for what has no shape of its own, or turns or breaks its line. A space around a value is none. */
const classes = [
  /\p{Cc}/u,
  /\p{Cf}/u,
  /\p{Zl}|\p{Zp}/u,
  /\p{Default_Ignorable_Code_Point}/u,
  /\p{Variation_Selector}/u,
  /\p{Noncharacter_Code_Point}/u,
] as const;

const codePoints = Array.from({ length: 0x11_0000 }, (_, code) => code);

/** Those of each class; a line break is a space where a text may have several lines, and a NUL in the first bytes is UTF-16. */
const members = classes.map((one) =>
  codePoints.flatMap((code) => {
    const character = String.fromCodePoint(code);
    return one.test(character) && !'\0\r\n'.includes(character) && code !== 0xfdd0 ? [character] : [];
  }),
);

/** A character that nobody sees, for a place between two Latin letters: each class as often. */
export const hiddenCharacter = (chance: Chance): string => {
  const [first = [], ...others] = members;
  const [one = '', ...more] = chance.pick([first, ...others]);
  return chance.pick([one, ...more]);
};
