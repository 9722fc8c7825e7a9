import type { Outcome } from '../sandbox/magic-values.ts';
import type { Disbursement, DisbursementStatus } from './disbursement.ts';

interface SettlementTimes {
  readonly minSeconds: number;
  readonly maxSeconds: number;
  readonly waves: number;
  readonly lateSeconds: number;
}

/** One event that happens to a disbursement by itself, some seconds after its creation. */
export type SettlementStep = Readonly<ReturnType<typeof step>>;

const step = (afterSeconds: number, status: DisbursementStatus, activity: string, description: string) => ({
  afterSeconds,
  event: { activity, status, description },
});

type Plans = Readonly<Record<Outcome, readonly SettlementStep[]>>;

/**
 * Spreads the disbursements of a group over the waves by position, so that they do not all settle together. A single wave
 * comes at `minSeconds`.
 */
const waveSeconds = ({ minSeconds, maxSeconds, waves }: SettlementTimes, position: number): number =>
  minSeconds + Math.round(((maxSeconds - minSeconds) * (position % waves)) / Math.max(waves - 1, 1));

const fiatPlans = (at: number, { lateSeconds }: SettlementTimes): Plans => {
  const paid = (seconds: number) => step(seconds, 'completed', 'Transfer completed', 'The bank confirmed the transfer');
  return {
    standard: [paid(at)],
    fail: [step(at, 'failed', 'Transfer failed', 'The bank refused the transfer')],
    // Fiat has no status for a held transfer. It stays pending, and its history says why.
    hold: [step(at, 'pending', 'Held for a check', 'The transfer is held until it is checked')],
    retry: [step(at, 'pending', 'Transfer will be tried again', 'The bank did not answer'), paid(at * 2)],
    cancel: [step(at, 'failed', 'Transfer canceled', 'The bank canceled the transfer')],
    late: [paid(lateSeconds)],
    revert: [paid(at), step(at * 2, 'failed', 'Transfer returned', 'The bank sent the money back')],
    manual: [],
  };
};

const cryptoPlans = (at: number, { lateSeconds, minSeconds: confirmAfter }: SettlementTimes): Plans => {
  const paid = (seconds: number) => [
    step(seconds, 'processed', 'Transaction sent', 'The transaction was sent to the network'),
    step(seconds + confirmAfter, 'completed', 'Transaction confirmed', 'The network confirmed the transaction'),
  ];
  return {
    standard: paid(at),
    fail: [step(at, 'failed', 'Transaction failed', 'The network refused the transaction')],
    hold: [step(at, 'need_check', 'Held for a check', 'The transaction is held until it is checked')],
    retry: [step(at, 'pending_retry', 'Transaction will be tried again', 'The network was busy'), ...paid(at * 2)],
    cancel: [step(at, 'canceled', 'Transaction canceled', 'The transaction was canceled before it was sent')],
    late: paid(lateSeconds),
    revert: [
      ...paid(at),
      step((at + confirmAfter) * 2, 'failed', 'Transaction reverted', 'The network took the transaction back'),
    ],
    manual: [],
  };
};

/** The events that will happen to a disbursement by itself, in order. */
export const settlementPlan = (
  times: SettlementTimes,
  { rail, outcome, position }: Pick<Disbursement, 'rail' | 'outcome' | 'position'>,
): readonly SettlementStep[] => {
  const plans = rail === 'fiat' ? fiatPlans : cryptoPlans;
  return plans(waveSeconds(times, position), times)[outcome];
};

/** The steps that a disbursement should have taken by now but has not. */
export const dueSteps = (
  times: SettlementTimes,
  disbursement: Pick<Disbursement, 'rail' | 'outcome' | 'position' | 'stepsTaken' | 'createdAt'>,
  now: Date,
) => {
  const createdAt = Date.parse(disbursement.createdAt);
  const open = settlementPlan(times, disbursement).slice(disbursement.stepsTaken);
  const moment = (one: SettlementStep): number => createdAt + one.afterSeconds * 1000;
  const next = open.find((one) => moment(one) > now.getTime());
  return {
    due: open.filter((one) => moment(one) <= now.getTime()),
    /** Epoch milliseconds of the next step that is not yet due. Undefined when there is none. */
    nextAt: next === undefined ? undefined : moment(next),
  };
};
