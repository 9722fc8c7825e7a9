import { ProviderUnavailable } from '../domain/errors.ts';
import type { DisbursementPage, PaymentProvider } from '../ports/provider.ts';

/** Attempts per page. Each waits for its turn within the provider's limit. */
const mostAttempts = 3;

/** True when all times of a page are known and none is newer than the one before. Equal times prove no order. */
export const areNewestFirst = (times: readonly string[]): boolean =>
  times.every((time, index) => time !== '' && time <= (times[index - 1] ?? time));

/**
 * Reads a page of a list, and retries when there is no answer. Without retries the next run would read the earlier pages again.
 * With a provider that accepts few concurrent requests, no run would reach the last page.
 *
 * @param hasTime returns true while there is time for one more request
 */
export const readPage = async (
  provider: Pick<PaymentProvider, 'listDisbursements'>,
  query: Parameters<PaymentProvider['listDisbursements']>[0],
  hasTime: () => boolean,
): Promise<DisbursementPage> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await provider.listDisbursements(query);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable) || attempt >= mostAttempts || !hasTime()) throw error;
    }
  }
};
