import { createHash } from 'node:crypto';
import { Money } from '../money/money.ts';
import type { Activity, Disbursement, DisbursementStatus } from './disbursement.ts';
import type { SettlementStep } from './settlement-plan.ts';

/** A disbursement before and after a change, and the amount that the balance gains (negative when it loses). */
export interface StatusChange {
  readonly before: Disbursement;
  readonly after: Disbursement;
  readonly balanceDelta: Money;
}

/** In these statuses, amount and fee are back in the balance. In every other status, the disbursement holds them. */
const returnedStatuses: ReadonlySet<DisbursementStatus> = new Set(['failed', 'canceled']);

export const holdsMoney = (status: DisbursementStatus): boolean => !returnedStatuses.has(status);

/**
 * The amount that a move between two statuses returns to the balance: amount and fee when the disbursement is returned,
 * the opposite when it is taken again, zero otherwise. So a refund happens once, however often a status is set.
 */
const balanceDeltaOf = ({ amount, fee, status }: Disbursement, to: DisbursementStatus): Money => {
  const held = amount.plus(fee);
  if (holdsMoney(status) === holdsMoney(to)) return Money.zero(held.currency);
  return holdsMoney(to) ? held.negated() : held;
};

/** An invented hash in the network's format. It never changes for a disbursement. */
export const transactionHash = ({ disbursementId, rail, amount }: Disbursement): string => {
  const digest = createHash('sha256').update(`${rail}\n${disbursementId}`).digest('hex');
  return amount.currency.endsWith('-tron') ? digest : `0x${digest}`;
};

const sent = (status: DisbursementStatus): boolean => status === 'processed' || status === 'completed';

const moved = (
  before: Disbursement,
  activity: Activity,
  rest: Partial<Pick<Disbursement, 'stepsTaken' | 'outcome'>>,
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

/** Takes several due steps as one change. Undefined when there are none. */
export const takeSteps = (
  disbursement: Disbursement,
  steps: readonly SettlementStep[],
  now: Date,
): StatusChange | undefined => {
  let change: StatusChange | undefined;
  for (const { activity, to, description } of steps) {
    const from = change?.after ?? disbursement;
    const event = { activity, status: to, description, updatedAt: now.toISOString() };
    const next = moved(from, event, { stepsTaken: from.stepsTaken + 1 });
    change = {
      before: disbursement,
      after: { ...next.after, version: disbursement.version + 1 },
      balanceDelta: change === undefined ? next.balanceDelta : change.balanceDelta.plus(next.balanceDelta),
    };
  }
  return change;
};

/** The same change at another moment, in ISO 8601 UTC. Changes are numbered in order of their moments. */
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

/** The sandbox update sets any status of the rail. Afterward the disbursement no longer moves by itself. */
export const setStatusByHand = (disbursement: Disbursement, status: DisbursementStatus, now: Date): StatusChange =>
  moved(
    disbursement,
    {
      activity: 'Status set in the sandbox',
      status,
      description: 'The status was set by a sandbox update',
      updatedAt: now.toISOString(),
    },
    { outcome: 'manual' },
  );
