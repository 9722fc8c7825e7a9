import { hashDestination } from '../../domain/batch/chunk.ts';
import { FileAltered, InvariantBroken, ProviderRefused, ProviderUnavailable } from '../../domain/errors.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { foundUnpostedCode } from '../../payouts/decide.ts';
import { callsThatMayHaveMade } from '../../payouts/resolve.ts';
import type { Clock } from '../../ports/environment.ts';
import type { Files } from '../../ports/files.ts';
import type { BatchLedger } from '../../ports/ledger/batch-ledger.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import type { Disbursement, PaymentProvider } from '../../ports/provider.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';

export interface ProveAbsenceDependencies {
  readonly ledger: Pick<PayoutLedger, 'readChunk' | 'getPayoutByReference'> & Pick<BatchLedger, 'getBatch'>;
  readonly files: Pick<Files, 'getChunk'>;
  readonly provider: Pick<PaymentProvider, 'listByDestination' | 'traits'>;
  readonly clock: Clock;
}

const hourMs = 3_600_000;
/** By how much the provider's clock may be behind ours. */
const clockSkewMs = hourMs;

/**
 * Why it cannot be believed yet that the provider does not know a payout: a look-up may lag behind a creation by hours. That counts
 * from the last call that may have made it, or from when it was found although nothing had posted it.
 */
export const tooEarlyRefusal = async (
  { ledger, provider, clock }: ProveAbsenceDependencies,
  payout: Payout,
): Promise<Problem | undefined> => {
  const { batchId, chunk, rail, reason } = payout;
  const { calls = [] } = (await ledger.readChunk(batchId, chunk)) ?? {};
  const call = reason?.code === foundUnpostedCode ? undefined : callsThatMayHaveMade(calls, payout).at(-1);
  const since = call?.claimedAt ?? payout.statusSince ?? payout.updatedAt;
  const provenAt = Date.parse(since) + provider.traits.hiddenHours[rail] * hourMs;
  if (clock() >= provenAt) return undefined;
  const detail = `A lookup may lag behind: its absence proves nothing before ${new Date(provenAt).toISOString()}.`;
  return problem('too_early', { detail, batchId, payoutStatus: payout.status });
};

/** The address as the file has it: the ledger knows only its hash. */
const walletOf = async ({ ledger, files }: ProveAbsenceDependencies, payout: Payout): Promise<string> => {
  const { batchId, chunk, row, destinationHash } = payout;
  const { plan } = (await ledger.getBatch(batchId)) ?? {};
  const { payouts = [] } = plan === undefined ? {} : await files.getChunk(plan, chunk);
  const recipient = payouts.find((planned) => planned.row === row)?.recipient;
  if (recipient?.kind !== 'wallet' || hashDestination(recipient) !== destinationHash)
    throw new InvariantBroken(`row ${row}: the chunk file differs from the ledger`);
  return recipient.walletAddress;
};

/**
 * What may be a crypto payout although its reference does not find it: a transfer of its amount to its address, made since it was
 * registered, that is not known to be another payout's. Undefined when there is none.
 */
export const otherNameRefusal = async (
  dependencies: ProveAbsenceDependencies,
  payout: Payout,
): Promise<Problem | undefined> => {
  const { ledger, provider } = dependencies;
  const { batchId, chunk, amount, rail, status: payoutStatus } = payout;
  if (rail !== 'crypto') return undefined;
  const { record } = (await ledger.readChunk(batchId, chunk)) ?? {};
  const earliest = Date.parse(record?.registeredAt ?? '') - clockSkewMs;
  const isAnothers = async ({ reference, disbursementId }: Disbursement): Promise<boolean> => {
    const holder = reference === undefined ? undefined : await ledger.getPayoutByReference(reference);
    return holder?.disbursementId === disbursementId && holder.reference !== payout.reference;
  };
  try {
    const found: Disbursement[] = [];
    const walletAddress = await walletOf(dependencies, payout);
    for (const one of await provider.listByDestination({ walletAddress, amount })) {
      const isOlder = Date.parse(one.createdAt ?? '') < earliest;
      // One that came back counts too: nobody would hear of it when the provider changes its word.
      if (!isOlder && !(await isAnothers(one))) found.push(one);
    }
    if (found.length === 0) return undefined;
    const shown = found.map(({ disbursementId, status }) => `${disbursementId} is ${status}`).join(', ');
    const detail = `The provider shows its amount at its address, and no payout that it belongs to: ${shown}. Ask the provider whether that is it; then settle it as paid or written_off.`;
    return problem('evidence_contradicts', { detail, batchId, payoutStatus });
  } catch (error) {
    if (error instanceof FileAltered) return problem('file_altered', { batchId, payoutStatus });
    if (!(error instanceof ProviderRefused) && !(error instanceof ProviderUnavailable)) throw error;
    const detail = `The search by address and amount could not be finished, and proves nothing: ${error.message}.`;
    return problem('provider_unavailable', { detail, batchId, payoutStatus });
  }
};
