import type { HistoryEvent } from '@aws-sdk/client-sfn';

/** One attempt of a task, from its scheduling to its end. */
export interface TaskAttempt {
  /** ARN of the function. */
  readonly resource: string;
  readonly scheduled: HistoryEvent;
  readonly ended: HistoryEvent;
  /** JSON; undefined when it failed. */
  readonly output: string | undefined;
}

const isScheduled = /^(LambdaFunction|Task)Scheduled$/;
const isSucceeded = /^(LambdaFunction|Task)Succeeded$/;
const isFailed = /^(LambdaFunction|Task)(Failed|TimedOut)$/;

const resourceOf = (event: HistoryEvent): string | undefined =>
  event.lambdaFunctionScheduledEventDetails?.resource ??
  event.taskScheduledEventDetails?.resource ??
  event.taskSucceededEventDetails?.resource ??
  event.taskFailedEventDetails?.resource ??
  event.taskTimedOutEventDetails?.resource;

/**
 * Every attempt of a task in a history, ordered by their ends. The branches of a Parallel interleave. On AWS each event names the
 * event before it in its branch. The local AWS names the function instead, and no two branches call the same function.
 */
export const taskAttemptsOf = (events: readonly HistoryEvent[]): readonly TaskAttempt[] => {
  const byId = new Map(events.map((event) => [event.id, event]));
  const lastOf = new Map<string, HistoryEvent>();
  const attempts: TaskAttempt[] = [];
  const scheduledOf = (event: HistoryEvent): HistoryEvent | undefined => {
    let before: HistoryEvent | undefined = event;
    while (before !== undefined && !isScheduled.test(before.type ?? '')) {
      before = before.previousEventId === undefined ? undefined : byId.get(before.previousEventId);
    }
    return before ?? lastOf.get(resourceOf(event) ?? '');
  };
  for (const event of events) {
    const type = event.type ?? '';
    if (isScheduled.test(type)) lastOf.set(resourceOf(event) ?? '', event);
    if (!isSucceeded.test(type) && !isFailed.test(type)) continue;
    const scheduled = scheduledOf(event);
    const resource = scheduled === undefined ? undefined : resourceOf(scheduled);
    if (scheduled === undefined || resource === undefined) continue;
    const details = event.lambdaFunctionSucceededEventDetails ?? event.taskSucceededEventDetails;
    const output = isSucceeded.test(type) ? (details?.output ?? '{}') : undefined;
    attempts.push({ resource, scheduled, ended: event, output });
  }
  return attempts;
};
