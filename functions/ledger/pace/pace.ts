import { setTimeout as inRealTime } from 'node:timers/promises';
import { given } from '../../domain/given.ts';
import type { Count, Log } from '../../ports/environment.ts';
import type { Pace, PaceAnswer, PaceState, RequestKind, Turn, TurnKind, TurnRequest } from '../../ports/pace.ts';
import { requestKinds } from '../../ports/pace.ts';
import type { LedgerDependencies } from '../table/store.ts';
import type { Change } from './pace-item.ts';
import { createPaceItems } from './pace-item.ts';
import { createBlocks } from './pace-reads.ts';
import { answered, perSecondAt, throttled, unanswered } from './rate.ts';
import type { Lease, Schedule } from './schedule.ts';
import { lease, queuedMs } from './schedule.ts';

interface PaceDependencies extends LedgerDependencies {
  /** Requests per second of each kind. 0 sets no limit, and then the ledger is neither read nor written. */
  readonly limits: Readonly<Record<RequestKind, number>>;
  readonly log: Pick<Log, 'warn'>;
  readonly count: Count;
}

type NoAnswer = Exclude<PaceAnswer, { readonly kind: 'answered' }>;

/** The most slots in one lease. */
const mostAtOnce = 25;
/** Reads may be leased ahead for at most half a second. That much is lost when a sweep ends. */
const aheadSeconds = 0.5;
/**
 * After waiting this long, a POST checks whether the provider has blocked everyone meanwhile. A 429 would leave the call in
 * doubt.
 */
const lookAgainAfterMs = 250;
/** Time limit in ms for reporting an answer within a request. */
const reportWithinMs = 1000;
/** Wait after losing every attempt to others: half a second to a second. */
const crowdedMs = 500;

/** The pace, stored as one ledger item per kind of turn. See schedule.ts for the rules. */
export const createPace = ({ limits: ofRequests, log, count, ...dependencies }: PaceDependencies): Pace => {
  const limits: Readonly<Record<TurnKind, number>> = { ...ofRequests, register: ofRequests.post };
  const { clock, random, ids, wait = inRealTime } = dependencies;
  const items = createPaceItems({ ...dependencies, wait });
  const instance = ids.unique().slice(0, 8);
  /** Kinds with answers not yet reported to the ledger. They go with the next write, so that success costs no write. */
  const unreported = new Set<TurnKind>();

  const withAnswers = (kind: TurnKind, schedule: Schedule, hasAnswers: boolean): Schedule =>
    hasAnswers ? { ...schedule, rate: answered(schedule.rate, limits[kind], clock(), kind) } : schedule;

  const leaseSlots = async (
    kind: TurnKind,
    asker: string,
    slots: number,
    { withinMs, isSpare = false }: TurnRequest,
  ): Promise<Lease> => {
    const hasAnswers = unreported.delete(kind);
    const wanted = { asker, count: Math.min(slots, mostAtOnce), withinMs, isSpare };
    const change = await items.change(kind, (current): Change<Lease> => {
      const schedule = withAnswers(kind, current, hasAnswers);
      const answer = lease(schedule, limits[kind], { ...wanted, nowMs: clock() });
      return { answer, ...given({ schedule: answer.schedule }) };
    });
    if (hasAnswers && change?.schedule === undefined) unreported.add(kind);
    return change ?? { kind: 'later', waitMs: Math.ceil(crowdedMs * (1 + random())) };
  };

  const blocksOf = (isSpare: boolean) =>
    createBlocks({
      leaseSlots: (slots, withinMs) => leaseSlots('read', instance, slots, { withinMs, isSpare }),
      clock,
      wait,
      mostAhead: Math.min(mostAtOnce, Math.floor(limits.read * aheadSeconds)),
      isSpare,
    });
  const reads = blocksOf(false);
  const spareReads = blocksOf(true);

  /** Milliseconds for which the provider still blocks everyone. Not positive when it does not. */
  const pauseLeftMs = async (kind: TurnKind): Promise<number> =>
    ((await items.read(kind)).rate.blockedUntilMs ?? 0) - clock();

  /** One slot for one POST or chunk registration. Leased singly, not in blocks: each counts for its batch's share. */
  const turnToWrite = async (
    kind: Exclude<TurnKind, 'read'>,
    { batchId = instance, withinMs, isSpare = false }: TurnRequest,
  ): Promise<Turn> => {
    const untilMs = clock() + withinMs;
    for (;;) {
      const leased = await leaseSlots(kind, batchId, 1, { withinMs: untilMs - clock(), isSpare });
      const pauseMs = leased.kind === 'later' ? leased.waitMs : (leased.slots[0] ?? 0) - clock();
      if (leased.kind === 'later' && clock() + pauseMs > untilMs) return leased;
      if (pauseMs > 0) await wait(pauseMs);
      if (leased.kind === 'granted' && (pauseMs < lookAgainAfterMs || (await pauseLeftMs(kind)) <= 0))
        return { kind: 'now' };
      // Asks again: the wait for a slot is over, or the provider demanded a pause meanwhile and this slot lapses.
    }
  };

  const slowDown = async (kind: RequestKind, answer: NoAnswer): Promise<void> => {
    const hasAnswers = unreported.delete(kind);
    try {
      const change = await items.change(kind, (current) => {
        const before = withAnswers(kind, current, hasAnswers);
        const [limit, now] = [limits[kind], clock()];
        const rate =
          answer.kind === 'throttled'
            ? throttled(before.rate, limit, now, answer.retryAfterMs)
            : unanswered(before.rate, limit, now);
        const perSecond = perSecondAt(rate, limit, now);
        const isSlower = perSecond !== perSecondAt(before.rate, limit, now);
        const blockedMs = Math.max(0, (rate.blockedUntilMs ?? 0) - now);
        return { answer: { isSlower, perSecond, blockedMs }, schedule: { ...before, rate } };
      });
      if (change === undefined) return;
      const { isSlower, ...slowed } = change;
      if (isSlower || answer.kind === 'throttled')
        log.warn('provider.slowed_down', { kind, answer: answer.kind, ...slowed });
    } catch {
      // The request itself has its answer. The next such answer will report again.
      log.warn('provider.slow_down_untold', { kind, answer: answer.kind });
    }
  };

  const report: Pace['report'] = async (kind, answer) => {
    if (limits[kind] === 0) return;
    if (answer.kind === 'answered') {
      unreported.add(kind);
      return;
    }
    if (answer.kind === 'throttled') {
      count('ProviderThrottled');
      if (kind === 'read') for (const blocks of [reads, spareReads]) blocks.drop();
    }
    await Promise.race([slowDown(kind, answer), wait(reportWithinMs)]);
  };

  const turn: Pace['turn'] = async (kind, request) => {
    if (limits[kind] === 0) return { kind: 'now' };
    if (kind === 'read') return (request.isSpare ? spareReads : reads).turn(request.withinMs);
    return turnToWrite(kind, request);
  };

  const waitOutPause: Pace['waitOutPause'] = async (kind, withinMs) => {
    if (limits[kind] === 0) return false;
    const pauseMs = await pauseLeftMs(kind);
    if (pauseMs <= 0 || pauseMs > withinMs) return false;
    await wait(pauseMs);
    return true;
  };

  const stateOf = async (kind: RequestKind): Promise<PaceState> => {
    const limitPerSecond = limits[kind];
    if (limitPerSecond === 0) return { kind, limitPerSecond, perSecond: 0, queuedMs: 0 };
    const schedule = await items.read(kind);
    const now = clock();
    const { blockedUntilMs = 0 } = schedule.rate;
    return {
      kind,
      limitPerSecond,
      perSecond: perSecondAt(schedule.rate, limitPerSecond, now),
      queuedMs: queuedMs(schedule, now),
      ...(blockedUntilMs > now ? { blockedUntil: new Date(blockedUntilMs).toISOString() } : {}),
    };
  };

  return { turn, waitOutPause, report, state: () => Promise.all(requestKinds.map(stateOf)) };
};
