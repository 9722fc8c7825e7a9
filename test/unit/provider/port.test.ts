import { afterAll } from 'vitest';
import type { Recipient } from '../../../functions/domain/batch/chunk-file.ts';
import type { Rail } from '../../../functions/domain/payout/payout.ts';
import { createPaymentProvider } from '../../../functions/provider/payment-provider.ts';
import { clientOf, serveIndependent } from '../../independent-provider/open.ts';
import { createSecondProvider } from '../../second-provider/adapter.ts';
import { routes, serveFunded } from '../../second-provider/open.ts';
import { minute } from '../../support/durations.ts';
import { describeProviderPort } from '../../support/provider-port/port-contract.ts';
import type { PortScene } from '../../support/provider-port/port-scene.ts';
import { referencesOf } from '../../support/provider-port/port-scene.ts';
import { tronAddress } from '../../support/wallet-addresses.ts';

const fair = { faults: 0, lag: 0, seed: 'port' };
const bank = { kind: 'bank', bankName: 'Bank', accountName: 'Siti Rahma', accountNumber: '0070001' } as const;

/** A clock that advances only when something settles. */
const createClock = () => {
  let now = Date.parse('2026-03-02T08:00:00Z');
  return {
    read: () => now,
    /** Never moves back. */
    moveTo: (at: number): void => {
      now = Math.max(now, at);
    },
  };
};

let drawn = 0;
const common: Pick<PortScene, 'currency' | 'recipient' | 'amount' | 'refusedRecipient'> = {
  currency: { fiat: 'IDR', crypto: 'usdt-tron' },
  recipient: (rail): Recipient =>
    rail === 'fiat' ? { ...bank, bankCode: 'BCA' } : { kind: 'wallet', walletAddress: tronAddress('port') },
  amount: (rail) => {
    drawn += 1;
    return rail === 'fiat' ? `${50_000 + drawn}.25` : `${10 + drawn}.000001`;
  },
  refusedRecipient: (rail): Recipient =>
    rail === 'fiat' ? { ...bank, bankCode: 'NOBANK' } : { kind: 'wallet', walletAddress: '' },
};

const rails: readonly Rail[] = ['fiat', 'crypto'];
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

describeProviderPort('the documented client, of a service written from the document alone', rails, async () => {
  const clock = createClock();
  const service = await serveIndependent(fair, clock.read);
  closing.push(service.close);
  const { disbursements } = service;
  return {
    ...common,
    newReference: referencesOf('unit'),
    errorBody: (status) => JSON.stringify({ statusCode: status, error: 'Error', message: 'Something went wrong' }),
    adapter: (otherwise = {}) => createPaymentProvider(clientOf(service.url, clock.read, otherwise)),
    made: async (rail, reference) =>
      disbursements.filter((one) => one.rail === rail && one.reference === reference).length,
    settle: async ({ disbursementId }) => {
      const course = disbursements.find((one) => one.disbursementId === disbursementId)?.course ?? [];
      clock.moveTo(course.at(-1)?.at ?? 0);
    },
  };
});

describeProviderPort('the second adapter, of a service of another shape', rails, async () => {
  const clock = createClock();
  const service = await serveFunded(fair, clock.read, {
    routes: routes.map((route) => ({ ...route, most: `1${'0'.repeat(20)}` })),
    funds: { IDR: '1000000000000', 'usdt-tron': `1${'0'.repeat(20)}` },
  });
  closing.push(service.close);
  const { url, token, payouts } = service;
  return {
    ...common,
    newReference: referencesOf('unit'),
    errorBody: () => JSON.stringify({ code: 'something_went_wrong' }),
    // More digits than a double can hold.
    amount: (rail) => `${rail === 'fiat' ? '' : '12345678901'}${common.amount(rail)}`,
    adapter: ({ baseUrl = url, ...otherwise } = {}) =>
      createSecondProvider({ url: baseUrl, token, timeoutMs: minute, ...otherwise }),
    stranger: () => createSecondProvider({ url, token: 'another', timeoutMs: minute }),
    made: async (_rail, reference) => payouts.filter(({ key }) => key === reference).length,
    settle: async ({ disbursementId }) => {
      const course = payouts.find(({ id }) => id === disbursementId)?.course ?? [];
      clock.moveTo(course.at(-1)?.at ?? 0);
    },
  };
});
