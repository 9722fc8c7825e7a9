/** The languages of the pages. The first is the default. */
const languages = ['en', 'id'] as const;
export type Language = (typeof languages)[number];

/** Other codes that browsers use. `in` was Indonesian's code until 1989, and older Androids still send it. */
const otherNames: Readonly<Record<string, Language>> = { in: 'id' };

/**
 * One part of the header, such as `id-ID;q=0.8`: a language, or `*` for any, and its weight from 0 (not acceptable) to
 * 1. Undefined when it is malformed.
 */
const wishOf = (part: string) => {
  const [, primary = '', weight = '1'] =
    /^\s*([a-z]{1,8}|\*)(?:-[a-z0-9]{1,8})*\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i.exec(part) ?? [];
  const code = primary.toLowerCase();
  return code === '' ? undefined : { name: otherNames[code] ?? code, weight: Number(weight) };
};

/**
 * The language to answer in: the one with the browser's highest weight, and the first of equals. Regions are ignored,
 * and so are malformed parts.
 *
 * @param header `Accept-Language`, as in RFC 9110
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
