import { createHash } from 'node:crypto';
import type { Chance } from '../support/chance.ts';

/** One row of a payout file, with the fields that the comparison checks. */
export interface PayoutRow {
  /** From 1. */
  readonly row: number;
  readonly reference: string;
  /** An exact decimal. */
  readonly amount: string;
  readonly currency: string;
  /** In the notation of the payment service's table: `bank BCA 0012345678`, `recipient rcp_x`, `wallet 0x…`. */
  readonly destination: string;
  readonly line: string;
}

const header = 'reference,amount,currency,recipientId,bankCode,bankName,accountNumber,accountName,walletAddress,note';

const banks = [
  ['BCA', 'Bank Central Asia'],
  ['MANDIRI', 'Bank Mandiri'],
  ['BNI', 'Bank Negara Indonesia'],
] as const;

/** Last digits of accounts and wallets that the sandbox does not simply complete. */
const accountEndings = ['9901', '9902', '9903', '9904'] as const;
/** The same without the held one, which stays pending until someone sets its status at the service. */
const accountEndingsNotHeld = ['9901', '9903', '9904'] as const;
const walletEndings = ['fa11', 'c4ec', '4e74', 'ca2c'] as const;

/** One row in this many has such an ending. */
const oddOneIn = 40;

const digitsOf = (text: string): string => BigInt(`0x${createHash('sha256').update(text).digest('hex')}`).toString();

/** An amount with digits in every place, so that a sum is right only if every digit is. */
const amountOf = (random: Chance, least: number, most: number, decimals: number): string => {
  const fraction = random.int(0, 10 ** decimals - 1);
  return `${random.int(least, most)}.${fraction.toString().padStart(decimals, '0')}`;
};

type MakeRow = (random: Chance, reference: string) => Omit<PayoutRow, 'row' | 'reference'>;

const bankRow = (
  random: Chance,
  reference: string,
  endings: readonly [string, ...string[]],
): Omit<PayoutRow, 'row' | 'reference'> => {
  const [code, name] = random.pick<readonly [string, string]>(banks);
  // Keeps leading zeros, and avoids the sandbox's special endings.
  const plain = `00${digitsOf(reference).slice(0, 8)}00`;
  const account = random.happens(1 / oddOneIn) ? `00${digitsOf(reference).slice(0, 6)}${random.pick(endings)}` : plain;
  const amount = amountOf(random, 10_000, 900_000, 2);
  return {
    amount,
    currency: 'IDR',
    destination: `bank ${code} ${account}`,
    line: `${reference},${amount},IDR,,${code},${name},${account},A. Example,,`,
  };
};

const recipientRow = (random: Chance, reference: string): Omit<PayoutRow, 'row' | 'reference'> => {
  const recipient = `rcp_c${digitsOf(reference).slice(0, 10)}`;
  const amount = amountOf(random, 50, 5000, 2);
  return {
    amount,
    currency: 'PHP',
    destination: `recipient ${recipient}`,
    line: `${reference},${amount},PHP,${recipient},,,,,,`,
  };
};

const walletRow = (random: Chance, reference: string): Omit<PayoutRow, 'row' | 'reference'> => {
  const ending = random.happens(1 / oddOneIn) ? random.pick(walletEndings) : '0000';
  const wallet = `0x${createHash('sha256').update(reference).digest('hex').slice(0, 36)}${ending}`;
  const amount = amountOf(random, 1, 40, 6);
  return {
    amount,
    currency: 'usdc-polygon',
    destination: `wallet ${wallet}`,
    line: `${reference},${amount},usdc-polygon,,,,,,${wallet},`,
  };
};

const anyBankRow: MakeRow = (random, reference) => bankRow(random, reference, accountEndings);

/** Three of five to banks in rupiah, one in pesos by recipient id, one in a token to a wallet. */
const mixed: readonly [MakeRow, ...MakeRow[]] = [anyBankRow, anyBankRow, anyBankRow, recipientRow, walletRow];

/** The rows of a file that is one chunk and ends without anyone's help. */
export const bankTransfers: readonly [MakeRow, ...MakeRow[]] = [
  (random, reference) => bankRow(random, reference, accountEndingsNotHeld),
];

/** The rows of one file, each of a random kind of these. References begin with `word`. */
export const payoutRows = (
  random: Chance,
  word: string,
  count: number,
  kinds: readonly [MakeRow, ...MakeRow[]] = mixed,
): readonly PayoutRow[] =>
  Array.from({ length: count }, (_, index) => {
    const reference = `${word}-${(index + 1).toString().padStart(4, '0')}`;
    return { row: index + 1, reference, ...random.pick(kinds)(random, reference) };
  });

/** The file as a merchant uploads it. */
export const csvOf = (rows: readonly PayoutRow[]): string =>
  `${[header, ...rows.map(({ line }) => line)].join('\n')}\n`;
