import type { Change } from '../activity.ts';
import { setByHand, withLastAt } from '../activity.ts';
import type { Deposit, DepositStatus } from './deposit.ts';

/** A deposit before and after a change. Its ledger entries follow from the two statuses: see `ledger-entries.ts`. */
export type DepositChange = Change<Deposit>;

interface Transition {
  readonly from: readonly DepositStatus[];
  readonly to: DepositStatus;
  readonly activity: string;
  readonly description: string;
}

/**
 * Every move except those of the sandbox update. No status means canceled: a canceled deposit is `expired`, and its
 * history says why.
 */
export const depositTransitions = {
  pay: { from: ['pending'], to: 'completed', activity: 'Deposit paid', description: 'The payment was received' },
  expire: { from: ['pending'], to: 'expired', activity: 'Deposit expired', description: 'No payment came in time' },
  cancel: {
    from: ['pending'],
    to: 'expired',
    activity: 'Deposit canceled',
    description: 'The deposit was canceled and cannot be paid anymore',
  },
} as const satisfies Readonly<Record<string, Transition>>;

export type DepositMove = keyof typeof depositTransitions;

const moved = (
  before: Deposit,
  { to, activity, description }: Omit<Transition, 'from'>,
  at: string,
  outcome = before.outcome,
): DepositChange => ({
  before,
  after: {
    ...before,
    outcome,
    status: to,
    changes: [...before.changes, { activity, status: to, description, updatedAt: at }],
    version: before.version + 1,
    updatedAt: at,
    paidAt: to === 'completed' ? at : undefined,
  },
});

/** The same change at another moment, in ISO 8601 UTC. */
export const atMoment = ({ before, after }: DepositChange, at: string): DepositChange => ({
  before,
  after: {
    ...after,
    changes: withLastAt(after.changes, at),
    updatedAt: at,
    paidAt: after.paidAt === undefined ? undefined : at,
  },
});

/** The sandbox update sets any status. Afterward the deposit no longer moves by itself. */
export const setDepositByHand = (deposit: Deposit, status: DepositStatus, now: Date): DepositChange =>
  moved(deposit, { to: status, ...setByHand }, now.toISOString(), 'manual');

/** Deposits with these outcomes are never overdue: only the worker or a person ends them, however late. */
const neverOverdue: readonly Deposit['outcome'][] = ['autopay', 'manual'];

/**
 * Whether the deposit is still pending after its expiry. Such a deposit cannot be paid, and the next reader expires it.
 */
export const isOverdue = ({ status, outcome, expiredAt }: Deposit, now: Date): boolean =>
  status === 'pending' && !neverOverdue.includes(outcome) && now.getTime() >= Date.parse(expiredAt);

/** Undefined when the deposit cannot make this move. An overdue deposit can only expire. */
export const moveDeposit = (deposit: Deposit, move: DepositMove, now: Date): DepositChange | undefined => {
  const transition: Transition = depositTransitions[move];
  if (!transition.from.includes(deposit.status)) return undefined;
  if (move !== 'expire' && isOverdue(deposit, now)) return undefined;
  return moved(deposit, transition, now.toISOString());
};

/** The moves of the magic references. */
const earlyMoves = { autopay: 'pay', expire: 'expire' } as const;

interface DueMove {
  readonly move: DepositMove;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The deposit's next move by itself. Undefined when there is none. */
export const nextMove = (deposit: Deposit, autopaySeconds: number): DueMove | undefined => {
  const { status, outcome } = deposit;
  if (status !== 'pending' || outcome === 'manual') return undefined;
  const expiry: DueMove = { move: 'expire', at: Date.parse(deposit.expiredAt) };
  const early = Date.parse(deposit.createdAt) + autopaySeconds * 1000;
  return outcome === 'standard' || early >= expiry.at ? expiry : { move: earlyMoves[outcome], at: early };
};
