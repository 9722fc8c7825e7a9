import { describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../../../functions/domain/batch/chunk.ts';
import type { Payout, Rail } from '../../../../functions/domain/payout/payout.ts';
import { isoNow } from '../../../../functions/ports/environment.ts';
import type { SubmitAnswer } from '../../../../functions/ports/provider.ts';
import { recordCallAnswer } from '../../../../functions/steps/submit/record-call-answer.ts';
import { submitChunk } from '../../../../functions/steps/submit-chunk.ts';
import { idr } from '../../../support/money.ts';
import type { BatchScene } from '../../../support/scenes/batch-scene.ts';
import { batchId, createBatchScene } from '../../../support/scenes/batch-scene.ts';
import { registeredChunk } from '../../../support/scenes/registered-chunk.ts';

/** A claimed call of the whole chunk without an outcome. */
const claimed = async (rail: Rail = 'fiat', rows = 4) => {
  const scene = await createBatchScene({ rail, rows });
  const [file] = scene.files;
  if (file === undefined) throw new Error('no chunk');
  await scene.ledger.registerPayouts(file);
  const wanted = file.payouts.map(({ row }) => row);
  const claimedAt = isoNow(scene.clock);
  await scene.ledger.claimCall({ batchId, chunk: 1, k: 1, rows: wanted, payloadHash: 'h', claimId: 'c', claimedAt });
  const { calls, payouts } = await registeredChunk(scene.ledger, batchId, 1);
  const [call] = calls;
  if (call === undefined) throw new Error('no call');
  const record = (answer: SubmitAnswer, remainingMs = () => 60_000, earlier: readonly CallOutcome[] = []) => {
    const calls = earlier.map((outcome) => ({ ...call, outcome }));
    return recordCallAnswer(scene.dependencies, { call, calls, payouts }, answer, { remainingMs });
  };
  return { scene, record };
};

const answered = (
  scene: BatchScene,
  ...disbursements: readonly Parameters<BatchScene['disbursementOf']>[]
): SubmitAnswer => ({
  kind: 'answered',
  disbursements: disbursements.map((of) => scene.disbursementOf(...of)),
});

const outcome = async (scene: BatchScene) => (await registeredChunk(scene.ledger, batchId, 1)).calls[0]?.outcome;

const statusesOf = (payouts: readonly Payout[]) =>
  payouts.toSorted((one, other) => one.row - other.row).map(({ status }) => status);

describe('an answer', () => {
  it('is returned as stored in the ledger', async () => {
    const { scene, record } = await claimed();
    const all = answered(
      scene,
      ['ref-1'],
      ['ref-2'],
      ['ref-3', { status: 'completed' }],
      ['ref-4', { amount: idr('1') }],
    );
    const { call, payouts } = await record(all);
    expect(call.outcome).toEqual({ kind: 'accepted' });
    expect(statusesOf(payouts)).toEqual(['pending', 'pending', 'completed', 'quarantined']);
    expect(payouts.toSorted((one, other) => one.row - other.row)).toEqual([1, 2, 3, 4].map(scene.payout));
    expect(await outcome(scene)).toEqual({ kind: 'accepted' });
  });

  it.each([
    ['lacks items', [['ref-4'], ['ref-1']], 'items_missing', ['pending', 'unknown', 'unknown', 'pending']],
    [
      'has one unknown item too many',
      [['ref-1'], ['ref-2'], ['ref-3'], ['ref-4'], ['ref-4', { reference: 'another', disbursementId: 'x' }]],
      'items_unexpected',
      ['pending', 'pending', 'pending', 'pending'],
    ],
    [
      'has one twice',
      [['ref-1'], ['ref-2'], ['ref-3'], ['ref-4'], ['ref-4', { disbursementId: 'd-again' }]],
      'items_missing',
      ['pending', 'pending', 'pending', 'pending'],
    ],
  ] as const)(
    'that %s is in doubt as a whole, and each of its items is adopted',
    async (_name, items, cause, expected) => {
      const { scene, record } = await claimed();
      const { call } = await record(
        answered(scene, ...items.map(([reference, changes = {}]): [string, object] => [reference, changes])),
      );
      expect(call.outcome).toEqual({ kind: 'unknown', cause });
      expect(scene.statuses()).toEqual(expected);
    },
  );

  it('reports a second disbursement that it shows, which no lookup of a bank transfer would', async () => {
    const { scene, record } = await claimed();
    await record(answered(scene, ['ref-1'], ['ref-2'], ['ref-2', { disbursementId: 'd-again' }], ['ref-3'], ['ref-4']));
    expect(scene.payout(2)).toMatchObject({
      status: 'pending',
      disbursementId: 'd-ref-2',
      contradictions: [{ code: 'reference_used_twice', disbursementId: 'd-again' }],
    });
    await scene.publishNews();
    expect(scene.alarms).toEqual(['PayoutChangedAfterEnd']);
    expect([1, 3, 4].flatMap((row) => scene.payout(row).contradictions ?? [])).toEqual([]);
  });

  it('quarantines a payout whose disbursement has another amount or destination', async () => {
    const { scene, record } = await claimed();
    await record(
      answered(scene, ['ref-1', { amount: idr('999') }], ['ref-2', { destinationHash: 'other' }], ['ref-3'], ['ref-4']),
    );
    expect(scene.statuses()).toEqual(['quarantined', 'quarantined', 'pending', 'pending']);
    expect(scene.alarms).toEqual(['PayoutQuarantined', 'PayoutQuarantined']);
  });
});

describe('a refused call', () => {
  const refused: SubmitAnswer = { kind: 'rejected', message: 'Payment method not found' };

  it('is confirmed by the list of recent payments, with lookups of its first and matching ones', async () => {
    const { scene, record } = await claimed();
    scene.listed.add(scene.disbursementOf('ref-3'));
    await record(refused);
    expect(scene.listed.asked).toMatchObject({ lists: ['newest all 1'], lookUps: ['ref-1', 'ref-3'] });
    expect(scene.statuses()).toEqual(['ready', 'ready', 'pending', 'ready']);
  });

  const references = ['ref-1', 'ref-2', 'ref-3', 'ref-4'];

  it.each([
    ['the list is not answered', 'fiat', refused, 'list all', []],
    ['a reference is said to be taken', 'fiat', { ...refused, isTaken: true }, '', []],
    ['the batch pauses', 'fiat', { ...refused, isBalanceTooLow: true }, '', []],
    ['an earlier call may have made them', 'fiat', refused, '', [{ kind: 'unknown', cause: 'timeout' }]],
  ] as const)('is confirmed by a lookup of each payout when %s', async (_when, rail, answer, outage, earlier) => {
    const { scene, record } = await claimed(rail);
    scene.listed.ways.fails = (what, about) => `${what} ${about}` === outage;
    await record(answer, undefined, earlier);
    expect(scene.listed.asked.lookUps.toSorted()).toEqual(references);
  });

  it('is left to Follow when a reference may be used twice, because one lookup proves too little', async () => {
    const { scene, record } = await claimed('crypto');
    await record(refused);
    expect(scene.listed.asked).toMatchObject({ lists: [], lookUps: [] });
    expect(scene.statuses()).toEqual(Array(4).fill('submitting'));
  });

  it('rejects its only row, with the provider’s reason, at the second equal refusal', async () => {
    const { scene, record } = await claimed('fiat', 1);
    await record(refused);
    expect(scene.statuses()).toEqual(['ready']);
    scene.answers.push(() => refused);
    await submitChunk(scene.dependencies, scene.inputOf(), scene.invocation);
    expect(scene.payout(1)).toMatchObject({ status: 'rejected', reason: { code: 'provider_rejected' } });
  });

  it('ends no payout by a failed lookup, and stops none of the others', async () => {
    const { scene, record } = await claimed();
    scene.listed.ways.fails = (_what, about) => about === 'all' || about === 'ref-2';
    await record(refused);
    expect(scene.statuses()).toEqual(['ready', 'submitting', 'ready', 'ready']);
  });

  it('leaves no row to Follow that needs no lookup', async () => {
    const { scene, record } = await claimed('fiat', 20);
    let left = 9_000;
    await record(refused, () => (left -= 500));
    expect(scene.listed.asked.lookUps).toEqual(['ref-1']);
    expect(scene.statuses()).toEqual(Array(20).fill('ready'));
  });

  it('leaves rows to Follow when time is short', async () => {
    const { scene, record } = await claimed('fiat', 20);
    scene.listed.ways.fails = (what) => what === 'list';
    let left = 60_000;
    const { payouts } = await record(refused, () => {
      left -= 8_000;
      return left;
    });
    expect(payouts).toHaveLength(20);
    const ready = scene.statuses().filter((status) => status === 'ready').length;
    expect(ready).toBe(scene.listed.asked.lookUps.length);
    expect(ready).toBe(5);
    expect(statusesOf(payouts)).toEqual(scene.statuses());
  });

  it('pauses the batch when the balance is too low, and rejects no row', async () => {
    const { scene, record } = await claimed('fiat', 1);
    await record({ kind: 'rejected', message: 'The purse is empty', isBalanceTooLow: true });
    expect(scene.statuses()).toEqual(['ready']);
    expect(await scene.batch()).toMatchObject({
      status: 'paused',
      resumeTo: 'processing',
      reason: { code: 'insufficient_balance' },
    });
  });
});

describe.each<[string, SubmitAnswer]>([
  ['that the balance is too low', { kind: 'rejected', message: 'The purse is empty', isBalanceTooLow: true }],
  ['that the credentials are refused', { kind: 'halted' }],
])('an answer %s', (_, answer) => {
  it('does not pause a batch that a person has resumed since its call was claimed', async () => {
    const { scene, record } = await claimed('fiat', 1);
    scene.passSeconds(1);
    await scene.pause();
    scene.passSeconds(1);
    await scene.resume();
    await record(answer);
    expect(await scene.batch()).toMatchObject({ status: 'processing' });
    expect(scene.alarms).toEqual([]);
  });

  it('pauses a batch that was resumed before its call was claimed', async () => {
    const scene = await createBatchScene({ rail: 'fiat', rows: 1 });
    await scene.pause();
    scene.passSeconds(1);
    await scene.resume();
    scene.passSeconds(1);
    scene.answers.push(() => answer);
    await submitChunk(scene.dependencies, scene.inputOf(), scene.invocation);
    expect(await scene.batch()).toMatchObject({ status: 'paused', resumeTo: 'processing' });
  });
});

it('an answer is written by the first to record it, and moves no row of a newer claim', async () => {
  const { scene, record } = await claimed('fiat', 2);
  await record({ kind: 'not_sent', cause: 'refused' });
  expect(scene.statuses()).toEqual(['ready', 'ready']);
  scene.answers.push(() => ({ kind: 'unknown', cause: 'timeout' }));
  await submitChunk(scene.dependencies, scene.inputOf(), scene.invocation);
  await record({ kind: 'unknown', cause: 'late' });
  await record({ kind: 'not_sent', cause: 'late' });
  expect(await outcome(scene)).toEqual({ kind: 'not_sent' });
  expect(scene.statuses()).toEqual(['unknown', 'unknown']);
  expect(scene.payout(1).call).toBe(2);
});

it('an answer does not undo the next call’s claim when it is recorded late', async () => {
  const { scene, record } = await claimed('fiat', 2);
  const refused: SubmitAnswer = { kind: 'rejected', message: 'one of them is wrong' };
  let overtaken = false;
  const { provider } = scene.dependencies;
  const { lookUp } = provider;
  provider.lookUp = async (...asked) => {
    if (!overtaken) {
      overtaken = true;
      // During this lookup, other runs record the refusal and submit its rows again, in halves.
      await record(refused);
      scene.answers.push(
        () => ({ kind: 'unknown', cause: 'timeout' }),
        () => ({ kind: 'unknown', cause: 'timeout' }),
      );
      await submitChunk(scene.dependencies, scene.inputOf(), scene.invocation);
    }
    return lookUp(...asked);
  };
  await record(refused);
  expect(scene.posted).toEqual([['ref-1'], ['ref-2']]);
  expect(scene.statuses()).toEqual(['unknown', 'unknown']);
});
