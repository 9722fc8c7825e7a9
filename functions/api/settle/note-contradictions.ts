import type { Payout } from '../../domain/payout/payout.ts';
import { describeContradiction, openContradictions } from '../../domain/payout/payout.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';

export interface NotedBy {
  /** ARN of the operator. */
  readonly caller: string;
  /** Why, for the audit trail. */
  readonly reason: string;
}

/**
 * Takes an operator's word that all that contradicts a payout is seen to. The payout's status stays, and so does what is
 * recorded; it waits for nobody any more, until the provider shows something new. Asked again, it answers the same.
 */
export const noteContradictions = async (
  ledger: Pick<PayoutLedger, 'noteContradictions'>,
  payout: Payout,
  { caller, reason }: NotedBy,
): Promise<Payout | Problem> => {
  const { batchId, status, reference, contradictions = [] } = payout;
  if (contradictions.length === 0) {
    const detail = 'The provider has shown nothing against what is recorded of it.';
    return problem('nothing_contradicts', { detail, batchId, payoutStatus: status });
  }
  const open = openContradictions(payout);
  if (open.length === 0) return payout;
  const told = open.map(describeContradiction).join(', ');
  const detail = `${reference} noted; ${told}`;
  const answer = await ledger.noteContradictions(payout, { code: 'payout.settled', by: caller, detail, note: reason });
  if (answer.kind === 'moved' || openContradictions(answer.payout).length === 0) return answer.payout;
  return problem('payout_conflict', {
    detail: 'The provider has shown something else against it just now: look at it again.',
    batchId,
    payoutStatus: answer.payout.status,
  });
};
