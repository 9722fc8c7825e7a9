import { hourMs } from '../../domain/durations.ts';
import { codeOf, isProviderError, ProviderMisconfigured, ProviderRefused } from '../../domain/errors.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { callsThatMayHaveMade } from '../../payouts/decide-by-calls.ts';
import { foundUnpostedCode } from '../../payouts/decide-by-evidence.ts';
import type { Needs } from '../../ports/needs.ts';
import type { Disbursement } from '../../ports/provider.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';
import { chunkFileProblem } from '../payouts/chunk-file-problem.ts';
import { readPlanned } from '../payouts/read-planned.ts';
import { providerMisconfigured, providerRefused } from './provider-refused.ts';

export type ProveAbsenceDependencies = Needs<
  {
    ledger: 'readChunk' | 'getPayoutByReference' | 'getBatch';
    files: 'getChunk';
    provider: 'destinationSearch' | 'traits';
  },
  'clock'
>;

/**
 * How many milliseconds before its registration a payout's transfer may seem to have been created: the provider's clock may be
 * behind ours. Far above `clocksDifferMs`, because a transfer that counts by mistake only costs a question to the provider.
 */
const createdBeforeMarginMs = hourMs;

/**
 * Refuses while absence proves nothing: a lookup may lag hours behind a creation. The time counts from the last call that may
 * have created the payout. Without such a call, and for a payout that was found although no call had posted it, it counts from
 * the last change of status. Undefined once absence is proof.
 */
export const tooEarlyRefusal = async (
  { ledger, provider, clock }: ProveAbsenceDependencies,
  payout: Payout,
): Promise<Problem<'too_early'> | undefined> => {
  const { batchId, chunk, rail, reason } = payout;
  const { calls = [] } = (await ledger.readChunk(batchId, chunk)) ?? {};
  const call = reason?.code === foundUnpostedCode ? undefined : callsThatMayHaveMade(calls, payout).at(-1);
  const since = call?.claimedAt ?? payout.statusSince ?? payout.updatedAt;
  const provenAt = Date.parse(since) + provider.traits.rails[rail].hiddenHours * hourMs;
  if (clock() >= provenAt) return undefined;
  const detail = `Lookups may lag behind. Absence proves nothing before ${new Date(provenAt).toISOString()}.`;
  return problem('too_early', { detail, batchId, payoutStatus: payout.status });
};

type OtherNameProblem = Problem<
  'evidence_contradicts' | 'provider_refused' | 'provider_unavailable' | 'file_altered' | 'file_gone'
>;

/**
 * Refuses when a payout may have been paid although a lookup by reference shows nothing. Looks for transfers of its amount to its
 * destination. A transfer may be this payout if it was made at most an hour before the payout's registration, or later, and
 * belongs to no other known payout. Also refuses when the search fails, or the chunk file was changed or deleted. Undefined when
 * nothing was found, or the rail needs no such search.
 *
 * @param weighed the payout's own disbursements, which gave their money back: lookups show it if that changes
 */
export const otherNameRefusal = async (
  { ledger, files, provider }: ProveAbsenceDependencies,
  payout: Payout,
  weighed: readonly Disbursement[],
): Promise<OtherNameProblem | undefined> => {
  const { batchId, chunk, amount, rail, status: payoutStatus } = payout;
  const search = provider.destinationSearch(rail);
  if (search === undefined) return undefined;
  const { record } = (await ledger.readChunk(batchId, chunk)) ?? {};
  const earliest = Date.parse(record?.registeredAt ?? '') - createdBeforeMarginMs;
  const isOfOtherPayout = async ({ reference, disbursementId }: Disbursement): Promise<boolean> => {
    const holder = reference === undefined ? undefined : await ledger.getPayoutByReference(reference);
    return holder?.disbursementId === disbursementId && holder.reference !== payout.reference;
  };
  try {
    const found: Disbursement[] = [];
    const { recipient } = await readPlanned(ledger, files, payout);
    for (const one of await search({ recipient, amount })) {
      if (weighed.some(({ disbursementId }) => disbursementId === one.disbursementId)) continue;
      const isOlder = Date.parse(one.createdAt ?? '') < earliest;
      // Returned transfers count too: nobody would notice if the provider changed their status later.
      if (!isOlder && !(await isOfOtherPayout(one))) found.push(one);
    }
    if (found.length === 0) return undefined;
    const shown = found.map(({ disbursementId, status }) => `${disbursementId} is ${status}`).join(', ');
    const detail = `The provider shows a transfer of its amount to its destination that belongs to no known payout: ${shown}. Ask the provider whether it is this payout. If so, and it was paid, settle it as paid, otherwise as written_off.`;
    return problem('evidence_contradicts', { detail, batchId, payoutStatus });
  } catch (error) {
    if (error instanceof ProviderRefused) return providerRefused(codeOf(error));
    if (error instanceof ProviderMisconfigured) return providerMisconfigured(codeOf(error));
    if (!isProviderError(error)) return chunkFileProblem(error, { batchId, payoutStatus });
    const detail = `The search by destination and amount did not finish (${codeOf(error)}), so it proves nothing.`;
    return problem('provider_unavailable', { detail, batchId, payoutStatus });
  }
};
