import type { Clock } from '../../ports/environment.ts';
import type { Turn } from '../../ports/pace.ts';
import type { Lease } from './schedule.ts';

interface BlockDependencies {
  /** Leases at most `count` slots from the ledger. */
  readonly leaseSlots: (count: number, withinMs: number) => Promise<Lease>;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<unknown>;
  /** The most slots that may be leased before anyone asks for them. */
  readonly mostAhead: number;
  /** Leases spare slots: the ledger grants none until those of the last block have passed. */
  readonly isSpare: boolean;
}

interface Waiter {
  readonly untilMs: number;
  readonly resolve: (turn: Turn | Promise<Turn>) => void;
  readonly reject: (error: unknown) => void;
}

/** An unused slot expires this long after its time. Used later, it would collide with the slots of others. */
const lateMs = 100;
/** A read within this time of the last block's last slot continues a run of reads, so the next block may be larger. */
const runMs = 250;
/** Waiting callers check again after this time at the latest, because one with less time may have joined. */
const longestNapMs = 1000;

/**
 * Turns for the callers in one function instance, from slots leased in blocks. A block covers all callers that wait at that
 * moment. While most of a block is used, the next one is larger, doubling up to `mostAhead`. So a sweep of hundreds of reads
 * writes to the ledger a few dozen times, and a single read leases one slot.
 */
export const createBlocks = ({ leaseSlots, clock, wait, mostAhead, isSpare }: BlockDependencies) => {
  let slots: number[] = [];
  let waiting: Waiter[] = [];
  let ahead = 0;
  /** Slots of the last block, and how many of them passed unused. */
  let leased = 0;
  let unused = 0;
  let lastSlotMs = Number.NEGATIVE_INFINITY;
  /** The ledger has no spare slot before this time. */
  let spareFromMs = Number.NEGATIVE_INFINITY;
  let isServing = false;

  const begin = async (slot: number): Promise<Turn> => {
    const pauseMs = slot - clock();
    if (pauseMs > 0) await wait(pauseMs);
    return { kind: 'now' };
  };

  const dropPassed = (): void => {
    const before = slots.length;
    slots = slots.filter((slot) => slot >= clock() - lateMs);
    unused += before - slots.length;
  };

  /** Gives slots to the callers that have waited longest. */
  const handOut = (): void => {
    const unserved: Waiter[] = [];
    for (const waiter of waiting) {
      const [slot] = slots;
      if (slot === undefined) unserved.push(waiter);
      else if (slot > waiter.untilMs) waiter.resolve({ kind: 'later', waitMs: Math.ceil(slot - clock()) });
      else {
        slots.shift();
        waiter.resolve(begin(slot));
      }
    }
    waiting = unserved;
  };

  /** Waits, except for the callers that have not the time: those are turned away. */
  const waitFor = async (waitMs: number): Promise<void> => {
    const backAtMs = clock() + waitMs;
    for (const waiter of waiting) if (waiter.untilMs < backAtMs) waiter.resolve({ kind: 'later', waitMs });
    waiting = waiting.filter(({ untilMs }) => untilMs >= backAtMs);
    if (waiting.length > 0) await wait(Math.min(waitMs, longestNapMs));
  };

  const fill = async (): Promise<void> => {
    const now = clock();
    if (isSpare && now < spareFromMs) return waitFor(spareFromMs - now);
    const isRun = now - lastSlotMs <= runMs && unused * 2 <= leased;
    ahead = isRun ? Math.min(mostAhead, Math.max(1, ahead * 2)) : 0;
    const withinMs = Math.max(...waiting.map(({ untilMs }) => untilMs)) - now;
    const lease = await leaseSlots(Math.max(waiting.length, ahead), withinMs);
    if (lease.kind === 'granted') {
      slots = [...slots, ...lease.slots];
      leased = lease.slots.length;
      unused = 0;
      lastSlotMs = slots.at(-1) ?? lastSlotMs;
      spareFromMs = lease.schedule.nextAtMs;
      return;
    }
    await waitFor(lease.waitMs);
  };

  const serve = async (): Promise<void> => {
    if (isServing) return;
    isServing = true;
    try {
      while (waiting.length > 0) {
        dropPassed();
        handOut();
        if (waiting.length === 0) break;
        await fill();
        // Handed out before expired ones are dropped: the lease itself may take longer than a slot lasts.
        handOut();
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      waiting = [];
    } finally {
      isServing = false;
    }
  };

  return {
    turn: (withinMs: number): Promise<Turn> =>
      new Promise((resolve, reject) => {
        waiting.push({ untilMs: clock() + withinMs, resolve, reject });
        void serve();
      }),
    /** Discards slots that were leased ahead at the old rate, after the provider throttled us. */
    drop: (): void => {
      slots = [];
      ahead = 0;
    },
  };
};
