import { expect, it } from 'vitest';
import { newReportDue } from '../../../../functions/domain/payout/reconciliation.ts';

const batch = { batchId: 'b-1', statusSince: '2026-01-05T08:00:00.000Z' };

it.each([
  ['09:00:00.000', '10:00:00.000'],
  ['09:58:59.999', '10:00:00.000'],
  ['09:59:00.000', '10:00:00.000'],
  ['09:59:00.001', '11:00:00.000'],
  ['09:59:59.999', '11:00:00.000'],
])('a new report is due at the next full hour, a minute or more after the change: %s → %s', (now, dueAt) => {
  const due = newReportDue(batch, Date.parse(`2026-01-05T${now}Z`), { reconcileAfterDays: [1, 3, 7] });
  expect(due).toMatchObject({ endedAt: batch.statusSince, dueAt: `2026-01-05T${dueAt}Z`, round: 3 });
});
