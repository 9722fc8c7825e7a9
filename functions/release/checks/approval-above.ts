import type { Check } from './check.ts';
import { beyond } from './check.ts';

/** A batch that pays more than this needs two people: one starts it, another approves it. */
export const approvalAbove: Check = (checked) =>
  beyond(checked, 'approvalAbove', (paid, limit) => ({
    code: 'approval_above',
    message: `The batch pays ${paid.amount} ${paid.currency}; more than ${limit.amount} needs a person's approval.`,
    mayBeReleased: true,
  }));
