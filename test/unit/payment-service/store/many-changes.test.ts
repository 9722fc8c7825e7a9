import { expect, it } from 'vitest';
import { mostChanges } from '../../../../functions/payment-service/domain/activity.ts';
import { Money } from '../../../../functions/payment-service/domain/money/money.ts';
import { setDepositStatus } from '../../../../functions/payment-service/store/deposits/change-deposit.ts';
import { createDeposit } from '../../../../functions/payment-service/store/deposits/create-deposit.ts';
import { setDisbursementStatus } from '../../../../functions/payment-service/store/disbursements/change-statuses.ts';
import { createDisbursements } from '../../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { keys } from '../../../../functions/payment-service/store/keys.ts';
import { edits, updateNow } from '../../../../functions/payment-service/store/table.ts';
import { newDeposit } from '../../../support/payment-service/deposits/new-deposit.ts';
import { newContext } from '../../../support/payment-service/new-context.ts';
import { newDraft } from '../../../support/payment-service/new-disbursement.ts';

/** One less than the most changes. */
const changes = Array.from({ length: mostChanges - 1 }, () => ({
  activity: 'Status set in the sandbox',
  status: 'completed',
  description: 'The status was set by a sandbox update',
  updatedAt: '2026-11-21T06:00:00.000Z',
}));

it('a disbursement that has changed 500 times takes no further sandbox update', async () => {
  const context = newContext({ openingBalance: (currency) => Money.of('1000', currency) });
  const made = await createDisbursements(context, [{ rail: 'fiat', currency: 'PHP', items: [newDraft()] }]);
  if (made.kind !== 'created') throw new Error(made.kind);
  const [{ disbursementId, groupId } = { disbursementId: '', groupId: '' }] = made.disbursements;
  await updateNow(context.table, keys.disbursement(groupId, 0), edits({ set: { changes } }));
  expect(await setDisbursementStatus(context, disbursementId, 'completed')).toEqual({ kind: 'set' });
  expect(await setDisbursementStatus(context, disbursementId, 'failed')).toEqual({ kind: 'too_many_changes' });
});

it('a deposit that has changed 500 times takes no further sandbox update', async () => {
  const context = newContext();
  await createDeposit(context, newDeposit(), { depositId: 'dep_1', expiresAt: () => new Date('2027-01-01T00:00:00Z') });
  await updateNow(context.table, keys.deposit('dep_1'), edits({ set: { changes } }));
  expect(await setDepositStatus(context, 'dep_1', 'completed')).toMatchObject({ kind: 'changed' });
  expect(await setDepositStatus(context, 'dep_1', 'expired')).toEqual({ kind: 'too_many_changes' });
});
