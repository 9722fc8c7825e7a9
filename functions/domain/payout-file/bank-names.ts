import type { PaymentMethod } from '../../ports/provider.ts';

export type Bank = Pick<PaymentMethod, 'code' | 'name'>;

/** The banks of a code and of a name that are two. */
export interface TwoBanks {
  readonly coded: Bank;
  readonly named: Bank;
}

/** Banks of one currency, by the names that the provider lists them under. */
export type BankNames = (bankCode: string, bankName: string) => TwoBanks | undefined;

/** Words that names of one bank have or lack: its form of company, and little words that initials pass over. */
const passedOver: ReadonlySet<string> = new Set([
  'pt',
  'tbk',
  'persero',
  'plc',
  'ltd',
  'limited',
  'inc',
  'pcl',
  'co',
  'of',
  'the',
  'and',
]);

const wordsOf = (name: string): readonly string[] => name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

const tellingOf = (words: readonly string[]): readonly string[] => words.filter((word) => !passedOver.has(word));

const initialsOf = (words: readonly string[]): string => words.map(([first]) => first).join('');

/** A bank is also called by the first letters of its name: BCA, or Bank BCA, is Bank Central Asia. */
const isShort = (short: readonly string[], long: readonly string[]): boolean =>
  short.every((word) => long.includes(word)) ||
  [short, short.filter((word) => word !== 'bank')].some((words) => words.join('') === initialsOf(long));

/**
 * Answers the two banks where a code is listed with one name and a row has another bank's whole name. Any other name passes: a
 * shorter one, one in another language, one that nobody lists. So does one that may be short for the bank's own, or the other way round.
 */
export const bankNames = (methods: readonly Bank[]): BankNames => {
  const byCode = new Map(methods.map((bank) => [bank.code, { bank, words: wordsOf(bank.name) }]));
  const byName = Map.groupBy(methods, ({ name }) => wordsOf(name).join(' '));
  return (bankCode, bankName) => {
    const own = byCode.get(bankCode);
    // Most rows have it as it is listed, and a file has a million.
    if (own === undefined || own.bank.name === bankName) return undefined;
    const words = wordsOf(bankName);
    const named = byName.get(words.join(' '));
    const [first] = named ?? [];
    if (named === undefined || first === undefined || named.some(({ code }) => code === bankCode)) return undefined;
    const [given, listed] = [tellingOf(words), tellingOf(own.words)];
    return isShort(given, listed) || isShort(listed, given) ? undefined : { coded: own.bank, named: first };
  };
};

/** A bank's name or code without what people add to it and leave out: Bank Mandiri is Mandiri, and Kasikornbank is Kasikorn. */
const coreOf = (words: readonly string[]): string => tellingOf(words).join('').replaceAll('bank', '');

/** What a bank is called beside its whole name: its code, and the first letters of its name with Bank and without. */
const callNames = ({ code, name }: Bank): readonly string[] => {
  const words = tellingOf(wordsOf(name));
  const initials = [words, words.filter((word) => word !== 'bank')].map(initialsOf);
  return [coreOf(wordsOf(code)), ...initials];
};

/** Answers the one bank that a text means which stands where its code should: by its name, whole or short. */
export const banksMeant = (methods: readonly Bank[]): ((text: string) => Bank | undefined) => {
  const onlyOne = (banks: readonly Bank[]): Bank | undefined => (banks.length === 1 ? banks[0] : undefined);
  return (text) => {
    const core = coreOf(wordsOf(text));
    if (core.length < 2) return undefined;
    const named = methods.filter(({ name }) => coreOf(wordsOf(name)) === core);
    return named.length > 0 ? onlyOne(named) : onlyOne(methods.filter((bank) => callNames(bank).includes(core)));
  };
};
