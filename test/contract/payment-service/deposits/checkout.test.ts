import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import * as z from 'zod';
import { pagePorts } from '../../../../functions/payment-service/checkout-page/page-ports.ts';
import { paymentServiceRuntime } from '../../../../functions/payment-service/runtime.ts';
import { misfitsOfWebhook } from '../../../support/payment-service/answers/documented.ts';
import { checkoutIn, depositAt, postCheckout } from '../../../support/payment-service/deposits/deposits.ts';
import { balanceOf, credentialsOf, envelopeOf, getSigned, send } from '../../../support/payment-service/merchant.ts';
import type { Receiver } from '../../../support/payment-service/webhook-receiver.ts';
import { command, startReceiver } from '../../../support/payment-service/webhook-receiver.ts';

/**
 * Sets the environment of the deployed function for deposits, so that the page's operations run here on the same table and queue.
 */
const deployedEnvironment = async (): Promise<Record<string, string>> => {
  for await (const { Functions } of paginateListFunctions({ client: new LambdaClient() }, {})) {
    const found = Functions?.find(({ FunctionName }) => /^PaymentService-local-Deposits/.test(FunctionName ?? ''));
    if (found !== undefined) return z.record(z.string(), z.string()).parse(found.Environment?.Variables);
  }
  throw new Error('the deposits function is missing');
};

for (const [name, value] of Object.entries(await deployedEnvironment())) {
  // Functions reach the local AWS by name, and tests reach it by address.
  vi.stubEnv(name, value.replace('https://localhost:', 'https://127.0.0.1:'));
}
const page = pagePorts(paymentServiceRuntime());

const second = credentialsOf('sandbox-second');
const basic = credentialsOf('sandbox-basic');
const track = (id: string, as = second) => envelopeOf(getSigned(`/v1/deposit/fiat/${id}`, { as }));
const create = (fields: object = {}) => checkoutIn(postCheckout({ ...fields }, second));
const patch = (id: string, status: string) => envelopeOf(send('PATCH', `/v1/deposit/${id}`, { status }, second));
const control = (path: string, body?: object) => envelopeOf(send('POST', `/sandbox/${path}`, body, second));
const unpicked = { statusCode: 404, message: 'Deposit not found' };

let receiver: Receiver;
beforeAll(async () => {
  await control('reset');
  receiver = await startReceiver(() => 204);
  await command('RegisterWebhookFunction', { clientId: 'sandbox-second', url: receiver.address });
});
afterAll(async () => {
  await control('reset');
  await receiver.close();
});

/** Returns the webhooks about a deposit. */
const heard = (depositId: string) =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.orderId === depositId);

describe('POST /v1/checkout', () => {
  it('answers with an id that cannot be guessed and the address of its page', async () => {
    const { id, url } = await create();
    expect(id).toMatch(/^chk_[0-9a-f]{32}$/);
    expect(url).toBe(`${inject('localAws').outputs.PaymentService['PaymentServiceUrl']}/checkout/${id}`);
  });

  it.each([
    ['inputAmount alone', { inputAmount: 1000, outputAmount: undefined }],
    ['both amounts, when a method leaves enough', { inputAmount: 1015, outputAmount: 1000 }],
    ['tokens as output', { outputAmount: 20, outputCurrency: 'usdt-tron' }],
    ['the input currency as output', { outputCurrency: 'PHP' }],
    ['another fiat currency as output', { outputCurrency: 'THB' }],
  ])('accepts %s', async (_, fields) => {
    expect(await envelopeOf(postCheckout(fields, second))).toMatchObject({
      statusCode: 200,
      message: 'Checkout created',
    });
  });

  it.each([
    ['no amount', { outputAmount: undefined }, 'at least one of inputAmount and outputAmount is required'],
    [
      'too much for every method',
      { outputAmount: 5_000_000 },
      'the amount to pay, fees included, is outside the limits of every enabled payment method',
    ],
    [
      'too little for every method',
      { inputAmount: 0.5, outputAmount: undefined },
      'inputAmount is outside the limits of every enabled payment method',
    ],
    [
      'more out than in',
      { inputAmount: 1000, outputAmount: 1001 },
      'inputAmount leaves less than outputAmount after fees, by every payment method that takes it',
    ],
    ['an unknown output', { outputCurrency: 'XXX' }, 'outputCurrency is not supported'],
    ['a token as input', { inputCurrency: 'usdt-tron' }, 'inputCurrency is not a supported fiat currency'],
    ['too many decimals', { outputAmount: 1.001 }, 'outputAmount has more than 2 decimals'],
    ['no currency', { inputCurrency: undefined }, 'inputCurrency: must be a text'],
  ])('refuses %s', async (_, fields, message) => {
    expect(await envelopeOf(postCheckout(fields, second))).toMatchObject({ statusCode: 400, message });
  });

  it('is refused for an account without checkout', async () => {
    expect(await envelopeOf(postCheckout({}, basic))).toMatchObject({
      statusCode: 400,
      message: 'Checkout is not enabled',
    });
  });

  it('is a signed request: the API key is not enough', async () => {
    expect(await envelopeOf(send('POST', '/v1/checkout', {}, second))).toMatchObject({ statusCode: 401 });
  });
});

describe('the deposit of a checkout', () => {
  it('does not exist before a method is picked, neither for lookups nor for updates', async () => {
    const { id } = await create();
    expect(await track(id)).toMatchObject(unpicked);
    expect(await patch(id, 'completed')).toMatchObject({ statusCode: 400, message: 'Deposit not found' });
  });

  it('is made by the first of two concurrent clicks; once paid, it is in the balance and one webhook announces it', async () => {
    const before = await balanceOf('PHP', second);
    const { id } = await create();
    const offers = expect.arrayContaining([expect.anything()]);
    expect(await page.read(id)).toMatchObject({ state: 'choosing', offers });
    expect(await Promise.all([page.pick(id, 'BDO'), page.pick(id, 'GCASH')])).toEqual(['done', 'done']);
    const shown = await depositAt(`/v1/deposit/fiat/${id}`, second);
    expect(shown).toMatchObject({ depositId: id, status: 'pending', outputAmount: 1000 });
    await page.pay?.(id);
    await page.pay?.(id);
    expect(await page.read(id)).toMatchObject({ state: 'completed' });
    expect(await balanceOf('PHP', second)).toBe(before + 1000);
    await vi.waitFor(() => expect(heard(id)).toHaveLength(1), { timeout: 60_000, interval: 250 });
    const [webhook] = heard(id);
    expect(webhook).toMatchObject({
      type: 'deposit.updated',
      data: { orderId: id, depositId: id, status: 'completed', previousStatus: 'pending', outputAmount: 1000 },
    });
    expect(misfitsOfWebhook('deposit.updated', JSON.stringify(webhook))).toEqual([]);
  });

  it('can be set by the sandbox update once it exists, and a webhook announces it', async () => {
    const { id } = await create();
    await page.pick(id, 'GCASH');
    expect(await patch(id, 'completed')).toMatchObject({
      statusCode: 200,
      data: { depositId: id, status: 'completed' },
    });
    await vi.waitFor(() => expect(heard(id).map(({ data }) => data.status)).toEqual(['completed']), {
      timeout: 60_000,
      interval: 250,
    });
  });

  it('is invisible to another merchant', async () => {
    const { id } = await create();
    await page.pick(id, 'BDO');
    expect(await track(id, basic)).toMatchObject(unpicked);
  });

  it('expires with the page; a late customer cannot make one, and lookups still answer 404', async () => {
    const [picked, late] = [await create(), await create()];
    await page.pick(picked.id, 'BDO');
    await control('clock', { advanceSeconds: 901 });
    await page.pick(late.id, 'BDO');
    expect(await page.read(late.id)).toMatchObject({ state: 'expired' });
    expect(await track(late.id)).toMatchObject(unpicked);
    expect(await depositAt(`/v1/deposit/fiat/${picked.id}`, second)).toMatchObject({ status: 'expired' });
    await page.pay?.(picked.id);
    expect(await page.read(picked.id)).toMatchObject({ state: 'expired' });
    await control('clock', { advanceSeconds: -901 });
  });

  it('is gone, with its page, after a reset of the sandbox', async () => {
    const { id } = await create();
    await page.pick(id, 'BDO');
    await control('reset');
    expect(await page.read(id)).toBeUndefined();
    expect(await track(id)).toMatchObject(unpicked);
  });
});
