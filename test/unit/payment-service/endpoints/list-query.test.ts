import { expect, it } from 'vitest';
import { readPage } from '../../../../functions/payment-service/endpoints/list-query.ts';
import { RefusedWith } from '../../../../functions/payment-service/http/answers.ts';
import { readWholePage } from '../../../../functions/payment-service/store/lists/read-list.ts';
import { newContext, newSettings } from '../../../support/payment-service/new-context.ts';

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

it('a list that changes during every read is in use', async () => {
  const context = newContext();
  const read = () =>
    readWholePage(
      context,
      { page: 1, limit: 10 },
      () => false,
      async () => ({ docs: ['changed'], total: 1 }),
    );
  expect(await readPage(context.settings, { sort: 'createdAt' }, read, String)).toEqual(
    new RefusedWith(503, 'The list is in use, try again'),
  );
});
