import type { Disbursement } from '../domain/disbursements/disbursement.ts';
import type { StatusChange } from '../domain/disbursements/lifecycle.ts';
import { takeSteps } from '../domain/disbursements/lifecycle.ts';
import { dueSteps } from '../domain/disbursements/settlement-plan.ts';
import type { Context } from '../store/context.ts';
import { clearAwayGroup } from '../store/disbursements/abandon-group.ts';
import { changeStatuses, splitChanges } from '../store/disbursements/change-statuses.ts';
import type { CommittedGroup } from '../store/disbursements/disbursement-item.ts';
import { indexValues } from '../store/disbursements/index-values.ts';
import { readWholeGroup } from '../store/disbursements/read-group.ts';
import { retryConflicts } from '../store/retry.ts';
import type { GroupMessage } from '../store/settlement-queue.ts';
import type { NextLook } from './next-look.ts';
import { remainingPostTime } from './next-look.ts';

/** Steps that are due within this time are taken now. Half a second is not worth another message. */
const slackMilliseconds = 500;

/** How often the changes are decided again when other requests keep changing the group. */
const rounds = 10;

/** The changes that are due, and when the next one is. Steps that become due during the writes remain to be taken. */
const decide = ({ settings }: Context, disbursements: readonly Disbursement[], now: Date) => {
  const horizon = new Date(now.getTime() + slackMilliseconds);
  const open = disbursements.map((one) => ({ one, ...dueSteps(settings.settlement, one, horizon) }));
  const moments = open.flatMap(({ nextAt }) => nextAt ?? []);
  return {
    changes: open.flatMap(({ one, due }) => takeSteps(one, due, now) ?? []),
    next: moments.length === 0 ? undefined : Math.min(...moments),
  };
};

/** Writes the changes in as few transactions as fit. False when one of them is outdated: see `changeStatuses`. */
const write = async (context: Context, group: CommittedGroup, changes: readonly StatusChange[]): Promise<boolean> => {
  for (const part of splitChanges(changes)) {
    const outcome = await changeStatuses(context, group, part, context.settings.webhooks.everyChange);
    if (outcome === 'insufficient_balance') throw new Error('a settlement step takes money from a balance');
    if (outcome === 'outdated') return false;
  }
  return true;
};

/**
 * Takes a group's due settlement steps. A group that is not committed waits until its POST has surely ended, and is
 * then deleted. Safe to run twice.
 *
 * @throws Error when other requests keep changing the group, or it cannot be indexed. The queue then delivers the message again
 */
export const settleGroup = async (context: Context, { groupId, postedAt }: GroupMessage): Promise<NextLook> => {
  const outcome = await retryConflicts(
    context,
    async (): Promise<{ readonly next: NextLook } | 'again'> => {
      const whole = await readWholeGroup(context.table, groupId);
      if (whole === undefined) {
        const remaining = remainingPostTime(context, postedAt);
        if (remaining > 0) return { next: context.now().getTime() + remaining };
        await clearAwayGroup(context, groupId);
        return { next: undefined };
      }
      // Completes a POST that was interrupted.
      const { group, disbursements } = whole;
      if (!(await indexValues(context, group, disbursements))) throw new Error('the group could not be indexed');
      const { changes, next } = decide(context, disbursements, context.now());
      return (await write(context, group, changes)) ? { next } : 'again';
    },
    rounds,
  );
  if (outcome === undefined) throw new Error('other requests keep changing the group');
  return outcome.next;
};
