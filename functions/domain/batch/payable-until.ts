import { dayMs, hourMs } from '../durations.ts';
import type { OrchestratorSettings } from '../settings.ts';
import type { Batch } from './batch.ts';
import { msUntilStart } from './start-time.ts';

/** Days in which a planned batch may be paused, beside the hours for its approval and for its funds. */
const openDays = 30;

/**
 * Until when a batch that is planned now may be released or resumed, ISO 8601 UTC. The days count from its start time. A pause
 * may last forever, but a batch's debts are not kept forever for others to find.
 */
export const payableUntil = (
  batch: Pick<Batch, 'startAt'>,
  nowMs: number,
  { approvalHours, fundsWaitHours }: Pick<OrchestratorSettings, 'approvalHours' | 'fundsWaitHours'>,
): string => {
  const waitMs = openDays * dayMs + (approvalHours + fundsWaitHours) * hourMs;
  return new Date(nowMs + msUntilStart(batch, nowMs) + waitMs).toISOString();
};

/**
 * Until when other batches find a batch's debts, ISO 8601 UTC. What it submits last is followed for `followDays`, and counts as
 * paid for the window after that. A payout that is held or quarantined for longer than this is no longer found.
 *
 * @param until its payableUntil
 */
export const debtsKeptUntil = (
  until: string,
  { followDays, duplicateWindowDays }: Pick<OrchestratorSettings, 'followDays' | 'duplicateWindowDays'>,
): string => new Date(Date.parse(until) + (followDays + duplicateWindowDays) * dayMs).toISOString();

/** How long before `payableUntil` a person is reminded of a paused batch. */
const reminderMs = 7 * dayMs;

/**
 * True after the plan's `payableUntil`: soon other batches no longer find this batch's debts, and may pay them too. A plan
 * without that field is never too old: it records no debts, or is from before the field.
 */
export const isTooOldToPay = ({ plan }: Pick<Batch, 'plan'>, nowMs: number): boolean =>
  plan?.payableUntil !== undefined && nowMs > Date.parse(plan.payableUntil);

/**
 * True when a person should be reminded of a paused batch: in the last week in which it can be resumed, and afterward. One that can
 * always be resumed counts from its pause.
 */
export const isPausedForLong = ({ plan, statusSince }: Pick<Batch, 'plan' | 'statusSince'>, nowMs: number): boolean => {
  const until =
    plan?.payableUntil === undefined ? Date.parse(statusSince) + openDays * dayMs : Date.parse(plan.payableUntil);
  return nowMs + reminderMs > until;
};
