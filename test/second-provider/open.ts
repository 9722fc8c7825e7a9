import type { Clock } from '../../functions/ports/environment.ts';
import type { PaidThrough, World } from '../support/scenes/pay-a-batch.ts';
import { banks, timeoutMs } from '../support/scenes/pay-a-batch.ts';
import { createSecondProvider, secondWebhookNames } from './adapter.ts';
import type { Route, Step } from './books.ts';
import { stateAt } from './books.ts';
import type { SecondOptions, SecondProvider } from './serve.ts';
import { serveSecond } from './serve.ts';

export const routes: Route[] = [
  ...banks.map((bank) => ({
    ...{ unit: 'IDR', bank, title: `Bank ${bank}`, least: '10000', most: '500000000' },
    price: { flat: '2500', percent: '0.1' },
  })),
  { unit: 'usdt-tron', title: 'Tether USD', least: '1', most: '500000', price: { flat: '1', percent: '0' } },
];

/** Starts the provider with more money than any test pays, unless `changes` says otherwise. */
export const serveFunded = (
  { faults, lag, seed }: Pick<World, 'faults' | 'lag' | 'seed'>,
  now: Clock,
  changes: Partial<SecondOptions> = {},
): Promise<SecondProvider> =>
  serveSecond({
    ...{ seed, faults, lag, now, routes, keyHours: 24 },
    funds: { IDR: '1000000000000', 'usdt-tron': '1000000' },
    ...changes,
  });

const wordOf: Readonly<Record<Step['state'], string>> = {
  queued: 'queued',
  sending: 'sending',
  settled: 'completed',
  returned: 'failed',
};

/** Opens the provider for `payABatch`. */
export const openSecond =
  (world: World, changes: Partial<SecondOptions> = {}) =>
  async (clock: Clock): Promise<PaidThrough> => {
    const second = await serveFunded(world, clock, changes);
    const { url, token, http } = second;
    return {
      provider: createSecondProvider({ url, token, timeoutMs, http }),
      made: () => second.payouts.map((one) => ({ reference: one.key, word: wordOf[stateAt(one, clock())] })),
      struck: second.struck,
      requests: second.requests,
      webhooks: {
        names: secondWebhookNames,
        take: () => second.takeWebhooks().map(({ body }) => JSON.stringify(body)),
      },
      close: second.close,
    };
  };
