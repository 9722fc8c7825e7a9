import { hash } from 'node:crypto';
import type { Change } from '../activity.ts';
import { setByHand, withLastAt } from '../activity.ts';
import { Money } from '../money/money.ts';
import type { Activity, Disbursement, DisbursementStatus } from './disbursement.ts';
import type { SettlementStep } from './settlement-plan.ts';

/** A disbursement before and after a change. What it moves follows from the two statuses: see `returnedBy`. */
export type StatusChange = Change<Disbursement>;

/** In these statuses, amount and fee are back in the balance. In every other status, the disbursement holds them. */
const returnedStatuses: ReadonlySet<DisbursementStatus> = new Set(['failed', 'canceled']);

export const holdsMoney = (status: DisbursementStatus): boolean => !returnedStatuses.has(status);

export const movesMoney = ({ before, after }: StatusChange): boolean =>
  holdsMoney(before.status) !== holdsMoney(after.status);

/**
 * The amount or the fee that a change returns to the balance: negative when the disbursement takes it again, zero when no
 * money moves. So a refund happens once, however often a status is set.
 */
export const returnedBy = (change: StatusChange, part: 'amount' | 'fee'): Money => {
  const { before } = change;
  if (!movesMoney(change)) return Money.zero(before.amount.currency);
  return holdsMoney(before.status) ? before[part] : before[part].negated();
};

/** An invented hash in the network's format. It never changes for a disbursement. */
export const transactionHash = ({ disbursementId, rail, amount }: Disbursement): string => {
  const digest = hash('sha256', `${rail}\n${disbursementId}`);
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
  if (steps.length === 0) return undefined;
  let after = disbursement;
  for (const { event } of steps) {
    ({ after } = moved(after, { ...event, updatedAt: now.toISOString() }, { stepsTaken: after.stepsTaken + 1 }));
  }
  return { before: disbursement, after: { ...after, version: disbursement.version + 1 } };
};

/** The same change at another moment, in ISO 8601 UTC. Changes are numbered in order of their moments. */
export const atMoment = ({ before, after }: StatusChange, at: string): StatusChange => ({
  before,
  after: { ...after, ...withLastAt(after.changes, at), completedAt: after.completedAt && at },
});

/** The sandbox update sets any status of the rail. Afterward the disbursement no longer moves by itself. */
export const setStatusByHand = (disbursement: Disbursement, status: DisbursementStatus, now: Date): StatusChange =>
  moved(disbursement, { ...setByHand, status, updatedAt: now.toISOString() }, { outcome: 'manual' });
