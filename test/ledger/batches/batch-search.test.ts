import type { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import { InvalidCursor } from '../../../functions/domain/errors.ts';
import { createLedger } from '../../../functions/ledger/ledger.ts';
import type { PayoutLedger } from '../../../functions/ports/ledger/payout-ledger.ts';
import { currencyPlan } from '../../support/money.ts';
import { newBatch } from '../../support/scenes/new-batch.ts';
import { chunkOf, registered } from '../example.ts';
import { useLedger } from '../table.ts';

const { ledger, dependencies, time } = useLedger();
const dayMs = 86_400_000;
const dayBefore = (daysAgo: number): string => new Date(time.now - daysAgo * dayMs).toISOString().slice(0, 10);

type Search = Omit<Parameters<PayoutLedger['findInBatches']>[0], 'day'>;

/** All pages, going back from this many days ago. */
const found = async (of: Search, daysAgo = 0): Promise<readonly string[]> => {
  const references: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages === 0 || cursor !== undefined; pages++) {
    const page = await ledger.findInBatches({ day: dayBefore(daysAgo), ...of, ...(cursor && { cursor }) });
    expect(page.items.length).toBeLessThanOrEqual(of.limit);
    references.push(...page.items.map(({ reference }) => reference));
    cursor = page.cursor;
    expect(pages).toBeLessThan(20);
  }
  return references;
};

/** A batch created this many days ago, planned with chunks of payouts of 10.50 IDR. */
const planned = async (
  batchId: string,
  daysAgo: number,
  chunks: readonly number[],
  { mode = 'disburse', references }: { mode?: 'disburse' | 'preview'; references?: readonly string[] } = {},
) => {
  const now = time.now;
  time.now -= daysAgo * dayMs;
  await ledger.createBatch(newBatch({ batchId, mode }));
  await ledger.moveBatch(batchId, batchTransitions.startValidating, 'system');
  const plan = {
    prefix: 'p/',
    sealKey: 'p/seal',
    sha256: batchId,
    chunks: chunks.length,
    rows: 1,
    validRows: 1,
    invalidRows: 0,
    errors: [],
    currencies: [
      currencyPlan({
        rail: 'fiat',
        currency: 'IDR',
        count: 1,
        amount: '10.50',
        fee: '0',
        largestAmount: '10.50',
        methods: [],
      }),
    ],
  };
  await ledger.recordPlan({ batchId, mode, allowSameFile: false }, plan);
  for (const [index, count] of chunks.entries()) {
    const place = {
      chunk: index + 1,
      firstRow: 1 + 100 * index,
      ...(references && { references: references.slice(index) }),
    };
    await registered(ledger, chunkOf(batchId, count, place));
  }
  time.now = now;
};

const rows = (batchId: string, ...numbers: readonly number[]) => numbers.map((row) => `${batchId}-${row}`);

describe('a search through batches', () => {
  beforeAll(async () => {
    await planned('b-0', 1200, [1]);
    await planned('b-1', 80, [2]);
    await planned('b-2', 40, [1, 1], { references: ['Salary-1', 'bonus-1'] });
    await planned('b-3', 0, [3]);
    await planned('b-4', 0, [], { mode: 'preview' });
  });

  it.each([1, 2])('finds an amount in all batches, newest first, in pages of %i', async (limit) => {
    const all = [...rows('b-3', 1, 2, 3), 'Salary-1', 'bonus-1', ...rows('b-1', 1, 2)];
    expect(await found({ limit, amount: '010.5', currency: 'IDR' })).toEqual(all);
  });

  it.each<[string, Partial<Search>, readonly string[]]>([
    ['the beginning of a reference, in any letter case', { referencePrefix: 'SALARY-' }, ['Salary-1']],
    ['a whole reference', { referencePrefix: 'b-3-2' }, ['b-3-2']],
    ['both', { referencePrefix: 'b-1', amount: '10.5' }, rows('b-1', 1, 2)],
    ['both, when only one matches', { referencePrefix: 'b-1', amount: '10.49' }, []],
    ['an amount above all', { amount: '10.51' }, []],
    ['a currency without payouts', { amount: '10.5', currency: 'USD' }, []],
    ['a batch', { amount: '10.5', batchId: 'b-2' }, ['Salary-1', 'bonus-1']],
    ['a batch without the currency', { amount: '10.5', currency: 'USD', batchId: 'b-2' }, []],
    ['a missing batch', { amount: '10.5', batchId: 'b-none' }, []],
  ])('is narrowed by %s', async (_, of, expected) => {
    const { items } = await ledger.findInBatches({ day: dayBefore(0), limit: 10, ...of });
    expect(items.map(({ reference }) => reference)).toEqual(expected);
  });

  it('continues through half a year without batches, and ends after a year without any', async () => {
    expect(await found({ limit: 10, referencePrefix: 'b-0' })).toEqual([]);
    expect(await found({ limit: 10, referencePrefix: 'b-0' }, 1000)).toEqual(['b-0-1']);
  });

  it('reads a limited amount in one request, and continues from there', async () => {
    await planned(
      'b-large',
      5000,
      Array.from({ length: 205 }, () => 1),
    );
    let reads = 0;
    const client = new Proxy(dependencies.client, {
      get: (target, name) =>
        name === 'send'
          ? (command: QueryCommand) => {
              if (command.input.KeyConditionExpression?.startsWith('pk')) reads += 1;
              return target.send(command);
            }
          : Reflect.get(target, name),
    });
    const counting = createLedger({ ...dependencies, client });
    const wanted = { limit: 3, referencePrefix: 'b-large-20401' };
    for (const within of [{ batchId: 'b-large' }, {}]) {
      reads = 0;
      const first = await counting.findInBatches({ day: dayBefore(4990), ...wanted, ...within });
      expect(first).toEqual({ items: [], cursor: expect.any(String) });
      expect(reads).toBeLessThanOrEqual(201);
      const rest = { ...wanted, ...within, cursor: first.cursor ?? '' };
      const { items } = await ledger.findInBatches({ day: dayBefore(0), ...rest });
      expect(items.map(({ reference }) => reference)).toEqual(['b-large-20401']);
    }
  });

  it('rejects a cursor of another list', async () => {
    const of = { day: dayBefore(0), limit: 1, amount: '1' };
    const cursorOf = (text: string) => Buffer.from(text).toString('base64url');
    const ofBatch = cursorOf('{"chunk":1,"row":1}');
    const ofAll = cursorOf('{"day":"2026-01-01","within":{"chunk":1,"row":1}}');
    await expect(ledger.findInBatches({ ...of, cursor: ofBatch })).rejects.toThrow(InvalidCursor);
    await expect(ledger.findInBatches({ ...of, batchId: 'b-1', cursor: ofAll })).rejects.toThrow(InvalidCursor);
    expect(await ledger.findInBatches({ ...of, cursor: ofAll })).toMatchObject({ items: [] });
  });
});
