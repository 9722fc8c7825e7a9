import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Conversion } from '../../functions/domain/batch.ts';
import { InvariantBroken } from '../../functions/domain/errors.ts';
import { batchIn, times } from './example.ts';
import { useLedger } from './table.ts';

const { ledger } = useLedger();
const currency = (): string => `C${randomUUID()}`;
const amounts = (...entries: readonly (readonly [string, string])[]): ReadonlyMap<string, string> => new Map(entries);

describe('reserving money', () => {
  it('starts from nothing, replaces the batch’s own amounts and removes them', async () => {
    const [idr, php] = [currency(), currency()];
    const before = await ledger.readFunds([idr, php]);
    expect(before).toEqual([
      { currency: idr, version: 0, reservations: [] },
      { currency: php, version: 0, reservations: [] },
    ]);
    expect(await ledger.reserve('a', before, amounts([idr, '100.50'], [php, '0.00']))).toBe(true);
    // Kept in one writing: exact, without trailing zeros.
    const first = await ledger.readFunds([idr, php]);
    expect(first).toEqual([
      { currency: idr, version: 1, reservations: [{ batchId: 'a', amount: '100.5' }] },
      { currency: php, version: 0, reservations: [] },
    ]);
    expect(await ledger.reserve('a', first, amounts([idr, '7'], [php, '3']))).toBe(true);
    const second = await ledger.readFunds([idr, php]);
    expect(second.map(({ reservations }) => reservations)).toEqual([
      [{ batchId: 'a', amount: '7' }],
      [{ batchId: 'a', amount: '3' }],
    ]);
    expect(await ledger.reserve('a', second, amounts())).toBe(true);
    expect((await ledger.readFunds([idr, php])).flatMap(({ reservations }) => reservations)).toEqual([]);
  });

  it('keeps the reservations of other batches', async () => {
    const idr = currency();
    for (const batchId of ['a', 'b', 'c'])
      await ledger.reserve(batchId, await ledger.readFunds([idr]), amounts([idr, '5']));
    await ledger.reserve('b', await ledger.readFunds([idr]), amounts());
    expect((await ledger.readFunds([idr]))[0]?.reservations.map(({ batchId }) => batchId)).toEqual(['a', 'c']);
  });

  it('is refused, in all currencies, when another batch reserved one of them since', async () => {
    const [idr, php] = [currency(), currency()];
    const read = await ledger.readFunds([idr, php]);
    await ledger.reserve('b', await ledger.readFunds([php]), amounts([php, '1']));
    expect(await ledger.reserve('a', read, amounts([idr, '100'], [php, '100']))).toBe(false);
    expect((await ledger.readFunds([idr]))[0]?.reservations).toEqual([]);
  });

  it('is refused when another batch reserved since, even where the own amount stays', async () => {
    const idr = currency();
    await ledger.reserve('a', await ledger.readFunds([idr]), amounts([idr, '1']));
    const read = await ledger.readFunds([idr]);
    expect(await ledger.reserve('a', read, amounts([idr, '1.0']))).toBe(true);
    await ledger.reserve('b', read, amounts([idr, '1']));
    expect(await ledger.reserve('a', read, amounts([idr, '1']))).toBe(false);
  });

  it('never promises more than there is when ten batches reserve on one balance at once', async () => {
    const idr = currency();
    const balance = 30;
    /** As PlanFunding does: read, decide, reserve; again while others are quicker. */
    const reserveIfCovered = async (batchId: string): Promise<boolean> => {
      for (;;) {
        const read = await ledger.readFunds([idr]);
        const reserved = read[0]?.reservations.length ?? 0;
        if ((reserved + 1) * 10 > balance) return false;
        if (await ledger.reserve(batchId, read, amounts([idr, '10']))) return true;
      }
    };
    const answers = await times(10, (index) => reserveIfCovered(`batch-${index}`));
    expect(answers.filter((reserved) => reserved)).toHaveLength(3);
    expect((await ledger.readFunds([idr]))[0]?.reservations).toHaveLength(3);
  });

  it.each([
    { name: 'a negative amount', read: true, amount: '-1' },
    { name: 'a currency that was not read', read: false, amount: '1' },
  ])('breaks an invariant for $name', async ({ read, amount }) => {
    const idr = currency();
    const records = read ? await ledger.readFunds([idr]) : [];
    await expect((async () => ledger.reserve('a', records, amounts([idr, amount])))()).rejects.toThrow(InvariantBroken);
  });
});

describe('the treasury lock', () => {
  it('is held by one of ten, who may take it again and alone releases it', async () => {
    const [input, output] = [currency(), currency()];
    const answers = await times(10, (index) => ledger.lockPair(input, output, `holder-${index}`));
    expect(answers.filter((held) => held)).toHaveLength(1);
    const holder = `holder-${answers.indexOf(true)}`;
    expect(await ledger.lockPair(input, output, holder)).toBe(true);
    await ledger.unlockPair(input, output, 'another');
    expect(await ledger.lockPair(input, output, 'another')).toBe(false);
    await ledger.unlockPair(input, output, holder);
    await ledger.unlockPair(input, output, holder);
    expect(await ledger.lockPair(input, output, 'another')).toBe(true);
  });

  it('is one for each pair and direction', async () => {
    const [input, output] = [currency(), currency()];
    expect(await ledger.lockPair(input, output, 'a')).toBe(true);
    expect(await ledger.lockPair(output, input, 'b')).toBe(true);
    expect(await ledger.lockPair(input, currency(), 'b')).toBe(true);
  });
});

const conversionOf = (batchId: string, n = 1): Conversion => ({
  batchId,
  n,
  status: 'claimed',
  planned: {
    inputCurrency: 'usdt-tron',
    inputAmount: '10.000001',
    outputCurrency: 'IDR',
    outputAmount: '160000',
    fee: '0.1',
    rate: '16000.123456789012345678',
  },
  quoteId: 'quote',
  inputBalanceBefore: '100',
  outputBalanceBefore: '5',
  claimId: randomUUID(),
  claimedAt: '2026-03-14T09:26:53.589Z',
});

describe('conversions', () => {
  it.each(['validating', 'awaiting_funds', 'processing'] as const)(
    'are claimed while the batch is %s',
    async (status) => {
      const conversion = conversionOf(await batchIn(ledger, status));
      expect(await ledger.claimConversion(conversion)).toEqual({ kind: 'claimed' });
      expect(await ledger.listConversions(conversion.batchId)).toEqual([conversion]);
    },
  );

  it.each(['accepted', 'paused', 'canceled', 'completed'] as const)('are stopped while it is %s', async (status) => {
    const conversion = conversionOf(await batchIn(ledger, status));
    expect(await ledger.claimConversion(conversion)).toEqual({ kind: 'stopped' });
    expect(await ledger.listConversions(conversion.batchId)).toEqual([]);
  });

  it('are stopped once a cancelation was requested', async () => {
    const batchId = await batchIn(ledger, 'awaiting_funds');
    await ledger.requestCancel(batchId, 'arn:person');
    expect(await ledger.claimConversion(conversionOf(batchId))).toEqual({ kind: 'stopped' });
  });

  it('are claimed by one of ten, and the others are told by whom', async () => {
    const batchId = await batchIn(ledger, 'validating');
    const wanted = Array.from({ length: 10 }, () => conversionOf(batchId));
    const answers = await Promise.all(wanted.map((conversion) => ledger.claimConversion(conversion)));
    expect(answers.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    const winner = wanted[answers.findIndex(({ kind }) => kind === 'claimed')];
    for (const answer of answers) if (answer.kind === 'taken') expect(answer.conversion).toEqual(winner);
    expect(
      await ledger.claimConversion(wanted.find((conversion) => conversion !== winner) ?? conversionOf(batchId)),
    ).toEqual({ kind: 'taken', conversion: winner });
  });

  it('are recorded by their claim, from the statuses given, once', async () => {
    const conversion = conversionOf(await batchIn(ledger, 'validating'));
    await ledger.claimConversion(conversion);
    const completed: Conversion = {
      ...conversion,
      status: 'completed',
      convertId: 'c-1',
      endedAt: conversion.claimedAt,
    };
    expect(await ledger.recordConversion({ ...completed, claimId: 'another' }, ['claimed'])).toBe(false);
    expect(await ledger.recordConversion(completed, ['unknown'])).toBe(false);
    expect(await ledger.recordConversion(completed, ['claimed'])).toBe(true);
    expect(await ledger.recordConversion({ ...completed, status: 'rejected' }, ['claimed'])).toBe(false);
    expect(await ledger.listConversions(conversion.batchId)).toEqual([completed]);
  });

  it('are listed in order', async () => {
    const batchId = await batchIn(ledger, 'validating');
    for (const n of [2, 11, 1]) await ledger.claimConversion(conversionOf(batchId, n));
    expect((await ledger.listConversions(batchId)).map(({ n }) => n)).toEqual([1, 2, 11]);
  });
});
