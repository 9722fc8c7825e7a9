import { describe, expect, it } from 'vitest';
import { wantsLook } from '../../../../functions/console/views/batches.ts';
import type { PlannedPayout } from '../../../../functions/domain/batch/chunk-file.ts';
import { hashDestination } from '../../../../functions/domain/payout/destination.ts';
import type { ObservedStatus } from '../../../../functions/domain/payout/payout-status.ts';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import type { PaymentProvider } from '../../../../functions/ports/provider.ts';
import { Timeline } from '../../../simulation/world/timeline.ts';
import { idr, paymentMethod } from '../../../support/money.ts';
import { orchestratorInMemory } from '../../../support/orchestrator-in-memory.ts';
import { createListedProvider } from '../../../support/scenes/listed-provider.ts';

const bca = paymentMethod({
  rail: 'fiat',
  ...{ currency: 'IDR', code: 'BCA', name: 'BCA' },
  ...{ minAmount: '1', maxAmount: '100000000', feeFlat: '0', feePercentage: '0' },
});

/** Batches whose payouts end as `endOf` decides by reference, each in a call of its own. */
const sceneOf = (endOf: (reference: string) => ObservedStatus) => {
  const timeline = new Timeline(Date.parse('2026-03-02T08:00:00Z'));
  const listed = createListedProvider(() => timeline.now, { payoutsPerCall: 1 });
  const composed = new Map<string, readonly PlannedPayout[]>();
  const never = async (): Promise<never> => {
    throw new Error('never asked');
  };
  let made = 0;
  const provider: PaymentProvider = {
    ...listed.provider,
    listPaymentMethods: async (rail) => (rail === 'fiat' ? [bca] : []),
    readBalances: async () => new Map([['IDR', idr('1000000000')]]),
    estimateFee: async () => undefined,
    quoteConversion: never,
    convert: never,
    destinationSearch: () => never,
    downloadProof: async () => Buffer.from('%PDF-1.4\n%%EOF\n'),
    composeSubmission: (_currency, payouts) => {
      const body = JSON.stringify(payouts);
      composed.set(body, payouts);
      return body;
    },
    submit: async (rail, body) => ({
      kind: 'answered',
      disbursements: (composed.get(body) ?? []).map(({ reference, amount, recipient }) => {
        const status = endOf(reference);
        return listed.add({
          ...{ disbursementId: `d-${++made}`, reference, rail, amount: idr(amount), fee: idr('0') },
          ...{ status, providerStatus: status, destinationHash: hashDestination(recipient) },
        });
      }),
    }),
  };
  const failures: string[] = [];
  const orchestrator = orchestratorInMemory({
    ...{ timeline, provider, longestMs: 900_000_000, settings: orchestratorSettings().parse({ maxRows: 10_000 }) },
    onFailure: (what) => failures.push(what),
  });
  const fileOf = (...rows: readonly (readonly [string, string])[]): Buffer =>
    Buffer.from(
      [
        'reference,amount,currency,bankCode,bankName,accountNumber,accountName',
        ...rows.map(([reference, account]) => `${reference},50000,IDR,BCA,BCA,${account},Siti Rahma`),
        '',
      ].join('\n'),
    );
  const pay = async (file: Buffer, more: { readonly canary?: number } = {}): Promise<string> => {
    const batchId = await orchestrator.start(file, 'disburse', 'reject', more);
    await orchestrator.untilRest(batchId);
    return batchId;
  };
  /** A batch of four payouts, and its retry file. */
  const payFour = async () => {
    const batchId = await pay(fileOf(['p1', '0070011'], ['p2', '0070012'], ['p3', '0070013'], ['p4', '0070014']));
    const retry = orchestrator.content(orchestrator.batchOf(batchId).report?.retryKey ?? '');
    if (retry === undefined) throw new Error('there is no retry file');
    return { batchId, retry };
  };
  return {
    ...orchestrator,
    ...{ fileOf, pay, payFour, failures },
    wantsLook: async (batchId: string) => wantsLook(await orchestrator.viewOf(batchId)),
  };
};

const isRetry = (reference: string): boolean => reference.includes('.r');

describe('a batch that paid nobody', () => {
  it('needs no attention once its retry file has paid everyone', async () => {
    const scene = sceneOf((reference) => (isRetry(reference) ? 'completed' : 'failed'));
    const { batchId, retry } = await scene.payFour();
    expect(await scene.wantsLook(batchId)).toBe(true);
    const again = await scene.pay(retry);
    const triedAgain = [{ batchId: again, status: 'completed', payouts: 4, paid: 4 }];
    expect((await scene.viewOf(batchId)).triedAgain).toEqual(triedAgain);
    expect(await scene.wantsLook(batchId)).toBe(false);
    expect(scene.failures).toEqual([]);
  });

  it('needs no attention once the retry of its retry has paid everyone', async () => {
    const scene = sceneOf((reference) => (reference.endsWith('.r2') ? 'completed' : 'failed'));
    const { batchId, retry } = await scene.payFour();
    const second = await scene.pay(retry);
    expect(await scene.wantsLook(batchId)).toBe(true);
    await scene.pay(scene.content(scene.batchOf(second).report?.retryKey ?? '') ?? Buffer.of());
    expect([await scene.wantsLook(batchId), await scene.wantsLook(second)]).toEqual([false, false]);
  });

  it('needs attention while two retry files share rows and other rows are in none', async () => {
    const scene = sceneOf((reference) => (isRetry(reference) ? 'completed' : 'failed'));
    const { batchId } = await scene.payFour();
    const start = (...accounts: readonly [string, string]) =>
      scene.start(scene.fileOf(['p1.r1', accounts[0]], ['p2.r1', accounts[1]]), 'disburse', 'reject');
    const others = [await start('0070021', '0070022'), await start('0070031', '0070032')];
    for (const other of others) await scene.untilRest(other);
    expect(await scene.wantsLook(batchId)).toBe(true);
  });

  it.each<[string, ObservedStatus]>([
    ['failed', 'failed'],
    ['was paid', 'completed'],
  ])('needs attention when its retry was canceled while the first row %s', async (_, end) => {
    let again = '';
    const scene = sceneOf((reference) => {
      if (reference === 'p1.r1') void scene.cancel(again);
      return isRetry(reference) ? end : 'failed';
    });
    const { batchId, retry } = await scene.payFour();
    again = await scene.start(retry, 'disburse', 'reject', { canary: 1 });
    await scene.untilRest(again);
    expect((await scene.viewOf(again)).status).toBe('canceled');
    expect(await scene.wantsLook(batchId)).toBe(true);
  });

  it('needs attention for payouts that the provider canceled, because no retry file has them', async () => {
    const scene = sceneOf((reference) =>
      isRetry(reference) ? 'completed' : /[34]$/.test(reference) ? 'canceled' : 'failed',
    );
    const { batchId, retry } = await scene.payFour();
    await scene.pay(retry);
    const { attention } = await scene.viewOf(batchId);
    expect(attention.map(({ code }) => code)).toEqual(['batch_failed']);
    expect(attention[0]?.message).toContain('Pay those that are owed in a file of their own');
    expect(attention[0]?.requests).toEqual([`GET /batches/${batchId}/files/results.csv`]);
  });
});
