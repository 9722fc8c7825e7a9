import { describe, expect, it } from 'vitest';
import { conflict } from '../../../../functions/api/control/conflict.ts';
import { batch } from '../fixtures.ts';

const approver = 'arn:aws:sts::123456789012:assumed-role/Approvers/morning';
const approval = { hash: 'h', findings: [], why: 'request' } as const;
const approved = { ...approval, approved: { by: approver, at: '2026-01-05T09:05:00.000Z', reason: 'Checked.' } };
const cancelRequestedAt = '2026-01-05T09:10:00.000Z';

describe('an action that the status of a batch does not allow', () => {
  it.each([
    ['paused', { status: 'completed', approval: approved }, 'The batch is completed. It cannot be paused.'],
    ['resumed', { approval: approved }, 'The batch is processing. It cannot be resumed.'],
    ['canceled', { status: 'completed', approval }, 'The batch is completed. It cannot be canceled.'],
    ['approved', {}, 'The batch is processing. It cannot be approved.'],
    [
      'approved',
      { approval: approved },
      `The batch was approved by ${approver} and is processing. It cannot be approved.`,
    ],
    [
      'rejected',
      { approval: approved },
      `The batch was approved by ${approver} and is processing. It cannot be rejected.`,
    ],
    [
      'paused',
      { approval: approved, cancelRequestedAt },
      'The batch is processing. Its cancellation was requested. It cannot be paused.',
    ],
    [
      'rejected',
      { status: 'pending_approval', approval, cancelRequestedAt },
      'The batch is pending_approval. Its cancellation was requested. It cannot be rejected.',
    ],
  ] as const)(
    '%s: is refused with the reason, and names an approver only for a decision',
    (wanted, changes, detail) => {
      expect(conflict(batch(changes), wanted).about.detail).toBe(detail);
    },
  );
});
