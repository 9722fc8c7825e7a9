import type { State } from '../../../infra/workflow/language.ts';

/** Step Functions ends an execution at this many events, whatever it is doing. */
export const mostEvents = 25_000;

/**
 * Events of a state without its attempts: entered and exited. A Parallel and a Map's run are also started and succeeded.
 * A branch writes into its execution's history, a Map's child into its own.
 */
const ofState: Readonly<Record<State['Type'], number>> = {
  Task: 2,
  Choice: 2,
  Wait: 2,
  Pass: 2,
  Succeed: 2,
  Fail: 1,
  Parallel: 4,
  Map: 5,
};

/** Scheduled, started, and ended. */
const ofTry = 3;

/** Counts an execution's events as Step Functions does. */
export class EventHistory {
  readonly #most: number;
  // The start and the end of the execution.
  #events = 2;

  constructor(most: number = mostEvents) {
    this.#most = most;
  }

  get events(): number {
    return this.#events;
  }

  get isFull(): boolean {
    return this.#events > this.#most;
  }

  enters({ Type }: State): void {
    this.#events += ofState[Type];
  }

  tries(): void {
    this.#events += ofTry;
  }

  redriven(): void {
    this.#events += 1;
  }
}
