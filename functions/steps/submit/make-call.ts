import { hash } from 'node:crypto';
import type { Batch } from '../../domain/batch/batch.ts';
import type { NextCall } from '../../domain/batch/chunk.ts';
import type { ChunkFile, PlannedPayout } from '../../domain/batch/chunk-file.ts';
import { InvariantBroken } from '../../domain/errors.ts';
import { asClaimed } from '../../domain/payout/claim.ts';
import { isHashOf } from '../../domain/payout/destination.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { withMoved } from '../../domain/payout/payout.ts';
import { requestMs } from '../../domain/settings.ts';
import { isoNow } from '../../ports/environment.ts';
import type { ChunkContents } from '../../ports/ledger/payout-ledger.ts';
import type { Needs } from '../../ports/needs.ts';
import type { SubmitAnswer } from '../../ports/provider.ts';
import type { Invocation } from '../as-step.ts';
import type { RecordCallAnswerDependencies } from './record-call-answer.ts';
import { recordCallAnswer } from './record-call-answer.ts';

export type MakeCallDependencies = RecordCallAnswerDependencies &
  Needs<{ ledger: 'claimCall' | 'recount'; provider: 'composeSubmission' | 'submit' }, 'settings' | 'ids'>;

/** A chunk that is being submitted. */
export interface Work {
  readonly chunkFile: ChunkFile;
  readonly batch: Batch;
  readonly contents: ChunkContents;
}

/**
 * Claims the call, makes its one POST and records the answer. Returns the latest chunk. `isSent` is false when nothing was
 * sent, or when another run has the call: an immediate retry would not help.
 */
export const makeCall = async (
  dependencies: MakeCallDependencies,
  { chunkFile, batch, contents }: Work,
  { k, rows }: NextCall,
  invocation: Invocation,
): Promise<{ readonly isSent: boolean; readonly contents: ChunkContents }> => {
  const { ledger, provider, settings, ids, clock, log } = dependencies;
  const { batchId, chunk, rail } = chunkFile;
  const { calls } = contents;
  const claimedRows = new Set(rows);
  const ready = contents.payouts.filter(({ row }) => claimedRows.has(row));
  const body = provider.composeSubmission(chunkFile, plannedOf(chunkFile, ready));
  const claimId = ids.unique();
  const payloadHash = hash('sha256', body);
  const newCall = { batchId, chunk, k, rows, payloadHash, claimId, claimedAt: isoNow(clock) };
  const claim = await ledger.claimCall(newCall);
  log.info('call.claim', { batchId, chunk, k, rows: rows.length, claim: claim.kind });
  if (claim.kind !== 'claimed') return { isSent: false, contents };
  const claimedPayouts = ready.map((payout) => asClaimed(payout, newCall));
  // Before the POST, so that a comparison of balance and reservations includes money that may be gone.
  const counted = await ledger.recount(contents, claimedPayouts);
  // When the claim took too long, no time is left for the answer. The call is then recorded as not sent.
  const answer: SubmitAnswer =
    invocation.remainingMs() < requestMs(settings)
      ? { kind: 'not_sent', cause: 'no_time_left' }
      : await provider.submit(rail, body);
  const cause = 'cause' in answer ? { cause: answer.cause } : {};
  log.info('call.answer', { batchId, chunk, k, answer: answer.kind, ...cause });
  const claimed = { call: newCall, calls, payouts: claimedPayouts, acknowledgedRefusals: batch.acknowledgedWords };
  const { call, payouts } = await recordCallAnswer(dependencies, claimed, answer, invocation);
  const updated = { ...counted, payouts: withMoved(counted.payouts, payouts), calls: [...calls, call] };
  return { isSent: answer.kind !== 'not_sent', contents: updated };
};

/**
 * Returns the chunk file's rows to pay, after comparing each with the ledger.
 *
 * @throws InvariantBroken when file and ledger differ in reference, rail, currency, amount or destination
 */
const plannedOf = (chunkFile: ChunkFile, payouts: readonly Payout[]): readonly PlannedPayout[] => {
  const planned = new Map(chunkFile.payouts.map((one) => [one.row, one]));
  return payouts.map(({ row, reference, rail, amount, destinationHash }) => {
    const found = planned.get(row);
    const isSame =
      found?.reference === reference &&
      chunkFile.rail === rail &&
      chunkFile.currency === amount.currency &&
      found.amount === amount.amount &&
      isHashOf(destinationHash, found.recipient);
    if (!isSame) throw new InvariantBroken(`row ${row}: the chunk file differs from the ledger`);
    return found;
  });
};
