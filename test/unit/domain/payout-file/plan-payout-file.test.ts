import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Money } from '../../../../functions/domain/money/money.ts';
import { runs } from '../../../support/fast-loop.ts';
import { currencyPlan } from '../../../support/money.ts';
import { tronAddress } from '../../../support/wallet-addresses.ts';
import { feeOf } from '../money/fee-of.ts';
import { batchId, methods, payoutsOf, planBytes } from './plan-bytes.ts';

const header = 'reference,amount,currency,recipientId,bankCode,bankName,accountNumber,accountName,walletAddress\n';

type Kind = 'idrBca' | 'idrBri' | 'php' | 'usdt' | 'bad';

const rowOf = (kind: Kind, n: number, amount: string): string => {
  switch (kind) {
    case 'idrBca':
      return `R-${n},${amount},IDR,,bca,BCA,0000${n},Siti,\n`;
    case 'idrBri':
      return `,${amount},IDR,,bri,BRI,0000${n},Budi,\n`;
    case 'php':
      return `R-${n},${amount},PHP,rec_${n},,,,,\n`;
    case 'usdt':
      return `R-${n},${amount},usdt-tron,,,,,,${tronAddress(`${n}`)}\n`;
    case 'bad':
      return `R-${n},-${amount},PHP,rec_${n},,,,,\n`;
  }
};

const kinds = fc.constantFrom<Kind>('idrBca', 'idrBri', 'php', 'usdt', 'bad');
const cents = fc
  .integer({ min: 2_000_000, max: 50_000_000 })
  .map((each) => `${Math.trunc(each / 100)}.${String(each % 100).padStart(2, '0')}`);
const fileRows = fc.array(fc.tuple(kinds, cents), { minLength: 1, maxLength: 60 });

const methodOf = (kind: Kind): (typeof methods)[number] => {
  const code = { idrBca: 'bca', idrBri: 'bri', php: 'bdo', usdt: 'usdt-tron', bad: 'bdo' }[kind];
  const found = methods.find((method) => method.code === code);
  if (found === undefined) throw new Error(`no method ${code}`);
  return found;
};

describe('the canary of a payout file', () => {
  it('is its first valid rows, in chunks of their own before all others, and absent if the file has no other', async () => {
    await fc.assert(
      fc.asyncProperty(
        fileRows,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 70 }),
        async (rows, payoutsPerCall, canary) => {
          const file = header + rows.map(([kind, amount], index) => rowOf(kind, index + 1, amount)).join('');
          const result = await planBytes(file, { invalidRows: 'skip', canary, payoutsPerCall });
          const { canaryChunks } = result.planned;
          const valid = payoutsOf(result).map(({ row }) => row);
          expect(valid).toHaveLength(result.planned.validRows);
          expect(result.chunks.map(({ chunk }) => chunk).toSorted((a, b) => a - b)).toEqual(
            result.chunks.map((_, index) => index + 1),
          );
          if (canary >= valid.length) {
            expect(canaryChunks).toBeUndefined();
            return;
          }
          const own = result.chunks.filter(({ chunk }) => chunk <= (canaryChunks ?? 0));
          const first = own.flatMap(({ payouts }) => payouts.map(({ row }) => row));
          expect(first.toSorted((a, b) => a - b)).toEqual(valid.slice(0, canary));
        },
      ),
    );
  });
});

describe('planning a payout file', () => {
  it('puts every valid row into exactly one chunk of its currency, and the sums are those of the file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fileRows,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 16, max: 2_000 }),
        async (rows, payoutsPerCall, blockBytes) => {
          const file = header + rows.map(([kind, amount], index) => rowOf(kind, index + 1, amount)).join('');
          const result = await planBytes(file, { invalidRows: 'skip', payoutsPerCall, blockBytes });
          const { planned, chunks, errors } = result;
          const valid = rows.flatMap(([kind, amount], index) =>
            kind === 'bad' ? [] : [{ kind, amount, row: index + 1 }],
          );

          expect(payoutsOf(result).map(({ row, amount, currency }) => ({ row, amount, currency }))).toEqual(
            valid.map(({ kind, amount, row }) => ({ row, amount, currency: methodOf(kind).currency })),
          );
          expect(errors.map((error) => error.row)).toEqual(
            rows.flatMap(([kind], index) => (kind === 'bad' ? [index + 1] : [])),
          );
          expect(planned).toMatchObject({
            rows: rows.length,
            validRows: valid.length,
            invalidRows: rows.length - valid.length,
          });
          expect(planned.kind).toBe(valid.length === 0 ? 'refused' : 'planned');
          expect(planned.chunks).toBe(chunks.length);
          expect(chunks.map(({ chunk }) => chunk).sort((a, b) => a - b)).toEqual(chunks.map((_, index) => index + 1));
          expect(chunks.every(({ payouts }) => payouts.length >= 1 && payouts.length <= payoutsPerCall)).toBe(true);
          for (const plan of planned.currencies) {
            const own = valid.filter(({ kind }) => methodOf(kind).currency === plan.currency);
            expect(plan.count).toBe(own.length);
            const sum = (amounts: readonly Money[]): Money => Money.sum(plan.currency, amounts);
            const amounts = own.map(({ kind, amount }) => ({ kind, amount: Money.of(amount, plan.currency) }));
            expect(plan.amount).toEqual(sum(amounts.map(({ amount }) => amount)));
            expect(plan.fee).toEqual(sum(amounts.map(({ kind, amount }) => feeOf(methodOf(kind), amount))));
            if (plan.rail === 'fiat') {
              expect(sum(plan.methods.map(({ fee }) => fee))).toEqual(plan.fee);
              expect(sum(plan.methods.map(({ amount }) => amount))).toEqual(plan.amount);
            }
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });

  const manyRows = (count: number) =>
    header +
    Array.from({ length: count }, (_, index) => rowOf(index % 3 === 0 ? 'usdt' : 'idrBca', index + 1, '20000.5')).join(
      '',
    );

  it('makes the same chunks from the same file, however slow lookups are', async () => {
    // Each lookup is faster than the one before, so answers come out of order.
    let patience = 12;
    const sleepy = () => {
      patience = Math.max(0, patience - 3);
      return new Promise<void>((resolve) => setTimeout(resolve, patience));
    };
    const quick = await planBytes(manyRows(3_500));
    const slow = await planBytes(manyRows(3_500), {
      blockBytes: 1_000,
      findReferences: async () => {
        await sleepy();
        return new Map();
      },
    });
    expect(slow.chunks).toEqual(quick.chunks);
    expect(slow.planned).toEqual(quick.planned);
  });

  it('writes no chunk before its references are known to be free', async () => {
    const asked = new Set<string>();
    let early = 0;
    await planBytes(manyRows(2_500), {
      findReferences: async (references) => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        for (const reference of references) asked.add(reference);
        return new Map();
      },
      putChunk: async ({ payouts }) => {
        early += payouts.filter(({ reference }) => !asked.has(reference)).length;
      },
    });
    expect(early).toBe(0);
    expect(asked.size).toBe(2_500);
  });

  it('looks up at most 100 references per request and keeps at most 16 chunks in flight', async () => {
    let writing = 0;
    let most = 0;
    const lookups: number[] = [];
    await planBytes(manyRows(5_000), {
      payoutsPerCall: 10,
      findReferences: async (references) => {
        lookups.push(references.length);
        return new Map();
      },
      putChunk: async () => {
        writing++;
        most = Math.max(most, writing);
        await new Promise((resolve) => setImmediate(resolve));
        writing--;
      },
    });
    expect(Math.max(...lookups)).toBeLessThanOrEqual(100);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(16);
  });

  it('throws what a write throws, after the other writes have ended', async () => {
    let open = 0;
    const planning = planBytes(manyRows(1_000), {
      payoutsPerCall: 10,
      putChunk: async ({ chunk }) => {
        open++;
        await new Promise((resolve) => setTimeout(resolve, 3));
        open--;
        if (chunk === 5) throw new Error('the bucket is out');
      },
    });
    await expect(planning).rejects.toThrow('the bucket is out');
    expect(open).toBe(0);
  });

  it('passes on every error and keeps the first 100', async () => {
    const file = header + Array.from({ length: 250 }, (_, index) => rowOf('bad', index + 1, '5')).join('');
    const { planned, errors } = await planBytes(file, { invalidRows: 'skip' });
    expect(errors).toHaveLength(250);
    expect(planned).toMatchObject({ kind: 'refused', invalidRows: 250, validRows: 0, chunks: 0 });
    expect(planned.errors).toEqual(errors.slice(0, 100));
  });

  it('pays nothing of a file with a bad row, unless bad rows are skipped', async () => {
    const file = header + rowOf('php', 1, '100') + rowOf('bad', 2, '100') + rowOf('php', 3, '100');
    const rejected = await planBytes(file, { payoutsPerCall: 1 });
    const skipped = await planBytes(file, { payoutsPerCall: 1, invalidRows: 'skip' });
    expect(rejected.planned).toMatchObject({ kind: 'refused', validRows: 2, invalidRows: 1 });
    expect(skipped.planned).toMatchObject({ kind: 'planned', validRows: 2, invalidRows: 1, chunks: 2 });
  });

  it('fills chunks one after the other, up to the allowed rows', async () => {
    const file = header + [1, 2, 3, 4, 5].map((n) => rowOf('php', n, '100')).join('');
    const { planned, chunks } = await planBytes(file, { payoutsPerCall: 2, settings: { maxRows: 5 } });
    expect(planned.kind).toBe('planned');
    expect(chunks.map(({ payouts }) => payouts.length)).toEqual([2, 2, 1]);
  });

  it('reserves the highest fee for a recipient with an unknown bank', async () => {
    const file = 'amount,currency,recipientId\n5000000,IDR,rec_1\n10000,IDR,rec_2\n';
    const { planned } = await planBytes(file);
    // bca charges 2500, bri 1500 and 0.2 percent: 11500 for the first row, 1520 for the second.
    expect(planned.currencies).toEqual([
      currencyPlan({
        rail: 'fiat',
        currency: 'IDR',
        count: 2,
        amount: '5010000',
        fee: '14000',
        largestAmount: '5000000',
        methods: [{ method: 'recipientId', count: 2, amount: '5010000', fee: '14000' }],
      }),
    ]);
  });

  it('derives missing references from batch and row', async () => {
    const result = await planBytes(header + rowOf('idrBri', 1, '20000') + rowOf('idrBri', 2, '20000'));
    expect(payoutsOf(result).map(({ reference }) => reference)).toEqual([`${batchId}-1`, `${batchId}-2`]);
  });
});
