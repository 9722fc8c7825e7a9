/** The languages of the pages; the first is for customers whose browser names none of them. */
const languages = ['en', 'id'] as const;
export type Language = (typeof languages)[number];

/** What browsers may call a language besides. `in` was Indonesian's code until 1989, and older Androids still send it. */
const otherNames: Readonly<Record<string, Language>> = { in: 'id' };

interface Wish {
  /** A language, or `*` for any. */
  readonly name: string;
  /** From 0, not at all, to 1. */
  readonly weight: number;
}

/** One part of the header: `id-ID;q=0.8`. Undefined when it is malformed. */
const wishOf = (part: string): Wish | undefined => {
  const [, primary = '', weight = '1'] =
    /^\s*([a-z]{1,8}|\*)(?:-[a-z0-9]{1,8})*\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i.exec(part) ?? [];
  const code = primary.toLowerCase();
  return code === '' ? undefined : { name: otherNames[code] ?? code, weight: Number(weight) };
};

/**
 * The language to answer in: the one that the browser weighs highest, and of equals the one it names first. Regions do not
 * count, and malformed parts are skipped.
 *
 * @param header `Accept-Language`, as RFC 9110 has it
 */
export const chooseLanguage = (header: string | undefined): Language => {
  const wishes = (header ?? '').split(',').flatMap((part) => wishOf(part) ?? []);
  const isNamed = (language: Language): boolean => wishes.some(({ name }) => name === language);
  const wanted = wishes
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .flatMap(({ name }) => languages.filter((one) => (name === '*' ? !isNamed(one) : name === one)));
  return wanted[0] ?? languages[0];
};
