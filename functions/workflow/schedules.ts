import type { SchedulerClient } from '@aws-sdk/client-scheduler';
import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-scheduler';
import { unless } from '../domain/errors.ts';
import type { Clock } from '../ports/environment.ts';
import type { Schedules } from '../ports/schedules.ts';

interface SchedulesDependencies {
  readonly scheduler: SchedulerClient;
  /** Name of the schedule group of this stack. */
  readonly group: string;
  /** ARN of the function to invoke. */
  readonly target: string;
  /** ARN of the role that may invoke it. */
  readonly role: string;
  readonly clock: Clock;
}

/** EventBridge may refuse a time in the past, so a schedule is set at least this many milliseconds ahead. */
const soonMs = 10_000;

/** ISO 8601 without a zone, rounded up to whole seconds so that a schedule never fires early. */
const wholeSeconds = (ms: number): string =>
  new Date(Math.ceil(ms / 1000) * 1000).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length);

/** One-time schedules of EventBridge Scheduler, named by batch id. A schedule deletes itself after it has run. */
export const createSchedules = ({ scheduler, group, target, role, clock }: SchedulesDependencies): Schedules => ({
  wakeAt: async (batchId, atMs, stateMachine) => {
    const command = new CreateScheduleCommand({
      Name: batchId,
      GroupName: group,
      ScheduleExpression: `at(${wholeSeconds(Math.max(atMs, clock() + soonMs))})`,
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'DELETE',
      Target: {
        Arn: target,
        RoleArn: role,
        Input: JSON.stringify({ batchId, stateMachine }),
        // Ten minutes are enough: after that the watch has started the batch.
        RetryPolicy: { MaximumRetryAttempts: 5, MaximumEventAgeInSeconds: 600 },
      },
    });
    // The schedule exists already.
    await scheduler.send(command).catch(unless(ConflictException));
  },
  forget: async (batchId) => {
    await scheduler
      .send(new DeleteScheduleCommand({ Name: batchId, GroupName: group }))
      .catch(unless(ResourceNotFoundException));
  },
});
