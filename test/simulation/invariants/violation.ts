import type { Subject } from '../world/history.ts';

/** What a run found broken. */
export interface Violation {
  /** The promise that was broken, in a few words. */
  readonly invariant: string;
  readonly detail: string;
  readonly subject: Subject;
}

/** Where whoever watches a run reports to. */
export type Report = (invariant: string, detail: string, subject?: Subject) => void;
