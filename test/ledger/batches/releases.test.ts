import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import { InvariantBroken } from '../../../functions/domain/errors.ts';
import { Money } from '../../../functions/domain/money/money.ts';
import { sumByCurrency } from '../../../functions/domain/money/money-by-currency.ts';
import { currencyFundingOfText } from '../../../functions/domain/money/money-records.ts';
import { currencyPlan } from '../../support/money.ts';
import { examplePlan } from '../../support/scenes/example-batch.ts';
import { newBatch } from '../../support/scenes/new-batch.ts';
import { timelineOf, times } from '../example.ts';
import { useLedger } from '../table.ts';

const { ledger, time } = useLedger();
const { startValidating, askApproval, approve, reject, refuseRelease, awaitFunds, halt, resumeValidating } =
  batchTransitions;

/** Currencies of this test only, because all tests share the table and the day. */
const currency = (): string => `C${randomUUID()}`;
const day = '2026-03-14';
const release = { hash: 'h', at: '2026-03-14T09:26:53.589Z', day, conversions: [] };

/** A batch that pays 10.5 in a currency and has reserved as much. */
const funded = async (of = currency(), changes: Parameters<typeof newBatch>[0] = {}): Promise<Batch> => {
  const batch = newBatch(changes);
  const { batchId } = batch;
  await ledger.createBatch(batch);
  await ledger.moveBatch(batchId, startValidating, 'system');
  const currencies = [
    currencyPlan({
      rail: 'fiat',
      currency: of,
      count: 1,
      amount: '10.50',
      fee: '0',
      largestAmount: '10.50',
      methods: [],
    }),
  ];
  await ledger.recordPlan(batch, { ...examplePlan(batchId, 1, currencies), sha256: `content of ${batch.file.key}` });
  while (!(await ledger.reserve(batchId, await ledger.readFunds([of]), sumByCurrency([Money.of('10.5', of)]))));
  const none = { reservedByOthers: '0', shortfall: '0', unclear: '0' };
  const needs = currencyFundingOfText({ currency: of, required: '10.5', balance: '99', ...none });
  const funding = { currencies: [needs], conversions: [], conversionsBefore: 0, plannedAt: '2026-03-14T09:26:53.589Z' };
  return (await ledger.amendBatch(batchId, ['validating'], { funding })).batch;
};

const releasedOf = async (of: string): Promise<string | undefined> => (await ledger.readReleased(day)).get(of)?.amount;

describe('releasing a batch', () => {
  it('starts disbursing and counts it for the day, once', async () => {
    const of = currency();
    const batch = await funded(of);
    const counted = await ledger.readReleased(day);
    expect(await ledger.releaseBatch(batch, { release, counted })).toBe('released');
    expect(await ledger.releaseBatch(batch, { release, counted })).toBe('changed');
    expect(await ledger.getBatch(batch.batchId)).toMatchObject({ status: 'processing', release });
    expect(await releasedOf(of)).toBe('10.5');
    const events = await timelineOf(ledger, batch.batchId);
    expect(events.at(-1)).toMatchObject({ code: 'batch.processing', by: 'system', detail: 'h' });
  });

  it('ends a wait for funds, so that a later one counts from its own start', async () => {
    const { batchId } = await funded();
    const awaitingFundsSince = '2026-03-14T09:26:53.589Z';
    const { batch } = await ledger.moveBatch(batchId, awaitFunds, 'system', { awaitingFundsSince });
    expect(batch).toMatchObject({ awaitingFundsSince });
    expect(await ledger.releaseBatch(batch, { release })).toBe('released');
    expect(await ledger.getBatch(batchId)).not.toHaveProperty('awaitingFundsSince');
  });

  it('lets one of ten succeed with one day’s sum', async () => {
    const of = currency();
    const batches = await times(10, () => funded(of));
    const counted = await ledger.readReleased(day);
    const answers = await Promise.all(batches.map((batch) => ledger.releaseBatch(batch, { release, counted })));
    expect(answers.toSorted()).toEqual([...Array<string>(9).fill('changed'), 'released']);
    expect(await releasedOf(of)).toBe('10.5');
    const next = batches[answers.indexOf('changed')];
    if (next === undefined) throw new Error('all passed');
    expect(await ledger.releaseBatch(next, { release, counted: await ledger.readReleased(day) })).toBe('released');
    expect(await releasedOf(of)).toBe('21');
  });

  it.each<[string, 'changed' | 'unfunded', (batch: Batch, of: string) => Promise<unknown>]>([
    ['its cancellation was requested', 'changed', ({ batchId }) => ledger.requestCancel(batchId, 'arn:person')],
    ['it was paused', 'changed', ({ batchId }) => ledger.moveBatch(batchId, batchTransitions.halt, 'system')],
    [
      'it was paused, and goes on again',
      'changed',
      async ({ batchId }) => {
        time.now += 1;
        await ledger.moveBatch(batchId, halt, 'system');
        await ledger.moveBatch(batchId, resumeValidating, 'arn:person');
      },
    ],
    [
      'a batch was found that shares debts with it',
      'changed',
      async ({ batchId }) => ledger.noteSharedDebts((await funded()).batchId, [batchId]),
    ],
    [
      'its funding was planned anew',
      'changed',
      ({ batchId, funding }) =>
        ledger.amendBatch(batchId, ['validating'], {
          funding: { currencies: [], conversions: [], conversionsBefore: 0, ...funding, plannedAt: 'later' },
        }),
    ],
    [
      'its money was returned',
      'unfunded',
      async ({ batchId }, of) => ledger.reserve(batchId, await ledger.readFunds([of]), new Map()),
    ],
    [
      'its reservation differs from the plan',
      'unfunded',
      async ({ batchId }, of) =>
        ledger.reserve(batchId, await ledger.readFunds([of]), sumByCurrency([Money.of('10', of)])),
    ],
  ])('fails when %s: %s', async (_, refused, change) => {
    const of = currency();
    const batch = await funded(of);
    await change(batch, of);
    expect(await ledger.releaseBatch(batch, { release, counted: new Map() })).toBe(refused);
    expect(await releasedOf(of)).toBeUndefined();
    expect((await ledger.getBatch(batch.batchId))?.release).toBeUndefined();
  });
});

it('fails while one of its currencies is not reserved', async () => {
  const batch = await funded();
  const currencies = (batch.funding?.currencies ?? []).flatMap((one) => [one, { ...one, currency: currency() }]);
  const funding = { currencies, conversions: [], conversionsBefore: 0, plannedAt: '2026-03-14T09:26:53.589Z' };
  expect(await ledger.releaseBatch({ ...batch, funding }, { release })).toBe('unfunded');
});

describe('releasing batches that share debts', () => {
  it('lets one of two concurrent releases succeed, and the other once it has read that', async () => {
    const both = [await funded(), await funded()].map(({ batchId }) => batchId);
    await ledger.noteSharedDebts(both[1] ?? '', both.slice(0, 1));
    const read = await Promise.all(both.map((batchId) => ledger.getBatch(batchId)));
    const batches = read.flatMap((batch) => batch ?? []);
    const unreleased = batches.map(({ sharesDebtsWith }) => [...(sharesDebtsWith ?? [])]);
    expect(unreleased).toEqual(both.toReversed().map((batchId) => [batchId]));
    const answers = await Promise.all(
      batches.map((batch, index) => ledger.releaseBatch(batch, { release, unreleased: unreleased[index] ?? [] })),
    );
    expect(answers.toSorted()).toEqual(['changed', 'released']);
    const other = batches[answers.indexOf('changed')];
    if (other === undefined) throw new Error('both passed');
    expect(await ledger.releaseBatch(other, { release, unreleased: [] })).toBe('released');
  });

  it('succeeds beside more batches than a transaction can check', async () => {
    const unreleased = Array.from({ length: 100 }, () => randomUUID());
    expect(await ledger.releaseBatch(await funded(), { release, unreleased })).toBe('released');
  });

  it('does not depend on the order in which these were found', async () => {
    const [one, other, third] = [await funded(), await funded(), await funded()];
    await ledger.noteSharedDebts(one.batchId, [other.batchId, third.batchId]);
    await ledger.noteSharedDebts(one.batchId, [third.batchId, other.batchId]);
    const batch = await ledger.getBatch(one.batchId);
    expect(batch?.sharesDebtsWith).toEqual(new Set([other.batchId, third.batchId]));
    expect(await ledger.releaseBatch(batch ?? one, { release })).toBe('released');
  });
});

it('fails for a batch without planned funding', async () => {
  const { funding: _funding, ...batch } = await funded();
  await expect(ledger.releaseBatch(batch, { release })).rejects.toThrow(InvariantBroken);
});

describe('deciding on a batch', () => {
  const approval = { hash: 'h', findings: [], why: 'request', expiresAt: 't' } as const;

  it('succeeds for one of twenty, with the requested hash', async () => {
    const { batchId } = await funded();
    await ledger.moveBatch(batchId, askApproval, 'system', { approval });
    const other = await ledger.moveBatch(batchId, approve, 'arn:0', { decidingOn: 'another' });
    expect(other).toMatchObject({ kind: 'refused', batch: { status: 'pending_approval' } });
    const answers = await times(20, (index) => ledger.moveBatch(batchId, approve, `arn:${index}`, { decidingOn: 'h' }));
    expect(answers.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
  });

  it('fails once the batch is being canceled', async () => {
    const { batchId } = await funded();
    await ledger.moveBatch(batchId, askApproval, 'system', { approval });
    await ledger.requestCancel(batchId, 'arn:person');
    expect((await ledger.moveBatch(batchId, approve, 'arn:0', { decidingOn: 'h' })).kind).toBe('refused');
  });
});

it.each([
  ['that is not released', [refuseRelease]],
  ['that a person rejects', [askApproval, reject]],
])('frees the file of a batch %s', async (_, transitions) => {
  const file = { key: `uploads/${randomUUID()}.csv`, versionId: 'v1', bytes: 1 };
  const first = await funded(currency(), { file });
  for (const transition of transitions) await ledger.moveBatch(first.batchId, transition, 'system');
  const second = await funded(currency(), { file });
  expect(second.plan).toBeDefined();
});

it('returns money for a pause only while that pause lasts', async () => {
  const of = currency();
  const { batchId } = await funded(of);
  const { batch } = await ledger.moveBatch(batchId, batchTransitions.halt, 'system');
  const read = await ledger.readFunds([of]);
  expect(await ledger.reserve(batchId, read, new Map(), { since: 'another time' })).toBe(false);
  expect(await ledger.reserve(batchId, read, new Map(), { since: batch.statusSince })).toBe(true);
});
