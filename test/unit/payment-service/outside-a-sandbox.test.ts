import { describe, expect, it } from 'vitest';
import { composeFiatDeposit } from '../../../functions/payment-service/domain/deposits/compose-deposit.ts';
import {
  composeCryptoGroup,
  composeFiatGroup,
} from '../../../functions/payment-service/domain/disbursements/compose-group.ts';
import { Money } from '../../../functions/payment-service/domain/money/money.ts';
import { nothingStrikes } from '../../../functions/payment-service/domain/sandbox/faults.ts';
import { movesRate } from '../../../functions/payment-service/domain/sandbox/magic-values.ts';
import { untouchedSandbox } from '../../../functions/payment-service/domain/sandbox/sandbox.ts';
import {
  balanceAndConvert,
  deposits,
  disbursements,
  transferProofs,
} from '../../../functions/payment-service/endpoints/by-function.ts';
import { faultsOfRequest, faultsOfWebhook } from '../../../functions/payment-service/http/planned-faults.ts';
import { route } from '../../../functions/payment-service/http/router.ts';
import { contextOf, paymentServiceRuntime } from '../../../functions/payment-service/runtime.ts';
import { MemoryTable } from '../../support/memory-table/memory-table.ts';
import { newAccount } from '../../support/payment-service/new-account.ts';
import { newContext, newGate, newSettings, tableWith } from '../../support/payment-service/new-context.ts';

/*
 * The sandbox's controls and magic values have no effect outside a sandbox. test/infra/payment-service/sandbox.test.ts shows that the
 * controls are not deployed there.
 */

const unreachable = (): never => {
  throw new Error('the table was reached');
};

/** The endpoints of every function that is deployed without a sandbox. Their table refuses every request. */
const answerTo = route(
  newGate(
    newContext({
      settings: newSettings({ sandbox: false }),
      table: tableWith(new MemoryTable(), unreachable),
      schedule: unreachable,
    }),
  ),
  Object.values({ ...balanceAndConvert, ...disbursements, ...deposits, ...transferProofs }),
);

/** The functions' runtime with these settings. Any access to its table fails. */
const runtimeWith = (settings: object) => {
  Object.assign(process.env, { TABLE_NAME: 'none', AWS_REGION: 'us-east-1', SETTINGS: JSON.stringify(settings) });
  return paymentServiceRuntime();
};

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
  ])('%s %s does not exist', async (method, path) => {
    const body = Buffer.from('{"status":"completed"}');
    const answer = await answerTo({ requestId: 'r', method, path, query: [], headers: new Map(), body });
    expect(answer).toMatchObject({ statusCode: 404, body: { statusCode: 404, error: 'Not Found' } });
  });

  const terms = { sandbox: false, batchSizeLimit: 10 };
  const bank = { bankName: 'BDO Unibank', bankCode: 'BDO', accountName: 'Maria Reyes' };

  it.each(['9901', '9902', '9903', '9904', '9905', '9906'])(
    'an account that ends in %s is an ordinary one',
    (ending) => {
      const item = { recipient: { bank: { ...bank, accountNumber: `00123${ending}` } }, amount: '100' };
      expect(composeFiatGroup(terms, 'PHP', [item])).toMatchObject({ items: [{ outcome: 'standard' }] });
    },
  );

  it.each(['fa11', 'c4ec', '4e74', 'ca2c', '1a7e', 'bacc'])('a wallet that ends in %s is an ordinary one', (ending) => {
    const item = { receiverWalletAddress: `0x${ending.padStart(40, '1')}`, amount: '10' };
    expect(composeCryptoGroup(terms, 'usdc-polygon', [item])).toMatchObject({
      items: [{ outcome: 'standard' }],
    });
  });

  it('no recipients are invented', () => {
    expect(composeFiatGroup(terms, 'PHP', [{ recipientId: 'rcp_fail1', amount: '100' }])).toMatchObject({
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
    expect(composed).toMatchObject({ outcome: 'standard' });
  });

  it('no amount moves a rate', () => {
    expect(movesRate(false, Money.of('100.0013', 'usdt-tron'))).toBe(false);
    expect(movesRate(true, Money.of('100.0013', 'usdt-tron'))).toBe(true);
  });

  it('no fault strikes, whatever is set and whatever a reference asks for', () => {
    const rule = { endpoint: '*', fault: 'webhook-forged', probability: '1', injected: 0 } as const;
    const changed = { ...untouchedSandbox, faults: [rule], faultsVersion: 1 };
    const webhook = faultsOfWebhook([], 'disbursement.updated', '{"data":{"reference":"fault:webhook-duplicate:1"}}');
    const headers = new Map<string, string>();
    const request = { requestId: 'r', method: 'GET', path: '/', query: [], headers, body: Buffer.alloc(0) };
    const set = faultsOfRequest(changed.faults, { method: 'GET', path: '/v1/balance' }, new Map(), request);
    for (const planned of [webhook, set]) {
      expect(planned).toHaveLength(1);
      const real = contextOf(runtimeWith({ sandbox: false }), 'sandbox-merchant', changed, planned);
      expect(real.strike).toBe(nothingStrikes);
      const sandboxed = contextOf(runtimeWith({}), 'sandbox-merchant', changed, planned);
      expect(sandboxed.strike).not.toBe(nothingStrikes);
    }
  });

  it('balances start at zero, and the real clock applies', async () => {
    const runtime = runtimeWith({ sandbox: false });
    const context = contextOf(runtime, 'sandbox-merchant', await runtime.sandboxOf('sandbox-merchant'));
    expect(context.openingBalance('IDR')).toEqual(Money.zero('IDR'));
    expect(context.sandbox).toEqual(untouchedSandbox);
    const sandbox = contextOf(runtimeWith({}), 'sandbox-merchant', untouchedSandbox);
    expect(sandbox.openingBalance('IDR').isPositive()).toBe(true);
  });
});
