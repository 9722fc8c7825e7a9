import { batchTransitions, credentialsRefused } from '../domain/batch-lifecycle.ts';
import type { Call, CallOutcome } from '../domain/chunk.ts';
import { recordSecondDisbursement } from '../domain/contradiction.ts';
import { inParallel } from '../domain/in-parallel.ts';
import { observePayout } from '../domain/observe-payout.ts';
import type { Payout } from '../domain/payout.ts';
import { payoutTransitions } from '../domain/payout-lifecycle.ts';
import { meaningOfRejection } from '../domain/rejection.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { BatchLedger } from '../ports/batch-ledger.ts';
import type { Clock, Log } from '../ports/environment.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import type { Disbursement, PaymentProvider, SubmitAnswer } from '../ports/provider.ts';
import { resolvePayouts } from './resolve-payouts.ts';

export interface SettleCallDependencies {
  readonly ledger: Pick<
    PayoutLedger,
    'recordCallOutcome' | 'readChunk' | 'movePayout' | 'recordContradiction' | 'countAbsence'
  > &
    Pick<BatchLedger, 'getBatch' | 'moveBatch'>;
  readonly provider: Pick<PaymentProvider, 'lookUp' | 'listByReference'>;
  readonly settings: Pick<OrchestratorSettings, 'fiatReferenceUnique' | 'resolveAfterSeconds'>;
  readonly clock: Clock;
  readonly log: Log;
}

type ClaimedCall = Pick<Call, 'batchId' | 'chunk' | 'k' | 'claimId' | 'rows'>;

/**
 * Writes down what became of a call: first the call's outcome, then each payout's status. A crash in between leaves
 * payouts `submitting`, which ResolveChunk settles by what the call says and what the provider says.
 */
export const settleCall = async (
  dependencies: SettleCallDependencies,
  call: ClaimedCall,
  answer: SubmitAnswer,
): Promise<void> => {
  const { ledger } = dependencies;
  const payouts = await payoutsOf(ledger, call);
  await ledger.recordCallOutcome(call, outcomeOf(answer, payouts));
  switch (answer.kind) {
    case 'answered':
      return recordAnswer(dependencies, call, payouts, answer.disbursements);
    case 'not_sent':
      return moveAll(ledger, call, payouts, 'release');
    case 'rejected':
      if (meaningOfRejection(answer.message) === 'insufficient_balance') await pauseForFunds(dependencies, call);
      return resolvePayouts(dependencies, call);
    case 'halted':
      await halt(dependencies, call);
      return undefined;
    case 'unknown':
      return moveAll(ledger, call, payouts, 'loseSight');
  }
};

const payoutsOf = async (ledger: SettleCallDependencies['ledger'], call: ClaimedCall): Promise<readonly Payout[]> => {
  const rows = new Set(call.rows);
  const { payouts } = await ledger.readChunk(call.batchId, call.chunk);
  return payouts.filter((payout) => rows.has(payout.row));
};

const byReference = (disbursements: readonly Disbursement[]): ReadonlyMap<string, Disbursement[]> => {
  const found = new Map<string, Disbursement[]>();
  for (const disbursement of disbursements) {
    if (disbursement.reference === undefined) continue;
    found.set(disbursement.reference, [...(found.get(disbursement.reference) ?? []), disbursement]);
  }
  return found;
};

const outcomeOf = (answer: SubmitAnswer, payouts: readonly Payout[]): CallOutcome => {
  switch (answer.kind) {
    case 'answered': {
      const found = byReference(answer.disbursements);
      const whole = payouts.every((payout) => found.get(payout.reference)?.length === 1);
      if (!whole) return { kind: 'unknown', cause: 'items_missing' };
      if (answer.disbursements.length !== payouts.length) return { kind: 'unknown', cause: 'items_unexpected' };
      return { kind: 'accepted' };
    }
    case 'not_sent':
      return { kind: 'not_sent' };
    case 'rejected':
      return { kind: 'rejected', message: answer.message };
    case 'halted':
      return { kind: 'halted' };
    case 'unknown':
      return { kind: 'unknown', cause: answer.cause };
  }
};

/**
 * Each payout the answer names is observed (and quarantined when it differs); the others are out of sight. A second
 * disbursement that it shows of one is recorded here and now: a lookup by reference would show one of the two.
 */
const recordAnswer = async (
  dependencies: SettleCallDependencies,
  { k }: ClaimedCall,
  payouts: readonly Payout[],
  disbursements: readonly Disbursement[],
): Promise<void> => {
  const found = byReference(disbursements);
  await inParallel(payouts, 16, async (payout) => {
    const [first, ...others] = found.get(payout.reference) ?? [];
    if (first === undefined) {
      await dependencies.ledger.movePayout(payout, payoutTransitions.loseSight, {}, { call: k });
      return;
    }
    let observed = await observePayout(dependencies, payout, first);
    for (const other of others) observed = await recordSecondDisbursement(dependencies, observed, other);
  });
};

const moveAll = async (
  ledger: SettleCallDependencies['ledger'],
  { k }: ClaimedCall,
  payouts: readonly Payout[],
  transition: 'release' | 'loseSight',
): Promise<void> =>
  inParallel(payouts, 16, async (payout) => {
    await ledger.movePayout(payout, payoutTransitions[transition], {}, { call: k });
  });

const pauseForFunds = async ({ ledger }: SettleCallDependencies, { batchId }: ClaimedCall): Promise<void> => {
  const reason = {
    code: 'insufficient_balance',
    message: 'The provider refused a call because the balance is too low. Top it up, then resume.',
  };
  await ledger.moveBatch(batchId, batchTransitions.pause, 'system', { reason, resumeTo: 'processing' }, reason.code);
};

const halt = async ({ ledger, log }: SettleCallDependencies, { batchId, chunk }: ClaimedCall): Promise<void> => {
  const reason = credentialsRefused;
  await ledger.moveBatch(batchId, batchTransitions.halt, 'system', { reason, resumeTo: 'processing' }, reason.code);
  log.alarm('BatchHalted', { batchId, chunk });
};
