import type { State } from './language.ts';

/** Where Step Functions ends an execution, whatever it is doing. */
export const mostEvents = 25_000;

/**
 * Events of a state without its tries: entered and exited, and of a Parallel and a Map's run also started and succeeded.
 * A branch writes into the history of its execution, a Map's child into its own.
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

/** Scheduled, started, and how it ended. */
const ofTry = 3;

/** Counts the events of an execution as Step Functions does. */
export class EventHistory {
  readonly #most: number;
  // Started, and ended.
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
