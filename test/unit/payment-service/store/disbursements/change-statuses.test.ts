import { expect, it } from 'vitest';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { readBalance } from '../../../../../functions/payment-service/store/balances.ts';
import { setDisbursementStatus } from '../../../../../functions/payment-service/store/disbursements/change-statuses.ts';
import { createDisbursements } from '../../../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { findByReference } from '../../../../../functions/payment-service/store/disbursements/find-disbursement.ts';
import { withLateAttempt } from '../../../../support/payment-service/late-attempt.ts';
import { newContext } from '../../../../support/payment-service/new-context.ts';
import { newDraft } from '../../../../support/payment-service/new-disbursement.ts';

it('a sandbox update written by an attempt given up before is made once', async () => {
  const context = newContext({ openingBalance: (currency) => Money.of('1000', currency) });
  const draft = { rail: 'fiat' as const, currency: 'PHP', items: [newDraft({ reference: 'a' })] };
  await createDisbursements(context, [draft]);
  const [made] = await findByReference(context, 'a');
  const late = { ...context, table: withLateAttempt(context.table, 'GROUP#') };
  expect(await setDisbursementStatus(late, made?.disbursementId ?? '', 'failed')).toEqual({ kind: 'set' });
  expect(await findByReference(context, 'a')).toMatchObject([{ status: 'failed', changes: [{ status: 'failed' }] }]);
  expect((await readBalance(context, 'PHP')).amount).toEqual(Money.of('1000', 'PHP'));
});
