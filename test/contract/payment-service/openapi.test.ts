import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { watchedAnswers } from '../../support/payment-service/answers/watched-answers.ts';
import { send, sendWithoutKey } from '../../support/payment-service/merchant.ts';
import { deployedClient } from '../provider/deployed-service.ts';

const committed = async (): Promise<unknown> =>
  JSON.parse(await readFile(new URL('../../../functions/payment-service/openapi.json', import.meta.url), 'utf8'));

it('the committed document is served without credentials, and may be cached for a while', async () => {
  const answer = await sendWithoutKey('GET', '/openapi.json');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
  expect(await answer.json()).toEqual(await committed());
});

it('every answer in the tests is checked against the document', async () => {
  await send('GET', '/v1/balance');
  await deployedClient().references.currencies();
  expect(watchedAnswers()).toEqual(
    expect.arrayContaining(['GET /openapi.json 200', 'GET /v1/balance 200', 'GET /v1/reference/currencies 200']),
  );
});
