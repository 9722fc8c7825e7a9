import type { SchedulerClient } from '@aws-sdk/client-scheduler';
import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-scheduler';
import type { Clock } from '../ports/environment.ts';
import type { Schedules } from '../ports/schedules.ts';

export interface SchedulesDependencies {
  readonly scheduler: SchedulerClient;
  /** Name of the group of the stack's schedules. */
  readonly group: string;
  /** ARN of the function that is woken. */
  readonly target: string;
  /** ARN of the role that may wake it. */
  readonly role: string;
  readonly clock: Clock;
}

/** A time that is over may be refused: one that is nearly over is put off by so long. */
const soonMs = 10_000;

/** In seconds, the next whole one: never early. */
const wholeSeconds = (ms: number): string =>
  new Date(Math.ceil(ms / 1000) * 1000).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length);

/** One-time schedules of EventBridge Scheduler, each named for its batch. They are gone once they have run. */
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
        // What fails for longer the watch has started by then.
        RetryPolicy: { MaximumRetryAttempts: 5, MaximumEventAgeInSeconds: 600 },
      },
    });
    await scheduler.send(command).catch(unless(ConflictException));
  },
  forget: async (batchId) => {
    await scheduler
      .send(new DeleteScheduleCommand({ Name: batchId, GroupName: group }))
      .catch(unless(ResourceNotFoundException));
  },
});

/** Its schedule is there already, or gone. */
const unless =
  (kind: typeof ConflictException | typeof ResourceNotFoundException) =>
  (error: unknown): void => {
    if (!(error instanceof kind)) throw error;
  };
