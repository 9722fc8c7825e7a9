import { given } from '../../domain/given.ts';

/** What a check found out. */
export interface Judgment {
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

/** The result of one check. */
export interface Finding extends Judgment {
  readonly what: string;
}

const judgment =
  (verdict: Judgment['verdict']) =>
  (found: string, follows?: string): Judgment => ({ verdict, found, ...given({ follows }) });

export const good = judgment('good');
export const note = judgment('note');
export const wrong = judgment('wrong');
