import { createHash } from 'node:crypto';
import type { Chance } from '../support/chance.ts';
import type { Offer } from './offers.ts';
import { isFiat } from './offers.ts';
import { walletOf } from './wallets.ts';

/** The columns of the format. */
export const columns = [
  'reference',
  'amount',
  'currency',
  'recipientId',
  'bankCode',
  'bankName',
  'accountNumber',
  'accountName',
  'walletAddress',
  'name',
  'email',
  'note',
] as const;
export type Column = (typeof columns)[number];

/** The texts of a row by column. A missing column is empty. */
export type Cells = Partial<Record<Column, string>>;

/** Names and words in many scripts, including invisible characters that belong to them. */
const texts = [
  'Siti Rahma',
  'José Ñandú',
  'Jose\u0301 Nu\u0303ez',
  'Nguyễn Thị Minh Khai',
  'O’Brien & Sons; Ltd.',
  'Ana, "the" second',
  "D'Arcy McGee",
  '王小明',
  '𠮷野家',
  '葛\u{e0100}城 太郎',
  '山田\u3000太郎\u00a0様',
  '김철수',
  'علی\u200cرضا',
  'أحمد بن سعيد',
  'דוד לוי',
  'क्\u200dषितिज',
  'ශ්\u200dරී',
  'സുനിൽ\u200d',
  'สมชาย ใจดี',
  'ខ្មែរ',
  'မောင်မောင်',
  'ᠮᠣᠩᠭᠣᠯ',
  'አበበ',
  'Ольга',
  'გიორგი',
  'Łukasz Żółć',
  'ʻOkina Kāne',
  'rare \ue000 \u{f0000}',
  'later \u{323b0}',
  'Salary 1\ufe0f\u20e3 #\ufe0f\u20e3',
  'Kopi 🏳️\u200d🌈 👩🏽\u200d💻 ❤️\u200d🔥 🇮🇩',
  '☎︎ 021',
  '=SUM(A1)',
  '+62 21',
  '-5',
  '@work',
  '\\n \\u0041 \\',
  "'s-Gravenhage",
  '{"a":1}',
  '[x]',
  '1e5',
  'null',
] as const;

const hashed = (text: string): string => createHash('sha256').update(text).digest('hex');

/** An account number without the endings that steer the sandbox. */
const accountOf = (chance: Chance, seed: string): string => {
  const digits = BigInt(`0x${hashed(seed).slice(0, 16)}`)
    .toString()
    .padStart(20, '0');
  return `${chance.pick(['00', '', '1-', 'AB'])}${digits.slice(0, chance.int(9, 18))}4567`;
};

/** A decimal as an integer in its smallest unit, and back. */
const unitsOf = (text: string, decimals: number): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
};
const textOf = (units: bigint, decimals: number): string => {
  const digits = units.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** An amount at or next to a limit. */
export const amountBeside = (limit: string, decimals: number, units: bigint): string =>
  textOf(unitsOf(limit, decimals) + units, decimals);

const withoutZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

const amountOf = (chance: Chance, { least, most, decimals }: Offer, isSandbox: boolean): string => {
  if (!isSandbox && chance.happens(0.1)) return most;
  if (chance.happens(0.1)) return least;
  const spread = 10 ** chance.int(1, isSandbox ? 3 : 6);
  const beyond = BigInt(chance.int(0, spread)) % (unitsOf(most, decimals) - unitsOf(least, decimals));
  const text = amountBeside(least, decimals, beyond);
  if (chance.happens(0.5)) return withoutZeros(text);
  return chance.happens(0.2) ? `000${text}` : text;
};

/** A text of one or two lines, or of the maximum length. */
const drawText = (chance: Chance, most: number): string => {
  if (chance.happens(0.06)) return chance.pick(['x', 'é', '😀', '王']).repeat(most);
  const text = chance.pick(texts);
  const lines = chance.happens(0.1) ? `${text}${chance.pick(['\n', '\r\n', ' \n\n '])}${chance.pick(texts)}` : text;
  return [...lines].length > most ? text : lines;
};

const recipientOf = (chance: Chance, offer: Offer, { seed, isSandbox }: RowTerms): Cells => {
  const [bank = '', ...banks] = offer.banks;
  if (!isFiat(offer)) return { walletAddress: walletOf(chance, offer.currency, seed) };
  const id = hashed(seed);
  if (chance.happens(0.25))
    return { recipientId: isSandbox ? `rcp_${id.slice(0, 12)}` : chance.pick([id, `~id:${id.slice(0, 60)}`]) };
  return {
    bankCode: chance.pick([bank, ...banks]),
    bankName: drawText(chance, 120),
    accountNumber: accountOf(chance, seed),
    accountName: drawText(chance, 140),
  };
};

const referenceOf = (chance: Chance, seed: string): string => {
  const id = hashed(seed).slice(0, 20);
  return chance.pick([id, `INV-${id}`, `a.b_c:d-${id}`, `Z${id}`.padEnd(64, '9'), `estimate-${id}`]);
};

export interface RowTerms {
  readonly offers: readonly [Offer, ...Offer[]];
  /** Unique to the row across all files. Recipient and reference are derived from it. */
  readonly seed: string;
  /** True when the sandbox pays it: small amounts, and only existing recipient ids. */
  readonly isSandbox: boolean;
  readonly hasReferences: boolean;
}

/** A row that is valid by the format's document. */
export const drawGoodRow = (chance: Chance, terms: RowTerms): { readonly offer: Offer; readonly cells: Cells } => {
  const { seed, isSandbox, hasReferences } = terms;
  const isOfFiat = chance.happens(0.5);
  const [first = terms.offers[0], ...others] = terms.offers.filter((one) => isFiat(one) === isOfFiat);
  const offer = chance.pick([first, ...others]);
  const maybe = (column: Column, text: string, probability = 0.3): Cells =>
    chance.happens(probability) ? { [column]: text } : {};
  const cells = {
    ...(hasReferences ? maybe('reference', referenceOf(chance, seed), 0.9) : {}),
    amount: amountOf(chance, offer, isSandbox),
    currency: offer.currency,
    ...recipientOf(chance, offer, terms),
    ...maybe('name', drawText(chance, 140)),
    ...maybe('email', chance.pick(['siti@example.co.id', 'a+b@x.y', `${'x'.repeat(249)}@a.id`, 'ø@bücher.example'])),
    ...maybe('note', drawText(chance, 255)),
  };
  return { offer, cells };
};
