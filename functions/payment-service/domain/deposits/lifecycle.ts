import type { Change } from '../activity.ts';
import { setByHand, withLastAt } from '../activity.ts';
import type { Deposit, DepositStatus } from './deposit.ts';

/** A deposit before and after a change. Its ledger entries follow from the two statuses: see `ledger-entries.ts`. */
export type DepositChange = Change<Deposit>;

type DepositEvent = Omit<Deposit['changes'][number], 'updatedAt'>;

/**
 * Every move except those of the sandbox update, with its event. Only a pending deposit moves. No status means canceled: a
 * canceled deposit is `expired`, and its history says why.
 */
export const depositTransitions = {
  pay: { status: 'completed', activity: 'Deposit paid', description: 'The payment was received' },
  expire: { status: 'expired', activity: 'Deposit expired', description: 'No payment came in time' },
  cancel: {
    status: 'expired',
    activity: 'Deposit canceled',
    description: 'The deposit was canceled and cannot be paid anymore',
  },
} as const satisfies Readonly<Record<string, DepositEvent>>;

export type DepositMove = keyof typeof depositTransitions;

const moved = (before: Deposit, event: DepositEvent, at: string, outcome = before.outcome): DepositChange => ({
  before,
  after: {
    ...before,
    outcome,
    status: event.status,
    changes: [...before.changes, { ...event, updatedAt: at }],
    version: before.version + 1,
    updatedAt: at,
    paidAt: event.status === 'completed' ? at : undefined,
  },
});

/** The same change at another moment, in ISO 8601 UTC. */
export const atMoment = ({ before, after }: DepositChange, at: string): DepositChange => ({
  before,
  after: { ...after, ...withLastAt(after.changes, at), paidAt: after.paidAt && at },
});

/** The sandbox update sets any status. Afterward the deposit no longer moves by itself. */
export const setDepositByHand = (deposit: Deposit, status: DepositStatus, now: Date): DepositChange =>
  moved(deposit, { status, ...setByHand }, now.toISOString(), 'manual');

/** Deposits with these outcomes are never overdue: only the worker or a person ends them, however late. */
const neverOverdue: readonly Deposit['outcome'][] = ['autopay', 'manual'];

/**
 * Whether the deposit is still pending after its expiry. Such a deposit cannot be paid, and the next reader expires it.
 */
export const isOverdue = ({ status, outcome, expiredAt }: Deposit, now: Date): boolean =>
  status === 'pending' && !neverOverdue.includes(outcome) && now.getTime() >= Date.parse(expiredAt);

/** Undefined when the deposit cannot make this move. An overdue deposit can only expire. */
export const moveDeposit = (deposit: Deposit, move: DepositMove, now: Date): DepositChange | undefined => {
  if (deposit.status !== 'pending') return undefined;
  if (move !== 'expire' && isOverdue(deposit, now)) return undefined;
  return moved(deposit, depositTransitions[move], now.toISOString());
};

/** The moves of the magic references. */
const earlyMoves = { autopay: 'pay', expire: 'expire' } as const;

/** The deposit's next move by itself, with its moment in epoch milliseconds. Undefined when there is none. */
export const nextMove = (deposit: Deposit, autopaySeconds: number) => {
  const { status, outcome } = deposit;
  if (status !== 'pending' || outcome === 'manual') return undefined;
  const expiry = { move: 'expire', at: Date.parse(deposit.expiredAt) } as const;
  const early = Date.parse(deposit.createdAt) + autopaySeconds * 1000;
  return outcome === 'standard' || early >= expiry.at ? expiry : { move: earlyMoves[outcome], at: early };
};
