import { describe, expect, it } from 'vitest';
import type { Batch } from '../../../../functions/domain/batch/batch.ts';
import type { ChunkRecord } from '../../../../functions/domain/batch/chunk.ts';
import { openWorkOf } from '../../../../functions/domain/batch/progress.ts';
import type { FollowState } from '../../../../functions/domain/payout/follow-state.ts';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import type { Decision, Situation } from '../../../../functions/steps/follow/decide-next.ts';
import { decideNext, nextSweepAt } from '../../../../functions/steps/follow/decide-next.ts';
import { fingerprintOf } from '../../../../functions/steps/follow/fingerprint.ts';
import type { Sweep } from '../../../../functions/steps/follow/sweep.ts';
import { beginSweep, unregisteredOf } from '../../../../functions/steps/follow/sweep.ts';
import { tally } from '../../../support/money.ts';
import { exampleBatch, exampleChunk, examplePlan } from '../../../support/scenes/example-batch.ts';
import { sweepStart } from './follow-scene.ts';

const settings = orchestratorSettings().parse({});
const nowMs = Date.parse('2026-11-21T09:00:00.000Z');
const inSeconds = (seconds: number): number => nowMs + seconds * 1000;
const at = (seconds: number): string => new Date(inSeconds(seconds)).toISOString();
const thisRound = '000001#000001';
const lastSweep = settings.sweepsPerExecution;

const chunks = {
  ready: exampleChunk('b-1', { chunk: 1, tallies: { ready: tally(2) } }),
  pending: exampleChunk('b-1', { chunk: 1, tallies: { pending: tally(2) } }),
  inDoubt: exampleChunk('b-1', { chunk: 1, tallies: { unknown: tally(2) } }),
  halfPending: exampleChunk('b-1', { chunk: 1, tallies: { pending: tally(1), failed: tally(1) } }),
  halfReady: exampleChunk('b-1', { chunk: 1, tallies: { ready: tally(1), failed: tally(1) } }),
  halfInDoubt: exampleChunk('b-1', { chunk: 1, tallies: { unknown: tally(1), failed: tally(1) } }),
  ended: exampleChunk('b-1', { chunk: 1, tallies: { failed: tally(2) } }),
};

interface Given {
  readonly record?: ChunkRecord | undefined;
  readonly batch?: Partial<Batch>;
  readonly kept?: Partial<FollowState>;
  readonly sweep?: Partial<Pick<Sweep, 'isSubmitting' | 'isUnanswered' | 'stoppedAt' | 'dueAt'>>;
}

/** A sweep over a batch with one chunk of two rows, whose round is over, and which has submitted an hour ago. */
const situationOf = ({ record, batch: changes = {}, kept = {}, sweep: found = {} }: Given): Situation => {
  const plan = { ...examplePlan('b-1', 1, []), rows: 2, validRows: 2 };
  const batch = exampleBatch('b-1', { plan, ...changes });
  const records = record === undefined ? [] : [record];
  const unregistered = found.isSubmitting === true ? { chunks: [], rows: 0 } : unregisteredOf(plan, records);
  const before = { batchId: 'b-1', version: 1, round: thisRound, roundSince: at(-3600), ...kept };
  const start = sweepStart({ batch, kept: before, thisRound, unregistered });
  const sweep = { ...beginSweep(nowMs, start, records, { remainingMs: () => 900_000 }), ...found };
  return { sweep, batch, openWork: openWorkOf(records, unregistered.rows, nowMs, settings) };
};

const incomplete = { stoppedAt: new Map([['fiat', 1] as const]) };
const unchanged = (record: ChunkRecord): Partial<FollowState> => ({ fingerprint: fingerprintOf([record]) });
const waiting = { leftRound: thisRound, left: 2, idleRounds: 1, submitAfter: at(20) };

/** Rows that are not with the provider yet have been registered for a day, and nothing has changed since the last sweep. */
const aDayLate = (half: ChunkRecord, changes: Given = {}): Given => {
  const record = { ...half, registeredAt: at(-86_400) };
  const batch = { statusSince: at(-86_400), ...changes.batch };
  return { ...changes, record, batch, kept: { ...unchanged(record), ...waiting, ...changes.kept } };
};

describe('the step after a sweep', () => {
  it.each<[string, Given, Decision['next']]>([
    ['waits while payouts are with the provider', { record: chunks.pending }, 'wait'],
    ['waits while payouts are in doubt', { record: chunks.inDoubt }, 'wait'],
    ['reports when nothing is open', { record: chunks.ended }, 'report'],
    ['submits ready rows', { record: chunks.ready }, 'submit'],
    ['submits rows that no child registered', {}, 'submit'],
    ['waits for the end of a round', { sweep: { isSubmitting: true } }, 'wait'],
    [
      'waits for the end of a round, also with ready rows',
      { record: chunks.ready, sweep: { isSubmitting: true } },
      'wait',
    ],
    ['waits after a round without effect', { record: chunks.ready, kept: waiting }, 'wait'],
    ['submits nothing while paused', { record: chunks.ready, batch: { status: 'paused' } }, 'wait'],
    [
      'submits ready rows of a canceled batch, to cancel them',
      { record: chunks.ready, batch: { status: 'paused', cancelRequestedAt: at(-5) } },
      'submit',
    ],
    ['goes on with an incomplete sweep', { record: chunks.pending, sweep: incomplete }, 'go_on'],
    ['submits before it goes on', { record: chunks.ready, sweep: incomplete }, 'submit'],
    ['goes on in the wait for a round', { record: chunks.ready, kept: waiting, sweep: incomplete }, 'go_on'],
    [
      'reports so far once nothing changes',
      { record: chunks.halfPending, kept: unchanged(chunks.halfPending) },
      'report_interim',
    ],
    ['does not report so far while something changes', { record: chunks.halfPending }, 'wait'],
    [
      'does not report so far before a payout has ended',
      { record: chunks.pending, kept: unchanged(chunks.pending) },
      'wait',
    ],
    [
      'does not report the same twice',
      {
        record: chunks.halfPending,
        kept: { ...unchanged(chunks.halfPending), interimOf: fingerprintOf([chunks.halfPending]) },
      },
      'wait',
    ],
    [
      'reports so far at growing intervals',
      { record: chunks.halfPending, kept: { ...unchanged(chunks.halfPending), interimAt: at(-359) } },
      'wait',
    ],
    [
      'reports so far again after a tenth of the time since submitting',
      { record: chunks.halfPending, kept: { ...unchanged(chunks.halfPending), interimAt: at(-360) } },
      'report_interim',
    ],
    [
      'does not report so far while rows are in doubt',
      { record: chunks.halfInDoubt, kept: unchanged(chunks.halfInDoubt) },
      'wait',
    ],
    ['reports so far once rows are in doubt for too long', aDayLate(chunks.halfInDoubt), 'report_interim'],
    [
      'reports so far once rows of a paused batch are in doubt for too long',
      aDayLate(chunks.halfInDoubt, { batch: { status: 'paused' } }),
      'report_interim',
    ],
    [
      'does not report so far while ready rows wait for a round',
      { record: chunks.halfReady, kept: { ...unchanged(chunks.halfReady), ...waiting } },
      'wait',
    ],
    ['reports so far once rows wait too long for rounds', aDayLate(chunks.halfReady), 'report_interim'],
    ['submits late rows when a round is due', aDayLate(chunks.halfReady, { kept: { submitAfter: at(0) } }), 'submit'],
    [
      'goes on with an incomplete sweep before it reports so far on late rows',
      aDayLate(chunks.halfReady, { sweep: incomplete }),
      'go_on',
    ],
    [
      'reports so far on late rows between two incomplete sweeps',
      aDayLate(chunks.halfReady, { kept: { cursors: { fiat: 1 } }, sweep: incomplete }),
      'report_interim',
    ],
    [
      'does not end a batch while a sweep is incomplete',
      { record: chunks.ended, kept: { cursors: { fiat: 1 } }, sweep: incomplete },
      'go_on',
    ],
    [
      'reports so far on late rows at growing intervals, however often they go out again',
      aDayLate(chunks.halfReady, { kept: { interimAt: at(-8639) } }),
      'wait',
    ],
  ])('%s', (_case, given, next) => {
    expect(decideNext(settings, { round: 1, sweeps: 3 }, situationOf(given)).next).toBe(next);
  });

  it('keeps when the next round is due while it reports so far', () => {
    const { kept = {}, ...given } = aDayLate(chunks.halfReady);
    const { fingerprint: interimOf } = kept;
    expect(decideNext(settings, { round: 1, sweeps: 3 }, situationOf({ ...given, kept }))).toEqual({
      next: 'report_interim',
      state: { ...waiting, left: 1, interimOf, interimAt: at(0) },
      dueAt: inSeconds(20),
    });
  });

  it.each<[string, Given, Decision['next']]>([
    ['hands over while something is open', { record: chunks.pending }, 'hand_over'],
    ['hands over instead of submitting', { record: chunks.ready }, 'hand_over'],
    ['hands over during a round', { record: chunks.ended, sweep: { isSubmitting: true } }, 'hand_over'],
    ['hands over an incomplete sweep', { record: chunks.ended, sweep: incomplete }, 'hand_over'],
    ['reports when nothing is open', { record: chunks.ended }, 'report'],
  ])('%s when the history of the execution is full', (_case, given, next) => {
    expect(decideNext(settings, { round: 1, sweeps: lastSweep }, situationOf(given)).next).toBe(next);
  });

  it.each([
    ['fewer rows than the last', 3, 0, 0],
    ['as many rows as the last', 2, 1, settings.pollFirstSeconds],
  ])('notes a round that leaves %s', (_case, left, idleRounds, waitSeconds) => {
    const situation = situationOf({ record: chunks.ready, kept: { leftRound: '000001#000000', left } });
    const { state } = decideNext(settings, { round: 1, sweeps: 3 }, situation);
    expect(state).toEqual({ leftRound: thisRound, left: 2, idleRounds, submitAfter: at(waitSeconds) });
  });
});

describe('the next sweep', () => {
  const paused = { status: 'paused' } as const;

  it.each<[string, Given, Partial<Decision>, pollAt: number, seconds: number]>([
    ['begins when it is due', { record: chunks.pending }, {}, 300, 300],
    ['begins when something is due earlier', { sweep: { dueAt: inSeconds(7) } }, {}, 300, 7],
    ['begins when a round is due earlier', {}, { dueAt: inSeconds(8) }, 300, 8],
    ['begins no later for something due later', {}, { dueAt: inSeconds(900) }, 300, 300],
    ['asks again soon what stayed unanswered', { kept: { unanswered: 1 }, sweep: { isUnanswered: true } }, {}, 300, 10],
    ['does not hurry once everything is answered', { kept: { unanswered: 1 } }, {}, 300, 300],
    ['comes after at least a second', {}, {}, -1, 1],
    ['is rare while the batch is paused', { batch: paused }, {}, 5, settings.pausedRecheckSeconds],
    [
      'is not rare while a paused batch has payouts with the provider',
      { batch: paused, record: chunks.pending },
      {},
      5,
      5,
    ],
  ])('%s', (_case, given, decided, pollAt, seconds) => {
    const decision = { next: 'wait', ...decided } as const;
    expect(nextSweepAt(settings, situationOf(given), decision, inSeconds(pollAt))).toBe(inSeconds(seconds));
  });
});
