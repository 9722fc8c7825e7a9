/** What one check found. */
export interface Finding {
  readonly what: string;
  /** `good`: as the orchestrator needs it. `note`: a choice to know of, or to set. `wrong`: batches would stop or rest. */
  readonly verdict: 'good' | 'note' | 'wrong';
  /** Fit for a terminal and a log: no personal data, no secret. */
  readonly found: string;
  /** What a person does about it, a setting where there is one. */
  readonly follows?: string;
  /** It may be gone by itself: nothing was answered, or not now. */
  readonly isPassing?: true;
}

const finding =
  (verdict: Finding['verdict']) =>
  (what: string, found: string, follows?: string): Finding =>
    follows === undefined ? { what, verdict, found } : { what, verdict, found, follows };

export const good = finding('good');
export const note = finding('note');
export const wrong = finding('wrong');
