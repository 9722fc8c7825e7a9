import { inParallel } from '../domain/in-parallel.ts';
import type { PayoutLedger } from '../domain/ledger-port.ts';
import { payoutTransitions } from '../domain/payout-lifecycle.ts';
import type { Log } from '../domain/surroundings.ts';
import type { ChunkInput } from './step.ts';

export interface GiveUpDependencies {
  readonly ledger: Pick<PayoutLedger, 'readChunk' | 'movePayout'>;
  readonly log: Log;
}

/** After `followDays` whatever is still open is put into a person's hands. A webhook or a lookup can still end it. True when there was any. */
export const giveUpFollowing = async (
  { ledger, log }: GiveUpDependencies,
  { batchId, chunk }: Pick<ChunkInput, 'batchId' | 'chunk'>,
): Promise<boolean> => {
  const { payouts } = await ledger.readChunk(batchId, chunk);
  const open = payouts.filter(({ status }) => status === 'pending' || status === 'unknown' || status === 'submitting');
  const reason = {
    code: 'followed_too_long',
    message: 'The provider has not ended it in the time payouts are followed. Ask the provider.',
  };
  await inParallel(open, 16, async (payout) => {
    const moved = await ledger.movePayout(payout, payoutTransitions.quarantine, { reason });
    if (moved.kind === 'moved') log.alarm('PayoutQuarantined', { batchId, chunk, row: payout.row, code: reason.code });
  });
  return open.length > 0;
};
