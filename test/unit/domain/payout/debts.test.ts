import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlannedPayout, Recipient } from '../../../../functions/domain/batch/chunk-file.ts';
import {
  bucketBits,
  chunkOfPlace,
  FileDebts,
  mayPayDebt,
  placeOf,
  rowOfPlace,
} from '../../../../functions/domain/payout/debts.ts';
import { drawsAll } from '../../../support/fast-loop.ts';

const toAccount = (accountNumber: string, bankCode = 'bca'): Recipient => ({
  kind: 'bank',
  bankCode,
  bankName: 'BCA',
  accountNumber,
  accountName: 'Siti',
});
const toId = (recipientId: string): Recipient => ({ kind: 'recipientId', recipientId });
const toWallet = (walletAddress: string): Recipient => ({ kind: 'wallet', walletAddress });

interface Owed {
  readonly currency?: string;
  readonly amount?: string;
  readonly recipient?: Recipient;
}

/** A file of these rows in chunks of two, regardless of currency. */
const fileOf = (rows: readonly Owed[]) => {
  const debts = new FileDebts(Math.max(1, rows.length));
  for (const [index, { currency = 'IDR', amount = '10', recipient = toId('rec') }] of rows.entries()) {
    const row = index + 1;
    const payout: PlannedPayout = { row, reference: `ref-${row}`, amount, recipient };
    debts.add({ batchId: 'b', chunk: Math.ceil(row / 2), rail: 'fiat', currency, payouts: [payout] });
  }
  return debts.sorted();
};
const placesOf = (rows: readonly number[]): number[] => rows.map((row) => placeOf(Math.ceil(row / 2), row));

describe('two rows are one debt', () => {
  it.each<[string, Owed, Owed]>([
    ['of the same account', { recipient: toAccount('001') }, { recipient: toAccount('001') }],
    ['of a whole amount, with decimals and without', { amount: '10' }, { amount: '10.00' }],
    ['of an amount with a zero at its end and without', { amount: '10.50' }, { amount: '10.5' }],
    [
      'of one EVM wallet in two letter cases',
      { recipient: toWallet('0x52908400098527886E0F7030069857D2E4169EE7') },
      { recipient: toWallet('0x52908400098527886e0f7030069857d2e4169ee7') },
    ],
    [
      'of an account with hyphens and without',
      { recipient: toAccount('12-3456-78') },
      { recipient: toAccount('12345678') },
    ],
    [
      'of an account with hyphens elsewhere',
      { recipient: toAccount('12-345678') },
      { recipient: toAccount('1234567-8') },
    ],
    [
      'of an IBAN in two letter cases',
      { recipient: toAccount('GB29NWBK6016') },
      { recipient: toAccount('gb29nwbk6016') },
    ],
    [
      'of a Bitcoin address in two letter cases',
      { currency: 'btc-bitcoin', recipient: toWallet('BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4') },
      { currency: 'btc-bitcoin', recipient: toWallet('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4') },
    ],
    [
      'of a TON address in two forms',
      { currency: 'usdt-ton', recipient: toWallet('EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF') },
      { currency: 'usdt-ton', recipient: toWallet('UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA') },
    ],
  ])('%s', (_name, one, other) => {
    expect([...fileOf([one, other]).repeats]).toEqual([[placeOf(1, 2), placeOf(1, 1)]]);
  });
});

describe('two rows are two debts', () => {
  it.each<[string, Owed, Owed]>([
    ['of two amounts', { amount: '10' }, { amount: '100' }],
    ['that differ in the last decimal', { amount: '10.5' }, { amount: '10.6' }],
    ['of a whole amount and one with decimals', { amount: '1000' }, { amount: '10.00' }],
    ['of two currencies', { currency: 'IDR' }, { currency: 'PHP' }],
    ['of two accounts', { recipient: toAccount('001') }, { recipient: toAccount('01') }],
    ['of two recipient ids that differ by a hyphen', { recipient: toId('rec-1') }, { recipient: toId('rec1') }],
    [
      'of two TON accounts',
      { currency: 'usdt-ton', recipient: toWallet('EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF') },
      { currency: 'usdt-ton', recipient: toWallet('EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W82r5gqPrHF') },
    ],
    ['of two banks', { recipient: toAccount('001', 'bca') }, { recipient: toAccount('001', 'bni') }],
    ['whose texts end elsewhere', { recipient: toAccount('23', '1') }, { recipient: toAccount('3', '12') }],
  ])('%s', (_name, one, other) => {
    expect(fileOf([one, other]).repeats.size).toBe(0);
  });
});

describe('the debts of a file', () => {
  const owed = fc.array(
    fc.integer({ min: 0, max: 400 }).map((n): Owed => ({ recipient: toId(`rec_${n}`) })),
    { maxLength: 300 },
  );
  const idOf = ({ recipient }: Owed): string => JSON.stringify(recipient);

  it('find each row that repeats an earlier one, like a Map', () => {
    fc.assert(
      fc.property(owed, (rows) => {
        const firsts = new Map<string, number>();
        const repeated = rows.flatMap((row, index) => {
          const first = firsts.get(idOf(row));
          if (first === undefined) firsts.set(idOf(row), index + 1);
          return first === undefined ? [] : [[index + 1, first] as const];
        });
        const found = [...fileOf(rows).repeats].map((pair) => pair.map(rowOfPlace)).sort(([a = 0], [b = 0]) => a - b);
        expect(found).toEqual(repeated);
      }),
    );
  });

  it('find the first row even when a later one is in an earlier chunk', () => {
    const debts = new FileDebts(3);
    const payout = (row: number): PlannedPayout => ({
      row,
      reference: `ref-${row}`,
      amount: '1',
      recipient: toId('a'),
    });
    debts.add({ batchId: 'b', chunk: 1, rail: 'fiat', currency: 'IDR', payouts: [payout(9)] });
    debts.add({ batchId: 'b', chunk: 2, rail: 'fiat', currency: 'IDR', payouts: [payout(3)] });
    debts.add({ batchId: 'b', chunk: 3, rail: 'fiat', currency: 'IDR', payouts: [payout(5)] });
    expect([...debts.sorted().repeats]).toEqual([
      [placeOf(1, 9), placeOf(2, 3)],
      [placeOf(3, 5), placeOf(2, 3)],
    ]);
  });

  it('are fingerprinted as they always were, since the ledger keeps fingerprints for months', () => {
    const debts = new FileDebts(2);
    const bank = { row: 7, reference: 'A-1', amount: '1250000.50', recipient: toAccount('001-2345678', 'BCA') };
    const wallet = toWallet('TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3');
    const token = { row: 8, reference: 'A-2', amount: '10.00', recipient: wallet };
    debts.add({ batchId: 'b-1', chunk: 3, rail: 'fiat', currency: 'IDR', payouts: [bank] });
    debts.add({ batchId: 'b-1', chunk: 4, rail: 'crypto', currency: 'usdt-tron', payouts: [token] });
    const asStored = [2_243_734_555, 394_264_583, 1_589_641_219, 583_301_722, 3_943_694_344, 3_258_974_212];
    expect([...debts.unsorted()]).toEqual(asStored);
  });

  it.each([0, 1, 2])('differ by each of their three numbers: %i', (word) => {
    const own = fileOf([{}]);
    const [bucket, ...more] = own.buckets(10);
    expect(more).toEqual([]);
    const theirs = Uint32Array.from(bucket?.debts ?? []);
    expect([...own.shared(theirs)]).toHaveLength(1);
    theirs[word] = (theirs[word] ?? 0) ^ (2 ** 20);
    expect([...own.shared(theirs)]).toEqual([]);
  });

  it.each(bucketBits)('are shared with another file where both have them, read from buckets of %i bits', (bits) => {
    fc.assert(
      fc.property(owed, owed, (rows, others) => {
        const own = fileOf(rows);
        const theirs = fileOf(others).buckets(bits);
        const found = theirs.flatMap(({ debts }) => [...own.shared(debts)]);
        const expected = others.flatMap((other, index) => {
          const first = rows.findIndex((row) => idOf(row) === idOf(other));
          return first < 0 ? [] : [`${placesOf([first + 1])} ${placesOf([index + 1])}`];
        });
        expect(found.map((pair) => pair.join(' ')).sort()).toEqual(expected.sort());
      }),
    );
  });

  it.each([
    [1, 1],
    [2048, 1],
    [2049, 32],
    [65_536, 32],
    [65_537, 1024],
  ])('of %i rows are stored in %i buckets', (rows, buckets) => {
    const stored = fileOf(Array.from({ length: rows }, (_, n) => ({ recipient: toId(`rec_${n}`) }))).toStore();
    expect(stored).toHaveLength(buckets);
    expect(stored.reduce((sum, { debts }) => sum + debts.length, 0)).toBe(3 * rows);
  });

  it.runIf(drawsAll)('confuse no two of a million, and find the equal pair', () => {
    const debts = new FileDebts(1_000_000);
    for (let chunk = 1; chunk <= 10_000; chunk += 1) {
      const payouts = Array.from({ length: 100 }, (_, index): PlannedPayout => {
        const row = (chunk - 1) * 100 + index + 1;
        const account = String(row === 1_000_000 ? 4711 : row).padStart(12, '0');
        return { row, reference: '', amount: '50000.00', recipient: toAccount(account) };
      });
      debts.add({ batchId: 'b', chunk, rail: 'fiat', currency: 'IDR', payouts });
    }
    expect([...debts.sorted().repeats]).toEqual([[placeOf(10_000, 1_000_000), placeOf(48, 4711)]]);
  });

  it('keep chunk and row of the largest plan', () => {
    const place = placeOf(1_000_000, 1_000_000);
    expect([chunkOfPlace(place), rowOfPlace(place)]).toEqual([1_000_000, 1_000_000]);
  });
});

describe('a payout of another batch', () => {
  const contradiction = {
    code: 'c',
    disbursementId: 'd',
    observed: 'completed',
    at: '2031-01-01T00:00:00.000Z',
  } as const;
  it.each([
    ['ready', true],
    ['submitting', true],
    ['pending', true],
    ['unknown', true],
    ['quarantined', true],
    ['completed', true],
    ['failed', false],
    ['rejected', false],
    ['canceled', false],
  ] as const)('that is %s may pay its debt: %s, and always when it is contradicted', (status, isExpected) => {
    expect(mayPayDebt({ status })).toBe(isExpected);
    expect(mayPayDebt({ status, contradictions: [contradiction] })).toBe(true);
  });
});
