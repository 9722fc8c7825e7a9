import type { BatchStatus } from './batch-status.ts';

/** Names for people where the status code is a program's word. Any other code is shown in its own words. */
const words: Partial<Record<BatchStatus, string>> = {
  validating: 'being checked',
  validation_failed: 'refused',
  previewed: 'checked',
  pending_approval: 'awaits approval',
  awaiting_funds: 'awaits funds',
  processing: 'being paid',
};

const named: ReadonlyMap<string, string> = new Map(Object.entries(words));

/** Names a status, or any other code, as the console and e-mails show it: `previewed` is `checked`, `on_hold` is `on hold`. */
export const describeCode = (code: string): string => named.get(code) ?? code.replaceAll(/[._]+/g, ' ');
