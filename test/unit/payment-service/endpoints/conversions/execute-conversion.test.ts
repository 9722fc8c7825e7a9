import { expect, it } from 'vitest';
import { executeConversion } from '../../../../../functions/payment-service/endpoints/conversions/execute-conversion.ts';
import { newAccount } from '../../../../support/payment-service/new-account.ts';
import { newContext } from '../../../../support/payment-service/new-context.ts';

const convert = (body: string) =>
  executeConversion.answer(newContext(), {
    account: newAccount(),
    params: new Map(),
    request: {
      requestId: 'r',
      method: 'POST',
      path: '/v1/convert',
      query: [],
      headers: new Map(),
      body: Buffer.from(body),
    },
  });

it.each([
  ['"currency":"usdt-tron"', '"currency":"THB"', 'exactly one of input.amount and output.amount is required'],
  ['"currency":"doge","amount":1', '"currency":"THB"', 'input.currency is not a supported crypto currency'],
  ['"currency":"usdt-tron","amount":1', '"currency":"XXX"', 'output.currency is not a supported fiat currency'],
  ['"currency":"usdt-tron","amount":1.0000001', '"currency":"THB"', 'input.amount has more than 6 decimals'],
  ['"currency":"usdt-tron"', '"currency":"THB","amount":1.001', 'output.amount has more than 2 decimals'],
])('a refusal of {%s} into {%s} names the fields of the body', async (input, output, message) => {
  expect(await convert(`{"input":{${input}},"output":{${output}}}`)).toMatchObject({
    statusCode: 400,
    body: { message },
  });
});
