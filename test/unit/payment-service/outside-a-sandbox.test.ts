import { describe, expect, it } from 'vitest';
import type { Service } from '../../../functions/payment-service/api/service.ts';
import { composeFiatDeposit } from '../../../functions/payment-service/domain/deposits/compose-deposit.ts';
import {
  composeCryptoGroup,
  composeFiatGroup,
} from '../../../functions/payment-service/domain/disbursements/compose-group.ts';
import { Money } from '../../../functions/payment-service/domain/money/money.ts';
import { nothingStrikes } from '../../../functions/payment-service/domain/sandbox/faults.ts';
import { movesRate } from '../../../functions/payment-service/domain/sandbox/magic-values.ts';
import { unsteered } from '../../../functions/payment-service/domain/sandbox/sandbox.ts';
import { balanceAndConvert } from '../../../functions/payment-service/endpoints/balance-and-convert.ts';
import { deposits } from '../../../functions/payment-service/endpoints/deposits.ts';
import { disbursements } from '../../../functions/payment-service/endpoints/disbursements.ts';
import { transferProofs } from '../../../functions/payment-service/endpoints/transfer-proofs.ts';
import { webhookStrike } from '../../../functions/payment-service/faulty-service.ts';
import { route } from '../../../functions/payment-service/http/router.ts';
import { paymentServiceRuntime } from '../../../functions/payment-service/runtime.ts';
import { gateOf } from '../../../functions/payment-service/service-runtime.ts';
import { paymentServiceSettings } from '../../../functions/payment-service/settings.ts';
import { newAccount } from '../../support/payment-service/new-account.ts';

/*
 * What steers a sandbox has no effect outside of one. That its function, its paths and the page's paying are not even
 * deployed there, test/infra/sandbox.test.ts shows.
 */

/** A service that would fail whatever it was asked to do: nothing of it may be reached. */
const untouched = new Proxy<Partial<Service>>(
  { settings: paymentServiceSettings.parse({ sandbox: false }), now: () => new Date('2026-11-21T06:00:00Z') },
  {
    get: (known, name) => {
      const value = Reflect.get(known, name);
      if (value === undefined) throw new Error(`${String(name)} was reached`);
      return value;
    },
  },
) as Service;

/** The endpoints of every function that is deployed without a sandbox. */
const answerTo = route(
  {
    authenticate: async () => ({ account: newAccount(), sandbox: unsteered }),
    maximumBodyBytes: 10_000,
    now: () => new Date('2026-11-21T06:00:00Z'),
    portsFor: () => untouched,
  },
  [...balanceAndConvert, ...disbursements, ...deposits, ...transferProofs],
);

describe('outside a sandbox', () => {
  it.each([
    ['PATCH', '/v1/disbursement/dsb_0123456789abcdef01234567000'],
    ['PATCH', '/v1/deposit/dep_0123456789abcdef01234567'],
    ['GET', '/sandbox'],
    ['POST', '/sandbox/clock'],
    ['POST', '/sandbox/rates'],
    ['POST', '/sandbox/reset'],
    ['GET', '/sandbox/faults'],
    ['PUT', '/sandbox/faults'],
  ])('there is no %s %s', async (method, path) => {
    const body = Buffer.from('{"status":"completed"}');
    const answer = await answerTo({ requestId: 'r', method, path, query: [], headers: new Map(), body });
    expect(answer).toMatchObject({ statusCode: 404, body: { statusCode: 404, error: 'Not Found' } });
  });

  const terms = { sandbox: false, batchSizeLimit: 10 };
  const bank = { bankName: 'BDO Unibank', bankCode: 'BDO', accountName: 'Maria Reyes' };

  it.each(['9901', '9902', '9903', '9904', '9905', '9906'])(
    'an account that ends in %s is one like others',
    (ending) => {
      const item = { recipient: { bank: { ...bank, accountNumber: `00123${ending}` } }, amount: '100' };
      expect(composeFiatGroup(terms, 'PHP', [item])).toMatchObject({ group: { items: [{ outcome: 'standard' }] } });
    },
  );

  it.each(['fa11', 'c4ec', '4e74', 'ca2c', '1a7e', 'bacc'])('a wallet that ends in %s is one like others', (ending) => {
    const item = { receiverWalletAddress: `0x${ending.padStart(40, '1')}`, amount: '10' };
    expect(composeCryptoGroup(terms, 'usdc-polygon', [item])).toMatchObject({
      group: { items: [{ outcome: 'standard' }] },
    });
  });

  it('recipients are not made up', () => {
    expect(composeFiatGroup(terms, 'PHP', [{ recipientId: 'rcp_fail1', amount: '100' }])).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('Recipient not found'),
    });
  });

  it.each(['autopay-1', 'expire-1'])('a deposit with the reference %s waits for its payer', (reference) => {
    const request = {
      inputCurrency: 'PHP',
      inputAmount: '1000',
      outputCurrency: 'PHP',
      balanceType: 'fiat',
      paymentMethod: 'GCASH',
      reference,
    } as const;
    const composed = composeFiatDeposit(
      { sandbox: false, rates: {}, conversionFeePercentage: '0.5', account: newAccount().terms },
      request,
      undefined,
    );
    expect(composed).toMatchObject({ kind: 'composed', draft: { outcome: 'standard' } });
  });

  it('no amount moves a rate', () => {
    expect(movesRate(false, Money.of('100.0013', 'usdt-tron'))).toBe(false);
    expect(movesRate(true, Money.of('100.0013', 'usdt-tron'))).toBe(true);
  });

  it('nothing goes wrong on purpose, whatever is set and whatever a reference asks for', async () => {
    const environment = { TABLE_NAME: 'none', AWS_REGION: 'us-east-1', SETTINGS: JSON.stringify({ sandbox: false }) };
    Object.assign(process.env, environment);
    const runtime = paymentServiceRuntime();
    expect(gateOf(runtime)).not.toHaveProperty('faults');
    const rule = { endpoint: '*', fault: 'webhook-forged', probability: '1', injected: 0 } as const;
    const steered = { ...unsteered, faults: [rule], faultsVersion: 1 };
    const body = '{"data":{"reference":"fault:webhook-duplicate:1"}}';
    const about = {
      accountId: 'merchant',
      webhookId: 'msg_1',
      type: 'disbursement.updated',
      about: 'dsb_1',
      body,
    } as const;
    expect(webhookStrike(runtime, steered, about)).toBe(nothingStrikes);
    Object.assign(process.env, { ...environment, SETTINGS: '{}' });
    const ofASandbox = paymentServiceRuntime();
    expect(gateOf(ofASandbox)).toHaveProperty('faults');
    expect(webhookStrike(ofASandbox, steered, about)).not.toBe(nothingStrikes);
  });

  it('nobody opens with money, and no clock is asked for', async () => {
    // Where no table is: whatever read one would fail.
    const environment = { TABLE_NAME: 'none', AWS_REGION: 'us-east-1', SETTINGS: JSON.stringify({ sandbox: false }) };
    Object.assign(process.env, environment);
    const { openingBalances, sandboxOf } = paymentServiceRuntime();
    expect(openingBalances('sandbox-merchant', 'IDR')).toEqual(Money.zero('IDR'));
    expect(await sandboxOf('sandbox-merchant')).toEqual(unsteered);
  });
});
