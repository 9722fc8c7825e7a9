import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Conversion } from '../../functions/domain/batch/batch.ts';
import { batchTransitions } from '../../functions/domain/batch/batch-status.ts';
import { InvariantBroken } from '../../functions/domain/errors.ts';
import { Money } from '../../functions/domain/money/money.ts';
import type { MoneyByCurrency } from '../../functions/domain/money/money-by-currency.ts';
import { moneyOfText } from '../../functions/domain/money/money-by-currency.ts';
import { conversionOfText } from '../../functions/domain/money/money-records.ts';
import { orchestratorSettings } from '../../functions/domain/settings.ts';
import { currencyPlan } from '../support/money.ts';
import { conversionBy } from '../support/scenes/conversion-by.ts';
import { examplePlan } from '../support/scenes/example-batch.ts';
import { newBatch } from '../support/scenes/new-batch.ts';
import { planAndRelease } from '../support/scenes/plan-and-release.ts';
import { silentLog } from '../support/silent-log.ts';
import { batchIn, releasedBatch, timelineOf, times } from './example.ts';
import { useLedger } from './table.ts';

const { ledger, time } = useLedger();
const currency = (): string => `C${randomUUID()}`;
/** Ids of this many batches that are being funded. */
const funded = (count: number): Promise<string[]> => times(count, () => batchIn(ledger, 'validating'));
const amounts = (...entries: readonly (readonly [string, string])[]): MoneyByCurrency =>
  moneyOfText(Object.fromEntries(entries));

describe('reserving money', () => {
  it('starts from nothing, replaces the batch’s own amounts and removes them', async () => {
    const [idr, php] = [currency(), currency()];
    const [a = ''] = await funded(1);
    const before = await ledger.readFunds([idr, php]);
    expect(before).toEqual([
      { currency: idr, version: 0, reservations: [] },
      { currency: php, version: 0, reservations: [] },
    ]);
    expect(await ledger.reserve(a, before, amounts([idr, '100.50'], [php, '0.00']))).toBe(true);
    // Stored in one notation: exact, without trailing zeros.
    const first = await ledger.readFunds([idr, php]);
    expect(first).toEqual([
      { currency: idr, version: 1, reservations: [{ batchId: a, amount: Money.of('100.5', idr) }] },
      { currency: php, version: 0, reservations: [] },
    ]);
    expect(await ledger.reserve(a, first, amounts([idr, '7'], [php, '3']))).toBe(true);
    const second = await ledger.readFunds([idr, php]);
    expect(second.map(({ reservations }) => reservations)).toEqual([
      [{ batchId: a, amount: Money.of('7', idr) }],
      [{ batchId: a, amount: Money.of('3', php) }],
    ]);
    expect(await ledger.reserve(a, second, amounts())).toBe(true);
    expect((await ledger.readFunds([idr, php])).flatMap(({ reservations }) => reservations)).toEqual([]);
  });

  it.each([
    ['money', '5', true],
    ['nothing', '0', true],
    ['money for a batch that has left its status', '5', false],
    ['nothing for a batch that has left its status', '0', false],
  ])('succeeds only while the batch has its status since the given time: %s', async (_case, amount, isStill) => {
    const idr = currency();
    const [a = ''] = await funded(1);
    expect(await ledger.reserve(a, await ledger.readFunds([idr]), amounts([idr, '7']))).toBe(true);
    const since = isStill ? ((await ledger.getBatch(a))?.statusSince ?? '') : '2026-01-01T00:00:00.000Z';
    expect(await ledger.reserve(a, await ledger.readFunds([idr]), amounts([idr, amount]), { since })).toBe(isStill);
    const [funds] = await ledger.readFunds([idr]);
    const left = isStill ? amount : '7';
    expect(funds?.reservations.map((one) => one.amount.amount)).toEqual(left === '0' ? [] : [left]);
  });

  it('keeps its currency listed forever from the first reservation on', async () => {
    const [idr, php] = [currency(), currency()];
    const [a = ''] = await funded(1);
    expect(await ledger.reserve(a, await ledger.readFunds([idr, php]), amounts([idr, '1']))).toBe(true);
    expect(await ledger.listFundedCurrencies()).toContain(idr);
    expect(await ledger.listFundedCurrencies()).not.toContain(php);
    await ledger.reserve(a, await ledger.readFunds([idr, php]), amounts([php, '1']));
    await ledger.reserve(a, await ledger.readFunds([idr, php]), amounts());
    expect(await ledger.listFundedCurrencies()).toEqual(expect.arrayContaining([idr, php]));
    const b = await batchIn(ledger, 'canceled');
    const never = currency();
    expect(await ledger.reserve(b, await ledger.readFunds([never]), amounts([never, '1']))).toBe(false);
    expect(await ledger.listFundedCurrencies()).not.toContain(never);
  });

  it('keeps the reservations of other batches', async () => {
    const idr = currency();
    const [a = '', b = '', c = ''] = await funded(3);
    for (const batchId of [a, b, c]) await ledger.reserve(batchId, await ledger.readFunds([idr]), amounts([idr, '5']));
    await ledger.reserve(b, await ledger.readFunds([idr]), amounts());
    const left = (await ledger.readFunds([idr]))[0]?.reservations.map(({ batchId }) => batchId);
    expect(left?.sort()).toEqual([a, c].sort());
  });

  it('fails in all currencies when another batch has reserved one of them since', async () => {
    const [idr, php] = [currency(), currency()];
    const [a = '', b = ''] = await funded(2);
    const read = await ledger.readFunds([idr, php]);
    await ledger.reserve(b, await ledger.readFunds([php]), amounts([php, '1']));
    expect(await ledger.reserve(a, read, amounts([idr, '100'], [php, '100']))).toBe(false);
    expect((await ledger.readFunds([idr]))[0]?.reservations).toEqual([]);
  });

  it('fails when another batch has reserved since, even with an unchanged amount', async () => {
    const idr = currency();
    const [a = '', b = ''] = await funded(2);
    await ledger.reserve(a, await ledger.readFunds([idr]), amounts([idr, '1']));
    const read = await ledger.readFunds([idr]);
    expect(await ledger.reserve(a, read, amounts([idr, '1.0']))).toBe(true);
    await ledger.reserve(b, read, amounts([idr, '1']));
    expect(await ledger.reserve(a, read, amounts([idr, '1']))).toBe(false);
  });

  it('is not returned by a run that found its batch short before another began to disburse it', async () => {
    const idr = currency();
    const batchId = await batchIn(ledger, 'awaiting_funds');
    expect(await ledger.reserve(batchId, await ledger.readFunds([idr]), amounts([idr, '1']))).toBe(true);
    await ledger.moveBatch(batchId, batchTransitions.startProcessing, 'system');
    const read = await ledger.readFunds([idr]);
    expect(await ledger.reserve(batchId, read, amounts(), { whileFunded: true })).toBe(false);
    expect(await ledger.reserve(batchId, read, amounts())).toBe(true);
  });

  it('never exceeds the balance when ten batches reserve concurrently', async () => {
    const idr = currency();
    const balance = 30;
    /** Like PlanFunding: reads, decides and reserves, and repeats that while others are faster. */
    const reserveIfCovered = async (batchId: string): Promise<boolean> => {
      for (;;) {
        const read = await ledger.readFunds([idr]);
        const reserved = read[0]?.reservations.length ?? 0;
        if ((reserved + 1) * 10 > balance) return false;
        if (await ledger.reserve(batchId, read, amounts([idr, '10']))) return true;
      }
    };
    const batches = await funded(10);
    const answers = await Promise.all(batches.map(reserveIfCovered));
    expect(answers.filter((reserved) => reserved)).toHaveLength(3);
    expect((await ledger.readFunds([idr]))[0]?.reservations).toHaveLength(3);
  });

  it.each(['processing', 'paused', 'canceled', 'completed'] as const)(
    'fails for a batch that is %s',
    async (status) => {
      const idr = currency();
      const batchId = await batchIn(ledger, status);
      expect(await ledger.reserve(batchId, await ledger.readFunds([idr]), amounts([idr, '1']))).toBe(false);
      expect((await ledger.readFunds([idr]))[0]?.reservations).toEqual([]);
    },
  );

  it('fails after a requested cancellation, while money can still be returned', async () => {
    const idr = currency();
    const [a = ''] = await funded(1);
    expect(await ledger.reserve(a, await ledger.readFunds([idr]), amounts([idr, '1']))).toBe(true);
    await ledger.requestCancel(a, 'arn:person');
    expect(await ledger.reserve(a, await ledger.readFunds([idr]), amounts([idr, '2']))).toBe(false);
    await ledger.moveBatch(a, batchTransitions.cancel, 'system');
    expect(await ledger.reserve(a, await ledger.readFunds([idr]), amounts([idr, '0']))).toBe(true);
    expect((await ledger.readFunds([idr]))[0]?.reservations).toEqual([]);
  });

  it('never exceeds the balance when eight batches plan concurrently with the real step', async () => {
    const idr = currency();
    const plan = (batchId: string) =>
      examplePlan(batchId, 1, [
        currencyPlan({
          rail: 'fiat',
          currency: idr,
          count: 1,
          amount: '30',
          fee: '0',
          largestAmount: '30',
          methods: [],
        }),
      ]);
    const batches = await funded(8);
    for (const batchId of batches) await ledger.recordPlan(newBatch({ batchId }), plan(batchId));
    const planFunding = (batchId: string) =>
      planAndRelease(
        {
          ledger,
          provider: {
            account: 'one',
            readBalances: async () => amounts([idr, '100']),
            quoteConversion: async () => ({ kind: 'refused', message: 'none' }),
          },
          settings: orchestratorSettings().parse({ conversionSources: [] }),
          clock: Date.now,
          log: silentLog,
        },
        { batchId, waits: 0 },
      );
    // A batch that was overtaken waits and comes again.
    for (let round = 1; round <= 12; round += 1) await Promise.all(batches.map(planFunding));
    const current = await Promise.all(batches.map((batchId) => ledger.getBatch(batchId)));
    expect(current.filter((batch) => batch?.status === 'processing')).toHaveLength(3);
    expect(current.filter((batch) => batch?.status === 'awaiting_funds')).toHaveLength(5);
    expect((await ledger.readFunds([idr]))[0]?.reservations).toHaveLength(3);
  });

  it.each([
    { name: 'a negative amount', read: true, amount: '-1' },
    { name: 'a currency that was not read', read: false, amount: '1' },
  ])('throws for $name', async ({ read, amount }) => {
    const idr = currency();
    const records = read ? await ledger.readFunds([idr]) : [];
    await expect((async () => ledger.reserve('a', records, amounts([idr, amount])))()).rejects.toThrow(InvariantBroken);
  });
});

describe('the treasury lock', () => {
  it('is held by one of ten, which may take it again and alone can unlock it', async () => {
    const pair = [currency(), currency()];
    const answers = await times(10, (index) => ledger.lockPair(conversionBy(`holder-${index}`, pair)));
    expect(answers.filter((held) => held)).toHaveLength(1);
    const holder = conversionBy(`holder-${answers.indexOf(true)}`, pair);
    const another = conversionBy('another', pair);
    expect(await ledger.lockPair(holder)).toBe(true);
    await ledger.unlockPair(another);
    expect(await ledger.lockPair(another)).toBe(false);
    await ledger.unlockPair(holder);
    await ledger.unlockPair(holder);
    expect(await ledger.lockPair(another)).toBe(true);
  });

  it('is listed, and can be taken only from the holder that was read', async () => {
    const [input, output] = [currency(), currency()];
    await ledger.lockPair(conversionBy('a', [input, output]));
    const find = async () => (await ledger.listPairLocks()).find(({ inputCurrency }) => inputCurrency === input);
    const read = await find();
    if (read === undefined) throw new Error('the lock is not listed');
    expect(read).toMatchObject({ outputCurrency: output, holder: 'a#1' });
    time.now += 1;
    await ledger.lockPair(conversionBy('a', [input, output]));
    expect(await ledger.breakPairLock(read)).toBe(false);
    const again = await find();
    expect(again && (await ledger.breakPairLock(again))).toBe(true);
    expect(await find()).toBeUndefined();
    expect(await ledger.breakPairLock(read)).toBe(false);
  });

  it('is separate for each pair and direction', async () => {
    const [input, output] = [currency(), currency()];
    expect(await ledger.lockPair(conversionBy('a', [input, output]))).toBe(true);
    expect(await ledger.lockPair(conversionBy('b', [output, input]))).toBe(true);
    expect(await ledger.lockPair(conversionBy('b', [input, currency()]))).toBe(true);
  });
});

const conversionOf = (batchId: string, n: number, [inputCurrency = '', outputCurrency = '']: string[]): Conversion =>
  conversionOfText({
    batchId,
    n,
    status: 'claimed',
    planned: {
      inputCurrency,
      inputAmount: '10.000001',
      outputCurrency,
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

/** Claims by the current reservations. */
const claim = async (conversion: Conversion) => {
  const { input, output } = conversion.planned;
  const [funds] = await ledger.readFunds([output.currency]);
  return ledger.claimConversion(conversion, funds ?? { currency: '', version: 0, reservations: [] }, input);
};

const pairOf = ({ planned: { input, output } }: Conversion): readonly [string, string] => [
  input.currency,
  output.currency,
];

/** A conversion with its pair locked and its input reserved. Its currencies are its own, because all tests share the table. */
const lockedConversionOf = async (batchId: string, n = 1, pair = [currency(), currency()]): Promise<Conversion> => {
  const conversion = conversionOf(batchId, n, pair);
  await ledger.lockPair(conversion);
  const { input } = conversion.planned;
  await ledger.reserve(batchId, await ledger.readFunds([input.currency]), new Map([[input.currency, input]]));
  return conversion;
};

describe('the lock of a conversion', () => {
  it('is needed to claim it', async () => {
    const batchId = await releasedBatch(ledger);
    const conversion = await lockedConversionOf(batchId);
    await ledger.unlockPair(conversion);
    expect(await claim(conversion)).toEqual({ kind: 'stopped' });
    await ledger.lockPair(conversionBy('another', pairOf(conversion)));
    expect(await claim(conversion)).toEqual({ kind: 'stopped' });
    expect(await ledger.listConversions(batchId)).toEqual([]);
  });

  it('is not unlocked by a run that gives up after another run of the batch has claimed under it', async () => {
    const conversion = await lockedConversionOf(await releasedBatch(ledger));
    const another = conversionBy('another', pairOf(conversion));
    await claim(conversion);
    for (const given of [conversion, { ...conversion, n: 2 }]) {
      await ledger.unlockPair(given);
      expect(await ledger.lockPair(another)).toBe(false);
    }
  });
});

describe('conversions', () => {
  it.each(['validating', 'awaiting_funds'] as const)('are claimed while the batch is %s', async (status) => {
    const conversion = await lockedConversionOf(await releasedBatch(ledger, status));
    expect(await claim(conversion)).toEqual({ kind: 'claimed' });
    // Its own claim, after a lost answer.
    expect(await claim(conversion)).toEqual({ kind: 'claimed' });
    expect(await ledger.listConversions(conversion.batchId)).toEqual([conversion]);
  });

  it('are refused once another run has given back what they take, or reserved another amount', async () => {
    const batchId = await releasedBatch(ledger);
    const conversion = await lockedConversionOf(batchId);
    const { input } = conversion.planned;
    for (const reserved of [[], [[input.currency, input.plus(input)]]] as const) {
      await ledger.reserve(batchId, await ledger.readFunds([input.currency]), new Map(reserved));
      expect(await claim(conversion)).toEqual({ kind: 'stopped' });
    }
    expect(await ledger.listConversions(batchId)).toEqual([]);
  });

  it('are refused while the batch is not released', async () => {
    const conversion = await lockedConversionOf(await batchIn(ledger, 'validating'));
    expect(await claim(conversion)).toEqual({ kind: 'stopped' });
  });

  const notFunded = ['processing', 'paused', 'canceled', 'completed'] as const;
  it.each(notFunded)('are refused while the batch is %s', async (status) => {
    const conversion = await lockedConversionOf(await releasedBatch(ledger, status));
    expect(await claim(conversion)).toEqual({ kind: 'stopped' });
    expect(await ledger.listConversions(conversion.batchId)).toEqual([]);
  });

  it('are refused once a cancellation was requested', async () => {
    const batchId = await releasedBatch(ledger, 'awaiting_funds');
    await ledger.requestCancel(batchId, 'arn:person');
    expect(await claim(await lockedConversionOf(batchId))).toEqual({ kind: 'stopped' });
  });

  it('are claimed by one of ten, and the others learn by which', async () => {
    const batchId = await releasedBatch(ledger);
    const first = await lockedConversionOf(batchId);
    const wanted = Array.from({ length: 10 }, () => ({ ...first, claimId: randomUUID() }));
    const answers = await Promise.all(wanted.map((conversion) => claim(conversion)));
    expect(answers.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    const winner = wanted[answers.findIndex(({ kind }) => kind === 'claimed')];
    for (const answer of answers) if (answer.kind === 'taken') expect(answer.conversion).toEqual(winner);
    expect(await claim(wanted.find((conversion) => conversion !== winner) ?? first)).toEqual({
      kind: 'taken',
      conversion: winner,
    });
  });

  it('are recorded by their claim, from the given statuses, once', async () => {
    const conversion = await lockedConversionOf(await releasedBatch(ledger));
    await claim(conversion);
    const completed: Conversion = {
      ...conversion,
      status: 'completed',
      convertId: 'c-1',
      endedAt: conversion.claimedAt,
    };
    expect(await ledger.recordConversion({ ...completed, claimId: 'another' }, ['claimed'])).toBe(false);
    expect(await ledger.recordConversion(completed, ['unknown'])).toBe(false);
    expect(await ledger.recordConversion(completed, ['claimed'])).toBe(true);
    expect(await ledger.recordConversion(completed, ['claimed'])).toBe(true);
    expect(await ledger.recordConversion({ ...completed, status: 'rejected' }, ['claimed'])).toBe(false);
    expect(await ledger.listConversions(conversion.batchId)).toEqual([completed]);
  });

  it('cannot be recorded without a claim', async () => {
    const conversion = await lockedConversionOf(await releasedBatch(ledger));
    await expect(ledger.recordConversion(conversion, ['claimed'])).rejects.toThrow('conversion_missing');
  });

  it('add their proceeds to their batch’s reservation, however often others reserve meanwhile', async () => {
    const conversion = await lockedConversionOf(await releasedBatch(ledger));
    const { batchId } = conversion;
    const [, output] = pairOf(conversion);
    const others = await funded(5);
    const reserveAll = (amount: string) =>
      Promise.all(
        others.map(async (other) => {
          while (!(await ledger.reserve(other, await ledger.readFunds([output]), amounts([output, amount]))));
        }),
      );
    await reserveAll('7');
    await claim(conversion);
    const completed: Conversion = { ...conversion, status: 'completed', convertId: 'c', endedAt: conversion.claimedAt };
    const [isRecorded] = await Promise.all([ledger.recordConversion(completed, ['claimed']), reserveAll('8')]);
    expect(isRecorded).toBe(true);
    const held = (await ledger.readFunds([output]))[0]?.reservations ?? [];
    expect(new Map(held.map((one) => [one.batchId, one.amount.amount]))).toEqual(
      new Map([[batchId, conversion.planned.output.amount], ...others.map((other) => [other, '8'] as const)]),
    );
  });

  it('are settled once, with a line in the timeline', async () => {
    const conversion = await lockedConversionOf(await releasedBatch(ledger));
    await claim(conversion);
    const settled: Conversion = { ...conversion, status: 'not_made', endedAt: conversion.claimedAt };
    const audit = { code: 'conversion.settled', by: 'arn:person', detail: 'conversion 1', note: 'Ticket 4711' };
    expect(await ledger.recordConversion({ ...settled, claimId: 'another' }, ['claimed'], audit)).toBe(false);
    expect(await ledger.recordConversion(settled, ['claimed'], audit)).toBe(true);
    expect(await ledger.recordConversion({ ...settled, status: 'completed' }, ['claimed'], audit)).toBe(false);
    const events = await timelineOf(ledger, conversion.batchId);
    expect(events.filter(({ code }) => code === audit.code)).toMatchObject([audit]);
    expect(await ledger.listConversions(conversion.batchId)).toEqual([settled]);
  });

  it('are listed in order', async () => {
    const batchId = await releasedBatch(ledger);
    for (const n of [2, 11, 1]) await claim(await lockedConversionOf(batchId, n));
    expect((await ledger.listConversions(batchId)).map(({ n }) => n)).toEqual([1, 2, 11]);
  });
});
