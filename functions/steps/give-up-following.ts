import { inParallel } from '../domain/in-parallel.ts';
import type { Payout } from '../domain/payout.ts';
import { payoutTransitions } from '../domain/payout-lifecycle.ts';
import type { Log } from '../ports/environment.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';

export interface GiveUpDependencies {
  readonly ledger: Pick<PayoutLedger, 'movePayout'>;
  readonly log: Log;
}

/** Puts payouts that were followed for `followDays` into a person's hands. A webhook or a lookup can still end them. */
export const giveUpFollowing = async (
  { ledger, log }: GiveUpDependencies,
  payouts: readonly Payout[],
): Promise<void> => {
  const reason = {
    code: 'followed_too_long',
    message: 'The provider has not ended it in the time payouts are followed. Ask the provider.',
  };
  await inParallel(payouts, 16, async (payout) => {
    const moved = await ledger.movePayout(payout, payoutTransitions.quarantine, { reason });
    if (moved.kind === 'moved') {
      const { batchId, chunk, row } = payout;
      log.alarm('PayoutQuarantined', { batchId, chunk, row, code: reason.code });
    }
  });
};
