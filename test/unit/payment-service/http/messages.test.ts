import { expect, it } from 'vitest';
import { everyEndpoint } from '../../../../functions/payment-service/endpoints/by-function.ts';
import { route } from '../../../../functions/payment-service/http/router.ts';
import { requestOfLine } from '../../../support/payment-service/line-request.ts';
import { newContext, newGate } from '../../../support/payment-service/new-context.ts';

const answerTo = route(newGate(newContext()), Object.values(everyEndpoint()));
const convert = { input: { currency: 'usdt-tron', amount: 1 }, output: { currency: 'PHP' } };
const deposit = { inputCurrency: 'PHP', outputCurrency: 'PHP', balanceType: 'fiat', paymentMethod: 'GCASH' };
const notOneOutput = 'outputAmount: must be an object with either fiat or crypto';
const estimate = 'GET /v1/convert/estimate?inputCurrency=usdt-tron&outputCurrency=PHP';

it.each([
  ['a list for a body', 'POST /v1/convert', [], 'the body must be an object'],
  ['null for a body', 'POST /v1/convert', null, 'the body must be an object'],
  ['no object', 'POST /v1/convert', { input: convert.input }, 'output: must be an object'],
  ['an empty quote id', 'POST /v1/convert', { ...convert, quoteId: '' }, 'quoteId: must not be empty'],
  [
    'a long quote id',
    'POST /v1/convert',
    { ...convert, quoteId: 'q'.repeat(65) },
    'quoteId: must have at most 64 characters',
  ],
  ['a number for an output amount', 'POST /v1/deposit/fiat', { ...deposit, outputAmount: 100 }, notOneOutput],
  ['a text for an output amount', 'POST /v1/deposit/fiat', { ...deposit, outputAmount: '100' }, notOneOutput],
  ['two output amounts', 'POST /v1/deposit/fiat', { ...deposit, outputAmount: { fiat: 1, crypto: 1 } }, notOneOutput],
  ['no amount in a query', 'GET /v1/disbursement/crypto/estimate?token=usdc-polygon', {}, 'amount: is required'],
  ['a negative amount', `${estimate}&inputAmount=-1`, {}, 'inputAmount: must be a positive number'],
  ['an amount that is too large', `${estimate}&inputAmount=1e30`, {}, 'inputAmount: must be below 1e20'],
])('a request with %s is told what is wrong', async (_, line, body, message) => {
  const answer = await answerTo(requestOfLine(line, body));
  expect(answer).toMatchObject({ statusCode: 400, body: { message } });
});
