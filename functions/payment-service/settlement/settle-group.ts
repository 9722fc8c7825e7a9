import type { Disbursement } from '../domain/disbursements/disbursement.ts';
import type { StatusChange } from '../domain/disbursements/lifecycle.ts';
import { takeSteps } from '../domain/disbursements/lifecycle.ts';
import type { SettlementTimes } from '../domain/disbursements/settlement-plan.ts';
import { dueSteps } from '../domain/disbursements/settlement-plan.ts';
import type { ChangedStatuses } from '../store/disbursements/change-statuses.ts';
import { changesAtOnce } from '../store/disbursements/change-statuses.ts';
import type { CommittedGroup } from '../store/disbursements/disbursement-item.ts';
import type { WholeGroup } from '../store/disbursements/groups.ts';
import type { GroupMessage } from './message.ts';

/** Longer than any POST can take: a group that is not committed by then never will be. */
const giveUpMilliseconds = 60_000;

/** Steps this close are taken now: another message would cost more than the second is worth. */
const slackMilliseconds = 500;

/** How often a group is decided on anew when others change it at the same time. */
const rounds = 10;

export interface SettlementPorts {
  readonly times: SettlementTimes;
  readonly now: () => Date;
  readonly readWholeGroup: (groupId: string) => Promise<WholeGroup>;
  readonly changeStatuses: (group: CommittedGroup, changes: readonly StatusChange[]) => Promise<ChangedStatuses>;
  /** Finishes what a POST that was cut off left undone. */
  readonly fileValues: (group: CommittedGroup, disbursements: readonly Disbursement[]) => Promise<boolean>;
  readonly clearAway: (accountId: string, groupId: string) => Promise<void>;
  readonly pause: (attempt: number) => Promise<void>;
}

/** The moment (epoch milliseconds) at which to look again; undefined when there is nothing more to do. */
export type NextLook = number | undefined;

const changesDue = (
  ports: SettlementPorts,
  disbursements: readonly Disbursement[],
  now: Date,
): readonly StatusChange[] => {
  const horizon = new Date(now.getTime() + slackMilliseconds);
  return disbursements.flatMap((one) => {
    const change = takeSteps(one, dueSteps(ports.times, one, horizon).due, now);
    return change === undefined ? [] : [change];
  });
};

/** Reckoned from the moment the changes were decided: what became due while they were written is still to be taken. */
const nextLook = (ports: SettlementPorts, disbursements: readonly Disbursement[], decidedAt: Date): NextLook => {
  const horizon = new Date(decidedAt.getTime() + slackMilliseconds);
  const moments = disbursements.flatMap((one) => {
    const { nextAt } = dueSteps(ports.times, one, horizon);
    return nextAt === undefined ? [] : [nextAt];
  });
  return moments.length === 0 ? undefined : Math.min(...moments);
};

/** Writes the changes in as many transactions as they need; false when some were decided on an outdated state. */
const write = async (ports: SettlementPorts, group: CommittedGroup, changes: readonly StatusChange[]) => {
  for (const part of changesAtOnce(changes)) {
    const outcome = await ports.changeStatuses(group, part);
    if (outcome.kind === 'insufficient_balance') throw new Error('a settlement step takes money from a balance');
    if (outcome.kind === 'outdated') return false;
  }
  return true;
};

/**
 * Looks at a group: takes the settlement steps that are due. One that is not committed is looked at again, until it is
 * certain that its POST has ended, and is then cleared away. Looking twice changes nothing twice.
 */
export const settleGroup = async (ports: SettlementPorts, message: GroupMessage): Promise<NextLook> => {
  for (let round = 0; round < rounds; round += 1) {
    const whole = await ports.readWholeGroup(message.groupId);
    if (whole.kind !== 'committed') {
      const certainAt = Date.parse(message.postedAt) + giveUpMilliseconds;
      if (ports.now().getTime() < certainAt) return certainAt;
      await ports.clearAway(message.accountId, message.groupId);
      return undefined;
    }
    if (!(await ports.fileValues(whole.group, whole.disbursements))) throw new Error('the group could not be filed');
    const decidedAt = ports.now();
    if (await write(ports, whole.group, changesDue(ports, whole.disbursements, decidedAt))) {
      return nextLook(ports, whole.disbursements, decidedAt);
    }
    await ports.pause(round);
  }
  throw new Error('the group is changed by others all the time');
};
