import type { Payout, Reason } from '../../domain/payout/payout.ts';
import { openContradictions } from '../../domain/payout/payout.ts';
import type { PayoutTransition } from '../../domain/payout/payout-status.ts';
import { payoutTransitions } from '../../domain/payout/payout-status.ts';
import { settledNotPaidCode, settledPaidCode, writtenOffCode } from '../../domain/payout/retries.ts';
import type { Evidence } from '../../payouts/evidence.ts';
import { describeEvidence, mayHavePaid, shownBy } from '../../payouts/evidence.ts';
import type { Disbursement } from '../../ports/provider.ts';
import { otherRecord } from '../../ports/provider.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';
import type { PayoutDecision } from '../schemas/payout.ts';
import { providerMisconfigured, providerRefused } from './provider-refused.ts';

/** Decisions that are compared with the provider's answer. */
export type WeighedDecision = Exclude<PayoutDecision, 'noted'>;

export type Settlement =
  /** The provider's answer is taken over. */
  | { readonly kind: 'observe'; readonly disbursement: Disbursement }
  /** The operator's decision is carried out. */
  | { readonly kind: 'move'; readonly transition: PayoutTransition; readonly reason: Reason }
  | Problem<'evidence_contradicts' | 'evidence_missing' | 'provider_refused' | 'provider_unavailable'>;

const moves = {
  not_paid: {
    transition: payoutTransitions.settleNotPaid,
    reason: {
      code: settledNotPaidCode,
      message: 'An operator settled it as not paid. The provider does not know it, or gave its money back.',
    },
  },
  paid: {
    transition: payoutTransitions.settlePaid,
    reason: { code: settledPaidCode, message: 'An operator vouches that it was paid.' },
  },
  written_off: {
    transition: payoutTransitions.writeOff,
    reason: { code: writtenOffCode, message: 'An operator has written it off: nothing pays it again.' },
  },
} as const satisfies Record<string, { readonly transition: PayoutTransition; readonly reason: Reason }>;

/** True when this decision already brought the payout to its status: the request was repeated. */
export const isSettledSo = ({ status, reason }: Payout, decision: WeighedDecision): boolean =>
  decision !== 'as_provider_says' &&
  status === moves[decision].transition.to &&
  reason?.code === moves[decision].reason.code;

const decisionsOfStatus = (status: Payout['status']): readonly WeighedDecision[] => {
  if (status === 'ready') return [];
  return status === 'quarantined' ? ['as_provider_says', 'not_paid', 'paid', 'written_off'] : ['as_provider_says'];
};

/** The decisions that a payout's state allows, before the provider is asked. */
export const decisionsOn = (payout: Payout): PayoutDecision[] => [
  ...decisionsOfStatus(payout.status),
  ...(openContradictions(payout).length > 0 ? (['noted'] as const) : []),
];

/** The problem when a payout's status does not allow a decision, before the provider is asked. Undefined when it does. */
export const decisionRefusal = (
  { batchId, status }: Payout,
  decision: WeighedDecision,
): Problem<'payout_conflict'> | undefined => {
  const decisions = decisionsOfStatus(status);
  if (decisions.includes(decision)) return undefined;
  const allowed =
    decisions.length === 0
      ? 'It cannot be settled yet.'
      : "It can only be settled as_provider_says, which takes over the provider's status.";
  return problem('payout_conflict', { detail: `The payout is ${status}. ${allowed}`, batchId, payoutStatus: status });
};

/**
 * Decides a settlement from the operator's decision and the provider's answer. A clear answer wins. If the fitting disbursement
 * has ended and agrees with the decision, it is taken over. If it contradicts the decision, the decision is refused. A failed one
 * that is written off is not taken over, because nothing may pay it again.
 *
 * `not_paid` allows paying again under a new reference. So it requires the provider's answer that nothing may have paid the
 * payout. `paid` and `written_off` allow no further payment, so an operator may decide them when the answer is unclear.
 */
export const decideSettlement = (decision: WeighedDecision, evidence: Evidence): Settlement => {
  if (decision === 'as_provider_says') return takeOver(evidence);
  if (decision === 'not_paid' && shownBy(evidence).some(mayHavePaid)) return contradicted(evidence);
  const move = { kind: 'move', ...moves[decision] } as const;
  switch (evidence.kind) {
    case 'fits':
      return decideOnFit(decision, evidence, move);
    case 'several':
      return evidence.fitting.some(({ status }) => status === 'completed') ? nameOne(evidence) : move;
    case 'unknown':
      return decision === 'not_paid' ? unanswered(evidence) : move;
    case 'differs':
    case 'absent':
      return move;
  }
};

const decideOnFit = (
  decision: Exclude<WeighedDecision, 'as_provider_says'>,
  evidence: Extract<Evidence, { kind: 'fits' }>,
  move: Settlement,
): Settlement => {
  const { disbursement, others } = evidence;
  const isAsDecided = decision === 'written_off' || (decision === 'not_paid' && others.length > 0);
  // Taken over, one that is written off would be in the retry file, and one that has others beside it would not.
  if (disbursement.status === 'failed' && isAsDecided) return move;
  switch (disbursement.status) {
    case 'completed':
      return decision === 'paid' ? { kind: 'observe', disbursement } : contradicted(evidence);
    case 'failed':
    case 'canceled':
      return decision === 'paid' ? contradicted(evidence) : { kind: 'observe', disbursement };
    case 'pending':
    case 'on_hold':
      return move;
  }
};

const takeOver = (evidence: Evidence): Settlement => {
  switch (evidence.kind) {
    case 'fits':
      return { kind: 'observe', disbursement: evidence.disbursement };
    case 'differs':
      return contradicted(evidence);
    case 'several':
      return nameOne(evidence);
    case 'absent':
      return problem('evidence_missing', {
        detail:
          'The provider does not know the payout, or not the disbursement that you named, so there is no status to take over.',
      });
    case 'unknown':
      return unanswered(evidence);
  }
};

const nameOne = (evidence: Extract<Evidence, { kind: 'several' }>): Problem<'evidence_contradicts'> =>
  problem('evidence_contradicts', {
    detail: `The provider has several disbursements with this reference. Settle it as_provider_says with the disbursementId of the right one: ${describeEvidence(evidence)}.`,
  });

const contradicted = (evidence: Evidence): Problem<'evidence_contradicts'> =>
  problem('evidence_contradicts', { detail: `The provider says: ${describeEvidence(evidence)}.` });

/** A provider that answers a reference with another record mostly does so again. The answer does not show whose record it is. */
const anotherRecord = problem('evidence_missing', {
  detail:
    'The provider answers with a record that has neither this id nor this reference. It may be this payout or another one. Ask again later if the payout is new. Otherwise ask the provider, and settle a quarantined payout as paid or written_off.',
});

const unanswered = ({ cause, isRefused, isMisconfigured }: Extract<Evidence, { kind: 'unknown' }>): Settlement => {
  if (isRefused) return providerRefused(cause);
  if (isMisconfigured) return providerMisconfigured(cause);
  if (cause === otherRecord) return anotherRecord;
  return problem('provider_unavailable', { detail: `The provider did not answer (${cause}). Ask again later.` });
};
