import type { Ended } from '../process.ts';

export interface Failure {
  readonly Error: string;
  readonly Cause: string;
}

/** How a state ended. `next` is the choice of a Choice. */
export type Outcome =
  | { readonly kind: 'output'; readonly output: unknown; readonly next?: string }
  | { readonly kind: 'error'; readonly failure: Failure };

export const failedBy = (name: string, cause = ''): Outcome => ({
  kind: 'error',
  failure: { Error: name, Cause: cause },
});

/** Data passes from state to state as JSON. */
export const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

const gone = { crashed: 'Runtime.ExitError', out_of_time: 'Sandbox.Timedout' } as const;

/** A Task's outcome, given how its function ended. */
export const outcomeOf = (ended: Ended<unknown>): Outcome => {
  switch (ended.kind) {
    case 'answered':
      return { kind: 'output', output: throughJson(ended.value) };
    case 'failed':
      return ended.error instanceof Error ? failedBy(ended.error.name, ended.error.message) : failedBy('Error');
    case 'gone':
      return failedBy(gone[ended.cause]);
  }
};
