import type { Chance } from '../support/chance.ts';

/** Unicode classes without a visible shape, or that turn or break a line. Spaces around a value are excluded. */
const classes = [
  /\p{Cc}/u,
  /\p{Cf}/u,
  /\p{Zl}|\p{Zp}/u,
  /\p{Default_Ignorable_Code_Point}/u,
  /\p{Variation_Selector}/u,
  /\p{Noncharacter_Code_Point}/u,
] as const;

const codePoints = Array.from({ length: 0x11_0000 }, (_, code) => code);

/** The members of each class, without line breaks (a space in multi-line texts) and NUL (in the first bytes it means UTF-16). */
const members = classes.map((one) =>
  codePoints.flatMap((code) => {
    const character = String.fromCodePoint(code);
    return one.test(character) && !'\0\r\n'.includes(character) && code !== 0xfdd0 ? [character] : [];
  }),
);

/** An invisible character for a place between two Latin letters, from each class equally often. */
export const hiddenCharacter = (chance: Chance): string => {
  const [first = [], ...others] = members;
  const [one = '', ...more] = chance.pick([first, ...others]);
  return chance.pick([one, ...more]);
};
