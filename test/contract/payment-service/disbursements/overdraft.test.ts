import { expect, it } from 'vitest';
import {
  balanceOf,
  credentialsOf,
  envelopeOf,
  fiatItems,
  pageOf,
  send,
} from '../../../support/payment-service/merchant.ts';
import { uniqueWord } from '../../../support/payment-service/unique-word.ts';

/** With more, requests on a slow machine wait longer for their turn than a function may take. */
const atOnce = 8;

it('of 200 requests on a balance for 100, eight concurrently, exactly 100 succeed', async () => {
  const second = credentialsOf('sandbox-second');
  await send('POST', '/sandbox/reset', undefined, second);
  // The merchant starts with 20,000,000. A bank transfer costs 15.
  const items = (index: number) => fiatItems(1, `${uniqueWord()}-${index}`).map((one) => ({ ...one, amount: 199_985 }));
  const post = async (index: number): Promise<string> => {
    const body = { currency: 'PHP', disburseData: items(index) };
    for (;;) {
      const { statusCode, message } = await envelopeOf(send('POST', '/v2/disbursement/fiat', body, second));
      if (statusCode !== 503 && statusCode !== 429) return message;
    }
  };
  const messages: string[] = [];
  const left = Array.from({ length: 200 }, (_, index) => index);
  const worker = async () => {
    for (let index = left.shift(); index !== undefined; index = left.shift()) messages.push(await post(index));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const counts = [...Map.groupBy(messages, (message) => message)].map(([message, { length }]) => [message, length]);
  expect(Object.fromEntries(counts)).toEqual({ 'Disbursement created successfully': 100, 'insufficient balance': 100 });
  expect(await balanceOf('PHP', second)).toBe(0);
  expect((await pageOf('/v1/disbursement/fiat', second)).totalDocs).toBe(100);
  await send('POST', '/sandbox/reset', undefined, second);
});
