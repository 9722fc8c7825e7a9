import type { Subject } from '../world/history.ts';

/** A promise that a run broke. */
export interface Violation {
  /** The broken promise in a few words. */
  readonly invariant: string;
  readonly detail: string;
  readonly subject: Subject;
}

/** Reports a broken promise to the run. */
export type Report = (invariant: string, detail: string, subject?: Subject) => void;
