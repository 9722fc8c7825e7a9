import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import type { NodeFunction } from './node-function.ts';

/** A function that runs by the clock. */
export interface Woken {
  readonly woken: NodeFunction;
  readonly everyMinutes: number;
}

/**
 * Invokes a function every so many minutes. A failed run is not retried, because the next one does the same: by default Lambda
 * would repeat it twice, beside the next one. A throttled invocation waits for a minute at most.
 */
export const wakeRegularly = (
  scope: Construct,
  id: string,
  woken: NodeFunction,
  { everyMinutes, description }: { readonly everyMinutes: number; readonly description: string },
): Woken => {
  woken.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
  new Rule(scope, id, {
    description,
    schedule: Schedule.rate(Duration.minutes(everyMinutes)),
    targets: [new LambdaFunction(woken, { retryAttempts: 0 })],
  });
  return { woken, everyMinutes };
};
