import type { Deposit, DepositStatus } from './deposit.ts';

/** A changed deposit. What it moves of the ledger follows from the two statuses: see entries.ts. */
export interface DepositChange {
  readonly before: Deposit;
  readonly after: Deposit;
}

interface Transition {
  readonly from: readonly DepositStatus[];
  readonly to: DepositStatus;
  readonly activity: string;
  readonly description: string;
}

/** Every move but those of the sandbox update. The statuses have no word for a cancelled deposit: its history tells. */
export const depositTransitions = {
  pay: { from: ['pending'], to: 'completed', activity: 'Deposit paid', description: 'The payment was received' },
  expire: { from: ['pending'], to: 'expired', activity: 'Deposit expired', description: 'No payment came in time' },
  cancel: {
    from: ['pending'],
    to: 'expired',
    activity: 'Deposit cancelled',
    description: 'The deposit was cancelled and cannot be paid any more',
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

/** The sandbox status update: any status to any other. From then on nothing moves by itself. */
export const setDepositByHand = (deposit: Deposit, status: DepositStatus, now: Date): DepositChange =>
  moved(
    deposit,
    {
      to: status,
      activity: 'Status set in the sandbox',
      description: 'The status was set by a sandbox update',
    },
    now.toISOString(),
    'manual',
  );

/** Past its time and not moved yet. Nobody may pay it from then on; whoever meets it moves it. */
export const isOverdue = (deposit: Deposit, now: Date): boolean =>
  deposit.status === 'pending' && deposit.outcome !== 'manual' && now.getTime() >= Date.parse(deposit.expiredAt);

/** Undefined when the deposit cannot make this move any more: one past its time can only expire. */
export const moveDeposit = (deposit: Deposit, move: DepositMove, now: Date): DepositChange | undefined => {
  const transition: Transition = depositTransitions[move];
  if (!transition.from.includes(deposit.status)) return undefined;
  if (move !== 'expire' && isOverdue(deposit, now)) return undefined;
  return moved(deposit, transition, now.toISOString());
};

export interface DueMove {
  readonly move: DepositMove;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What will happen to a deposit by itself, and when; undefined when nothing will. */
export const nextMove = (deposit: Deposit, autopaySeconds: number): DueMove | undefined => {
  if (deposit.status !== 'pending' || deposit.outcome === 'manual') return undefined;
  const expiry: DueMove = { move: 'expire', at: Date.parse(deposit.expiredAt) };
  const early = Date.parse(deposit.createdAt) + autopaySeconds * 1000;
  if (early >= expiry.at) return expiry;
  switch (deposit.outcome) {
    case 'standard':
      return expiry;
    case 'autopay':
      return { move: 'pay', at: early };
    case 'expire':
      return { move: 'expire', at: early };
  }
};
