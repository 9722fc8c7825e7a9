import { expect, it } from 'vitest';
import * as z from 'zod';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { listCryptoDisbursements } from '../../../../../functions/payment-service/endpoints/disbursements/list-crypto-disbursements.ts';
import { route } from '../../../../../functions/payment-service/http/router.ts';
import { createDisbursements } from '../../../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { newContext, newGate } from '../../../../support/payment-service/new-context.ts';
import { newDraft } from '../../../../support/payment-service/new-disbursement.ts';

const answer = z.object({ body: z.object({ data: z.object({ docs: z.array(z.object({ createdAt: z.string() })) }) }) });

const moments = [
  '2026-11-20T23:59:59.999Z',
  '2026-11-21T00:00:00.000Z',
  '2026-11-21T12:00:00.000Z',
  '2026-11-21T23:59:59.999Z',
  '2026-11-22T00:00:00.000Z',
];

/** When the disbursements between two dates were created. There is one for each of `moments`. */
const createdBetween = async (startDate: string, endDate: string) => {
  let now = new Date();
  const context = newContext({ now: () => now, openingBalance: (currency) => Money.of('1000000', currency) });
  for (const moment of moments) {
    now = new Date(moment);
    const items = [newDraft({}, 'usdc-polygon')];
    await createDisbursements(context, [{ rail: 'crypto', currency: 'usdc-polygon', items }]);
  }
  const list = route(newGate(context), [listCryptoDisbursements]);
  const found = await list({
    requestId: 'r',
    method: 'GET',
    path: '/v1/disbursement/crypto',
    query: [...Object.entries({ startDate, endDate, limit: '100' })],
    headers: new Map(),
    body: Buffer.from(''),
  });
  return answer.parse(found).body.data.docs.map(({ createdAt }) => createdAt);
};

it.each([
  ['a day', '2026-11-21', '2026-11-21', moments.slice(1, 4)],
  ['days, both included', '2026-11-20', '2026-11-21', moments.slice(0, 4)],
  ['moments, both included', '2026-11-21T12:00:00.000Z', '2026-11-22T00:00:00.000Z', moments.slice(2)],
  ['moments in another zone', '2026-11-21T14:00:00+02:00', '2026-11-21T14:00:00+02:00', moments.slice(2, 3)],
  ['moments without a zone, which are in UTC', '2026-11-21T12:00:00', '2026-11-21T23:59:59.999', moments.slice(2, 4)],
  ['minutes without seconds', '2026-11-21T12:00Z', '2026-11-22T00:00', moments.slice(2)],
  ['all days until the last year', '2026-11-21', '9999-12-31T23:59:59-12:00', moments.slice(1)],
  ['a moment until the end of a day', '2026-11-21T12:00:00.000Z', '2026-11-21', moments.slice(2, 4)],
])('lists crypto disbursements of %s', async (_, startDate, endDate, found) => {
  expect(await createdBetween(startDate, endDate)).toEqual(found);
});
