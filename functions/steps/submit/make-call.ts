import { createHash } from 'node:crypto';
import type { Batch } from '../../domain/batch/batch.ts';
import type { NextCall } from '../../domain/batch/chunk.ts';
import { hashDestination } from '../../domain/batch/chunk.ts';
import type { ChunkFile, PlannedPayout } from '../../domain/batch/chunk-file.ts';
import { InvariantBroken } from '../../domain/errors.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { withMoved } from '../../domain/payout/payout.ts';
import { submitMargins } from '../../domain/settings.ts';
import { isoNow } from '../../ports/environment.ts';
import type { ChunkContents } from '../../ports/ledger/payout-ledger.ts';
import type { SubmitAnswer } from '../../ports/provider.ts';
import type { Invocation, Needs } from '../step.ts';
import type { RecordCallAnswerDependencies } from './record-call-answer.ts';
import { recordCallAnswer } from './record-call-answer.ts';

export type MakeCallDependencies = RecordCallAnswerDependencies &
  Needs<{ ledger: 'claimCall' | 'recount'; provider: 'composeSubmission' | 'submit' }, 'settings' | 'ids'>;

/** A chunk at work. */
export interface Work {
  readonly chunkFile: ChunkFile;
  readonly batch: Batch;
  readonly contents: ChunkContents;
}

/** Milliseconds from the POST until its answer is written down, at the worst. */
export const postMs = ({ settings }: Pick<MakeCallDependencies, 'settings'>): number =>
  settings.httpTimeoutSeconds * 1000 + submitMargins.settleMs;

/**
 * Claims the call, makes its one POST and writes the answer down. Answers the chunk as it then stands, and whether the call
 * was sent. It was not when nothing left, or somebody else has the call: trying again at once would not help.
 */
export const makeCall = async (
  dependencies: MakeCallDependencies,
  { chunkFile, batch, contents }: Work,
  { k, rows }: NextCall,
  invocation: Invocation,
): Promise<{ readonly isSent: boolean; readonly contents: ChunkContents }> => {
  const { ledger, provider, ids, clock, log } = dependencies;
  const { batchId, chunk, rail } = chunkFile;
  const claimedRows = new Set(rows);
  const ready = contents.payouts.filter(({ row }) => claimedRows.has(row));
  const body = provider.composeSubmission(chunkFile, plannedOf(chunkFile, ready));
  const claimId = ids.unique();
  const payloadHash = createHash('sha256').update(body).digest('hex');
  const newCall = { batchId, chunk, k, rows, payloadHash, claimId };
  const claimedAt = isoNow(clock);
  const claim = await ledger.claimCall(newCall);
  log.info('call.claim', { batchId, chunk, k, rows: rows.length, claim: claim.kind });
  if (claim.kind !== 'claimed') return { isSent: false, contents };
  const claimedPayouts = ready.map((payout) => asClaimed(payout, k));
  // Before the POST: who holds balance and reservations together must see that the money may be gone.
  const counted = await ledger.recount(contents, claimedPayouts);
  // A claim that took too long leaves no time for its answer: the permit is given back unused.
  const answer: SubmitAnswer =
    invocation.remainingMs() < postMs(dependencies)
      ? { kind: 'not_sent', cause: 'no_time_left' }
      : await provider.submit(rail, body);
  const cause = 'cause' in answer ? { cause: answer.cause } : {};
  log.info('call.answer', { batchId, chunk, k, answer: answer.kind, ...cause });
  const claimed = {
    call: { ...newCall, claimedAt },
    calls: contents.calls,
    payouts: claimedPayouts,
    ...(batch.acknowledgedWords === undefined ? {} : { acknowledgedWords: batch.acknowledgedWords }),
  };
  const { call, payouts } = await recordCallAnswer(dependencies, claimed, answer, invocation);
  const standing = {
    record: counted.record,
    payouts: withMoved(counted.payouts, payouts),
    calls: [...contents.calls, call],
  };
  return { isSent: answer.kind !== 'not_sent', contents: standing };
};

/** A payout as the claim leaves it: what was counted and said before belongs to the submission before this one. */
const asClaimed = ({ absences: _absences, reason: _reason, ...payout }: Payout, k: number): Payout => ({
  ...payout,
  status: 'submitting',
  call: k,
});

/**
 * The rows to pay as the chunk file has them, each held against what the ledger says of it.
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
      hashDestination(found.recipient) === destinationHash;
    if (!isSame) throw new InvariantBroken(`row ${row}: the chunk file differs from the ledger`);
    return found;
  });
};
