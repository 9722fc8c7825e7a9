import { given } from '../../domain/given.ts';

/** The result of one check. */
export interface Finding {
  readonly what: string;
  /**
   * `good`: as the orchestrator needs it. `note`: a choice to know about or a setting to consider. `wrong`: batches would stop,
   * or payouts would wait for a person.
   */
  readonly verdict: 'good' | 'note' | 'wrong';
  /** Safe for a terminal and a log: no personal data, no secret. */
  readonly found: string;
  /** The consequence, or what a person should do: a setting where there is one. */
  readonly follows?: string;
  /** The problem may go away by itself: the provider did not answer, or cannot now. */
  readonly isTransient?: true;
}

const finding =
  (verdict: Finding['verdict']) =>
  (what: string, found: string, follows?: string): Finding => ({ what, verdict, found, ...given({ follows }) });

export const good = finding('good');
export const note = finding('note');
export const wrong = finding('wrong');
