import { createHash } from 'node:crypto';
import { Money } from '../money/money.ts';
import type { Activity, Disbursement, DisbursementStatus } from './disbursement.ts';
import type { SettlementStep } from './settlement-plan.ts';

/** A changed disbursement and what its account's balance gains by the change (negative when it loses). */
export interface StatusChange {
  readonly before: Disbursement;
  readonly after: Disbursement;
  readonly balanceDelta: Money;
}

/** In these statuses amount and fee are back in the balance. Every other status holds them. */
const returnedStatuses: ReadonlySet<DisbursementStatus> = new Set(['failed', 'canceled']);

export const holdsMoney = (status: DisbursementStatus): boolean => !returnedStatuses.has(status);

/**
 * What a move between two statuses gives back: amount and fee when a held disbursement is returned, the opposite when a
 * returned one is taken up again, nothing otherwise. So a refund happens once however often a status is set.
 */
const balanceDeltaOf = (
  disbursement: Pick<Disbursement, 'amount' | 'fee' | 'status'>,
  to: DisbursementStatus,
): Money => {
  const held = disbursement.amount.plus(disbursement.fee);
  if (holdsMoney(disbursement.status) === holdsMoney(to)) return Money.zero(held.currency);
  return holdsMoney(to) ? held.negated() : held;
};

/** A made-up hash that is always the same for a disbursement, in the form of its network. */
export const transactionHash = ({
  disbursementId,
  rail,
  amount,
}: Pick<Disbursement, 'disbursementId' | 'rail' | 'amount'>): string => {
  const digest = createHash('sha256').update(`${rail}\n${disbursementId}`).digest('hex');
  return amount.currency.endsWith('-tron') ? digest : `0x${digest}`;
};

const sent = (status: DisbursementStatus): boolean => status === 'processed' || status === 'completed';

const moved = (
  before: Disbursement,
  activity: Activity,
  rest: Pick<Disbursement, 'stepsTaken' | 'outcome'>,
): StatusChange => {
  const to = activity.status;
  const txHash = before.txHash ?? (before.rail === 'crypto' && sent(to) ? transactionHash(before) : undefined);
  return {
    before,
    balanceDelta: balanceDeltaOf(before, to),
    after: {
      ...before,
      ...rest,
      status: to,
      changes: [...before.changes, activity],
      version: before.version + 1,
      updatedAt: activity.updatedAt,
      completedAt: to === 'completed' ? activity.updatedAt : undefined,
      txHash,
    },
  };
};

/** One step of a disbursement's settlement plan. */
const takeStep = (disbursement: Disbursement, step: SettlementStep, now: Date): StatusChange =>
  moved(
    disbursement,
    { activity: step.activity, status: step.to, description: step.description, updatedAt: now.toISOString() },
    { stepsTaken: disbursement.stepsTaken + 1, outcome: disbursement.outcome },
  );

/** Several steps that fell due at once, as one change. Undefined when there are none. */
export const takeSteps = (
  disbursement: Disbursement,
  steps: readonly SettlementStep[],
  now: Date,
): StatusChange | undefined => {
  let change: StatusChange | undefined;
  for (const step of steps) {
    const next = takeStep(change?.after ?? disbursement, step, now);
    change = {
      before: disbursement,
      after: { ...next.after, version: disbursement.version + 1 },
      balanceDelta: change === undefined ? next.balanceDelta : change.balanceDelta.plus(next.balanceDelta),
    };
  }
  return change;
};

/** The same change at another moment, ISO 8601 UTC: changes are numbered in the order of their moments. */
export const atMoment = (change: StatusChange, at: string): StatusChange => {
  const { after } = change;
  if (after.updatedAt === at) return change;
  const last = after.changes.at(-1);
  return {
    ...change,
    after: {
      ...after,
      changes: last === undefined ? [] : [...after.changes.slice(0, -1), { ...last, updatedAt: at }],
      updatedAt: at,
      completedAt: after.completedAt === undefined ? undefined : at,
    },
  };
};

/** The sandbox status update: any status to any other of the rail. From then on nothing moves by itself. */
export const setStatusByHand = (disbursement: Disbursement, status: DisbursementStatus, now: Date): StatusChange =>
  moved(
    disbursement,
    {
      activity: 'Status set in the sandbox',
      status,
      description: 'The status was set by a sandbox update',
      updatedAt: now.toISOString(),
    },
    { stepsTaken: disbursement.stepsTaken, outcome: 'manual' },
  );
