import type { PaymentMethod } from '../../ports/provider.ts';

export type Bank = Pick<PaymentMethod, 'code' | 'name'>;

/** Words that a bank's name may have or lack: forms of company, and short words that initials skip. */
const ignoredWords: ReadonlySet<string> = new Set('pt tbk persero plc ltd limited inc pcl co of the and'.split(' '));

const wordsOf = (name: string): readonly string[] => name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

const significantOf = (words: readonly string[]): readonly string[] => words.filter((word) => !ignoredWords.has(word));

const initialsOf = (words: readonly string[]): string => words.map(([first]) => first).join('');

/**
 * True when `short` may stand for `long`: by fewer words, or by initials. BCA and Bank BCA are short for Bank Central
 * Asia.
 */
const isShort = (short: readonly string[], long: readonly string[]): boolean =>
  short.every((word) => long.includes(word)) ||
  [short, short.filter((word) => word !== 'bank')].some((words) => words.join('') === initialsOf(long));

/**
 * Finds rows that have one bank's code with another bank's whole name, among one currency's banks as the provider lists
 * them. Undefined when code and name do not contradict.
 * Any other name passes: a translation, or a name that the provider does not list. A short form of the code's own bank
 * passes too, and so does the reverse.
 */
export const bankNames = (methods: readonly Bank[]) => {
  const byCode = new Map(methods.map((bank) => [bank.code, { bank, words: wordsOf(bank.name) }]));
  const byName = Map.groupBy(methods, ({ name }) => wordsOf(name).join(' '));
  return (bankCode: string, bankName: string) => {
    const own = byCode.get(bankCode);
    // Returns early for the usual case: a file has up to a million rows.
    if (own === undefined || own.bank.name === bankName) return undefined;
    const words = wordsOf(bankName);
    const named = byName.get(words.join(' '));
    const [first] = named ?? [];
    if (named === undefined || first === undefined || named.some(({ code }) => code === bankCode)) return undefined;
    const [given, listed] = [significantOf(words), significantOf(own.words)];
    return isShort(given, listed) || isShort(listed, given) ? undefined : { coded: own.bank, named: first };
  };
};

/** The two banks of a row whose bank code and bank name belong to different banks. */
export type TwoBanks = NonNullable<ReturnType<ReturnType<typeof bankNames>>>;

/**
 * A bank's name or code without the words that people add or leave out: Bank Mandiri becomes Mandiri, Kasikornbank
 * Kasikorn.
 */
const coreOf = (words: readonly string[]): string => significantOf(words).join('').replaceAll('bank', '');

/** Short names of a bank: its code, and its initials with and without "Bank". */
const callNames = ({ code, name }: Bank): readonly string[] => {
  const words = significantOf(wordsOf(name));
  const initials = [words, words.filter((word) => word !== 'bank')].map(initialsOf);
  return [coreOf(wordsOf(code)), ...initials];
};

/**
 * Finds the bank that was probably meant by a text in the code's place: a name, whole or short. Undefined unless
 * exactly one fits.
 */
export const banksMeant = (methods: readonly Bank[]): ((text: string) => Bank | undefined) => {
  const onlyOne = (banks: readonly Bank[]): Bank | undefined => (banks.length === 1 ? banks[0] : undefined);
  return (text) => {
    const core = coreOf(wordsOf(text));
    if (core.length < 2) return undefined;
    const named = methods.filter(({ name }) => coreOf(wordsOf(name)) === core);
    return named.length > 0 ? onlyOne(named) : onlyOne(methods.filter((bank) => callNames(bank).includes(core)));
  };
};
