import { expect, it } from 'vitest';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { updateDisbursementStatus } from '../../../../../functions/payment-service/endpoints/disbursements/update-disbursement-status.ts';
import { route } from '../../../../../functions/payment-service/http/router.ts';
import { createDisbursements } from '../../../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { newContext, newGate } from '../../../../support/payment-service/new-context.ts';
import { newDraft } from '../../../../support/payment-service/new-disbursement.ts';

it.each([
  ['fiat', 'PHP', 'paid', 'status must be one of pending, failed, completed'],
  ['fiat', 'PHP', 'processed', 'status must be one of pending, failed, completed'],
  [
    'crypto',
    'usdc-polygon',
    'paid',
    'status must be one of pending, pending_retry, processed, completed, canceled, failed, need_check',
  ],
] as const)('a %s disbursement in %s that cannot be %s names the statuses it can have', async (...given) => {
  const [rail, currency, status, message] = given;
  const context = newContext({ openingBalance: (code) => Money.of('1000000', code) });
  const created = await createDisbursements(context, [{ rail, currency, items: [newDraft({}, currency)] }]);
  const [one] = created.kind === 'created' ? created.disbursements : [];
  const answer = await route(newGate(context), [updateDisbursementStatus])({
    requestId: 'r',
    method: 'PATCH',
    path: `/v1/disbursement/${one?.disbursementId}`,
    query: [],
    headers: new Map(),
    body: Buffer.from(JSON.stringify({ status })),
  });
  expect(answer).toMatchObject({ statusCode: 400, body: { message } });
});
