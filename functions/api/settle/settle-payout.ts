import type { Audit } from '../../domain/batch/batch.ts';
import { otherAccountOf } from '../../domain/batch/plan.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { settledNotPaidCode } from '../../domain/payout/retries.ts';
import { apply } from '../../payouts/apply.ts';
import { followOne, recordBeside } from '../../payouts/decide-by-evidence.ts';
import type { Evidence } from '../../payouts/evidence.ts';
import { describeEvidence, shownBy } from '../../payouts/evidence.ts';
import type { LookupProvider } from '../../payouts/inspect.ts';
import { inspect } from '../../payouts/inspect.ts';
import type { Needs } from '../../ports/needs.ts';
import type { Disbursement } from '../../ports/provider.ts';
import { bind, files, ledger, log, providerForOperators } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf, ProblemOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';
import { findPayout } from '../payouts/find-payout.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import * as operations from '../schemas/operations/payout-operations.ts';
import { viewPayout } from '../views/payout.ts';
import type { Settlement, WeighedDecision } from './decide-settlement.ts';
import { decideSettlement, decisionRefusal, isSettledSo } from './decide-settlement.ts';
import { noteContradictions } from './note-contradictions.ts';
import type { ProveAbsenceDependencies } from './prove-absence.ts';
import { otherNameRefusal, tooEarlyRefusal } from './prove-absence.ts';

type SettlePayoutDependencies = ProveAbsenceDependencies &
  Needs<
    {
      ledger: 'movePayout' | 'recordContradiction' | 'countAbsence' | 'noteContradictions' | 'refreshChunk';
      provider: 'account';
    },
    'log'
  > & { readonly provider: LookupProvider };

type SettleRequest = Pick<RequestOf<typeof operations.settlePayout>, 'path' | 'body' | 'caller'>;

/**
 * Settles a payout by the provider's answer, or by an operator's decision when the answer is unclear (see decide-settlement.ts).
 * Or records that an operator has dealt with its contradictions.
 */
export const settlePayout = async (
  dependencies: SettlePayoutDependencies,
  { path: { reference }, body, caller }: SettleRequest,
): Promise<OutcomeOf<typeof operations.settlePayout>> => {
  const { ledger } = dependencies;
  const payout = await findPayout(ledger, reference);
  if (payout === undefined) return problem('payout_not_found');
  const { batchId, chunk } = payout;
  // An earlier attempt may have died before it updated the counts, and the provider may not answer this one.
  await ledger.refreshChunk(batchId, chunk);
  const settled =
    body.decision === 'noted'
      ? await noteContradictions(ledger, payout, body, caller)
      : await settle(dependencies, payout, { ...body, decision: body.decision }, caller);
  // Updates the batch's counts, also for contradictions recorded before a refusal.
  await ledger.refreshChunk(batchId, chunk);
  return 'kind' in settled ? settled : answer(200, viewPayout(settled));
};

const settle = async (
  dependencies: SettlePayoutDependencies,
  payout: Payout,
  body: SettleRequest['body'] & { readonly decision: WeighedDecision },
  caller: string,
): Promise<Payout | ProblemOf<typeof operations.settlePayout>> => {
  const { ledger, provider, log } = dependencies;
  const { batchId, chunk, row, reference, status: payoutStatus } = payout;
  const { decision } = body;
  if (isSettledSo(payout, decision)) return payout;
  const refusal =
    decisionRefusal(payout, decision) ??
    (await otherAccountRefusal(dependencies, payout, decision)) ??
    (decision === 'not_paid' ? await tooEarlyRefusal(dependencies, payout) : undefined);
  if (refusal !== undefined) return refusal;
  const named = decision === 'as_provider_says' ? body.disbursementId : undefined;
  const evidence = await inspect(provider, payout, { named, isThorough: true });
  const decided = decideSettlement(decision, evidence);
  // This search is slower than the rest, so it runs only when everything else allows the decision.
  const isAbsent = decision === 'not_paid' && decided.kind === 'move';
  const settlement =
    (isAbsent ? await otherNameRefusal(dependencies, payout, shownBy(evidence)) : undefined) ?? decided;
  // Recorded before the settlement: a failed payout may be paid again unless a contradiction is recorded.
  await recordOthers(dependencies, payout, evidence, settlement);
  const found = { evidence: evidence.kind, outcome: settlement.kind };
  log.info('payout.settle', { batchId, chunk, row, decision, ...found });
  if (settlement.kind === 'problem') return { ...settlement, about: { ...settlement.about, batchId, payoutStatus } };
  const audit: Audit = {
    code: 'payout.settled',
    by: caller,
    detail: `${reference} ${decision}; provider: ${describeEvidence(evidence)}`,
    note: body.reason,
  };
  if (settlement.kind === 'move') {
    const moved = await ledger.movePayout(payout, settlement.transition, { reason: settlement.reason }, { audit });
    // Someone else, or the provider's answer, was first.
    if (moved.kind === 'refused' && !isSettledSo(moved.payout, decision)) return conflict(moved.payout);
    return moved.payout;
  }
  const { disbursement } = settlement;
  const policy = followOne(disbursement, []);
  const { payout: observed } = await apply({ ledger, log }, payout, policy, audit);
  return observed.status === disbursement.status ? observed : conflict(observed, disbursement);
};

/** Refuses a decision that believes the provider, when the batch was planned for another account than the one that would answer. */
const otherAccountRefusal = async (
  { ledger, provider }: SettlePayoutDependencies,
  { batchId, status }: Payout,
  decision: WeighedDecision,
): Promise<Problem<'payout_conflict'> | undefined> => {
  if (decision === 'paid' || decision === 'written_off') return undefined;
  const planned = otherAccountOf((await ledger.getBatch(batchId)) ?? {}, provider.account);
  if (planned === undefined) return undefined;
  const detail = `The batch was planned for the account ${planned}, and ${provider.account} is deployed, which does not know its payouts. Deploy the former account, or settle a quarantined payout as paid or written_off.`;
  return problem('payout_conflict', { detail, batchId, payoutStatus: status });
};

/**
 * Records the other disbursements under the payout's reference, besides its own: the known one, or the one it is settled as now.
 */
const recordOthers = async (
  dependencies: SettlePayoutDependencies,
  payout: Payout,
  evidence: Evidence,
  settlement: Settlement | Problem,
): Promise<void> => {
  const shown = shownBy(evidence);
  const settledAs = settlement.kind === 'observe' ? settlement.disbursement.disbursementId : undefined;
  const ownId = payout.disbursementId ?? settledAs;
  // `not_paid` is accepted only when all of them gave their money back. A contradiction would forbid the retry.
  if (settlement.kind === 'move' && settlement.reason.code === settledNotPaidCode) return;
  // Until its own disbursement is known, none of them is known to be a second one.
  if (shown.length < 2 || (ownId === undefined && settlement.kind === 'problem')) return;
  await apply(dependencies, payout, recordBeside(shown, ownId));
};

/** @param shown the provider's disbursement, when it was asked */
const conflict = (
  { batchId, status, contradictions = [] }: Payout,
  shown?: Disbursement,
): Problem<'payout_conflict'> => {
  const isRecorded = contradictions.some(
    ({ disbursementId, observed }) => disbursementId === shown?.disbursementId && observed === shown.status,
  );
  const detail = isRecorded
    ? `The payout is ${status}, but the provider now shows ${shown?.status}. Its contradictions record that.`
    : `The payout is ${status}.`;
  return problem('payout_conflict', { detail, batchId, payoutStatus: status });
};

export const handler = endpoint(
  log,
  operations.settlePayout,
  bind(settlePayout, { ledger, files, provider: providerForOperators }),
);
