import type { HistoryEvent } from '@aws-sdk/client-sfn';

/** One try of a task, from when it was scheduled to its end. */
export interface TaskTry {
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
 * Every try of a task in a history, in the order of their ends. Branches of a Parallel do theirs at the same time. AWS names
 * with each event the one before it in its branch; the local AWS names the function, and no branch calls that of another.
 */
export const taskTriesOf = (events: readonly HistoryEvent[]): readonly TaskTry[] => {
  const byId = new Map(events.map((event) => [event.id, event]));
  const lastOf = new Map<string, HistoryEvent>();
  const tries: TaskTry[] = [];
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
    tries.push({ resource, scheduled, ended: event, output });
  }
  return tries;
};
