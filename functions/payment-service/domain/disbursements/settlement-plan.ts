import type { Rail } from '../money/currencies.ts';
import type { Outcome } from '../sandbox/magic-values.ts';
import type { Disbursement, DisbursementStatus } from './disbursement.ts';

export interface SettlementTimes {
  readonly minSeconds: number;
  readonly maxSeconds: number;
  readonly waves: number;
  readonly lateSeconds: number;
}

/** One thing that happens to a disbursement by itself, so long after its creation. */
export interface SettlementStep {
  readonly afterSeconds: number;
  readonly to: DisbursementStatus;
  readonly activity: string;
  readonly description: string;
}

const step = (afterSeconds: number, to: DisbursementStatus, activity: string, description: string): SettlementStep => ({
  afterSeconds,
  to,
  activity,
  description,
});

/** Disbursements of a group take turns by their place, so that a group does not settle in one moment. */
const waveSeconds = (times: SettlementTimes, position: number): number =>
  times.waves === 1
    ? times.minSeconds
    : times.minSeconds +
      Math.round(((times.maxSeconds - times.minSeconds) * (position % times.waves)) / (times.waves - 1));

const paidFiat = (seconds: number) =>
  step(seconds, 'completed', 'Transfer completed', 'The bank confirmed the transfer');

const paidCrypto = (seconds: number, confirmAfter: number): readonly SettlementStep[] => [
  step(seconds, 'processed', 'Transaction sent', 'The transaction was sent to the network'),
  step(seconds + confirmAfter, 'completed', 'Transaction confirmed', 'The network confirmed the transaction'),
];

const fiatPlan = (outcome: Outcome, seconds: number, lateSeconds: number): readonly SettlementStep[] => {
  switch (outcome) {
    case 'standard':
      return [paidFiat(seconds)];
    case 'fail':
      return [step(seconds, 'failed', 'Transfer failed', 'The bank refused the transfer')];
    case 'hold':
      // The fiat statuses have no word for it, so it stays pending and its history tells why.
      return [step(seconds, 'pending', 'Held for a check', 'The transfer is held until it was checked')];
    case 'retry':
      return [
        step(seconds, 'pending', 'Transfer will be tried again', 'The bank did not answer'),
        paidFiat(seconds * 2),
      ];
    case 'cancel':
      return [step(seconds, 'failed', 'Transfer canceled', 'The bank canceled the transfer')];
    case 'late':
      return [paidFiat(lateSeconds)];
    case 'revert':
      return [paidFiat(seconds), step(seconds * 2, 'failed', 'Transfer returned', 'The bank sent the money back')];
    case 'manual':
      return [];
  }
};

const cryptoPlan = (
  outcome: Outcome,
  seconds: number,
  lateSeconds: number,
  confirm: number,
): readonly SettlementStep[] => {
  switch (outcome) {
    case 'standard':
      return paidCrypto(seconds, confirm);
    case 'fail':
      return [step(seconds, 'failed', 'Transaction failed', 'The network refused the transaction')];
    case 'hold':
      return [step(seconds, 'need_check', 'Held for a check', 'The transaction is held until it was checked')];
    case 'retry':
      return [
        step(seconds, 'pending_retry', 'Transaction will be tried again', 'The network was busy'),
        ...paidCrypto(seconds * 2, confirm),
      ];
    case 'cancel':
      return [step(seconds, 'canceled', 'Transaction canceled', 'The transaction was canceled before it was sent')];
    case 'late':
      return paidCrypto(lateSeconds, confirm);
    case 'revert':
      return [
        ...paidCrypto(seconds, confirm),
        step((seconds + confirm) * 2, 'failed', 'Transaction reverted', 'The network took the transaction back'),
      ];
    case 'manual':
      return [];
  }
};

/** Everything that will happen to a disbursement by itself, in order. */
export const settlementPlan = (
  times: SettlementTimes,
  disbursement: { readonly rail: Rail; readonly outcome: Outcome; readonly position: number },
): readonly SettlementStep[] => {
  const seconds = waveSeconds(times, disbursement.position);
  switch (disbursement.rail) {
    case 'fiat':
      return fiatPlan(disbursement.outcome, seconds, times.lateSeconds);
    case 'crypto':
      return cryptoPlan(disbursement.outcome, seconds, times.lateSeconds, times.minSeconds);
  }
};

export interface DueSteps {
  readonly due: readonly SettlementStep[];
  /** Epoch milliseconds of the next step that is not due yet; undefined when there is none. */
  readonly nextAt: number | undefined;
}

/** The steps a disbursement should have taken by now and has not. */
export const dueSteps = (
  times: SettlementTimes,
  disbursement: Pick<Disbursement, 'rail' | 'outcome' | 'position' | 'stepsTaken' | 'createdAt'>,
  now: Date,
): DueSteps => {
  const createdAt = Date.parse(disbursement.createdAt);
  const open = settlementPlan(times, disbursement).slice(disbursement.stepsTaken);
  const moment = (one: SettlementStep): number => createdAt + one.afterSeconds * 1000;
  const next = open.find((one) => moment(one) > now.getTime());
  return {
    due: open.filter((one) => moment(one) <= now.getTime()),
    nextAt: next === undefined ? undefined : moment(next),
  };
};
