import type { Clock } from '../../functions/ports/environment.ts';
import type { PaymentProviderDependencies } from '../../functions/provider/payment-provider.ts';
import { createPaymentProvider } from '../../functions/provider/payment-provider.ts';
import { documentedTraits, providerTraits } from '../../functions/provider/settings.ts';
import { minute } from '../support/durations.ts';
import { realProvider } from '../support/real-provider.ts';
import type { PaidThrough, World } from '../support/scenes/pay-a-batch.ts';
import { banks, timeoutMs } from '../support/scenes/pay-a-batch.ts';
import { silentLog } from '../support/silent-log.ts';
import { chance, statusAt } from './account.ts';
import type { Methods } from './endpoints.ts';
import type { IndependentProvider } from './serve.ts';
import { serve } from './serve.ts';

const limits = { feeFlat: 2500, feePercentage: 0.1 };
const methods: Methods = {
  fiat: banks.map((bankCode) => ({
    ...{ currency: 'IDR', bankCode, bankName: `Bank ${bankCode}`, minAmount: 10_000, maxAmount: 500_000_000 },
    ...limits,
  })),
  crypto: [
    {
      ...{ currency: 'usdt-tron', network: 'tron', symbol: 'USDT', name: 'Tether USD' },
      ...{ minimumAmount: 1, maximumAmount: 500_000, feeFlat: 1, feePercentage: 0 },
    },
  ],
};

/** Starts the provider with more money than any test pays. */
export const serveIndependent = (
  { faults, lag, seed }: Pick<World, 'faults' | 'lag' | 'seed'>,
  now: Clock,
): Promise<IndependentProvider> =>
  serve({ ...{ seed, faults, lag, methods, now }, funds: { IDR: '1000000000000', 'usdt-tron': '1000000' } });

/** Dependencies of the documented client for it. A test may replace some. */
export const clientOf = (
  url: string,
  clock: Clock,
  changes: Partial<PaymentProviderDependencies> = {},
): PaymentProviderDependencies => ({
  ...{ baseUrl: url, signing: realProvider.signing, clock, timeoutMs: minute, log: silentLog },
  traits: documentedTraits(),
  credentials: async (convention) =>
    convention === 'signed' ? { clientId: 'client', clientSecret: 'secret' } : { apiKey: 'key' },
  random: () => 0.5,
  ...changes,
});

/** Opens the provider for `payABatch`. */
export const openIndependent =
  (world: World) =>
  async (clock: Clock): Promise<PaidThrough> => {
    const independent = await serveIndependent(world, clock);
    let drawn = 0;
    const provider = createPaymentProvider(
      clientOf(independent.url, clock, {
        timeoutMs,
        http: independent.http,
        traits: providerTraits().parse({ payoutsPerCall: 10 }),
        random: () => {
          drawn += 1;
          return chance(world.seed, 'nonce', drawn);
        },
      }),
    );
    return {
      provider,
      made: () =>
        independent.disbursements.map((one) => ({ reference: one.reference ?? '', word: statusAt(one, clock()) })),
      struck: independent.struck,
      requests: independent.requests,
      close: independent.close,
    };
  };
