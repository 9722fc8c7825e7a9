import { expect, it } from 'vitest';
import { readPage } from '../../../../functions/payment-service/endpoints/list-query.ts';
import { newSettings } from '../../../support/payment-service/new-context.ts';

it.each([
  [{}, undefined, { limit: 10 }],
  [{}, 100, { limit: 100 }],
  [{}, 101, { message: 'limit must be at most 100' }],
  [{ defaultPageSize: 20 }, undefined, { limit: 20 }],
  [{ maximumPageSize: 5 }, undefined, { limit: 5 }],
  [{ maximumPageSize: 5 }, 6, { message: 'limit must be at most 5' }],
])('with the settings %o, a request with the limit %s is answered with %o', async (settings, limit, answer) => {
  const read = async () => ({ docs: [], total: 0 });
  expect(await readPage(newSettings(settings), { limit, sort: 'createdAt' }, read, String)).toMatchObject(answer);
});
