import { formatCount, plural } from '../../domain/money/format-money.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { describeContradiction, openContradictions } from '../../domain/payout/payout.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';
import type { SettlePayoutBody } from '../schemas/settle.ts';

/**
 * Records that an operator has dealt with all contradictions of a payout. A request that gives another number of them
 * (`contradictions`) is refused. The status and the contradictions stay. They no longer wait for a person, until the provider
 * contradicts the payout again. Idempotent. The caller is an ARN, the reason is for the audit trail.
 */
export const noteContradictions = async (
  ledger: Pick<PayoutLedger, 'noteContradictions'>,
  payout: Payout,
  { reason, contradictions: read }: Pick<SettlePayoutBody, 'reason' | 'contradictions'>,
  caller: string,
): Promise<Payout | Problem<'nothing_contradicts' | 'payout_conflict'>> => {
  const { batchId, status, reference, contradictions = [] } = payout;
  if (contradictions.length === 0) {
    const detail = 'The provider has not contradicted this payout.';
    return problem('nothing_contradicts', { detail, batchId, payoutStatus: status });
  }
  const conflict = ({ status: payoutStatus, contradictions: recorded = [] }: Payout): Problem<'payout_conflict'> =>
    problem('payout_conflict', {
      detail: `It has ${formatCount(recorded.length)} ${plural(recorded.length, 'contradiction')} now. Look at it again.`,
      batchId,
      payoutStatus,
    });
  if (read !== undefined && read !== contradictions.length) return conflict(payout);
  const open = openContradictions(payout);
  if (open.length === 0) return payout;
  const summary = open.map(describeContradiction).join(', ');
  const detail = `${reference} noted; ${summary}`;
  const answer = await ledger.noteContradictions(payout, { code: 'payout.settled', by: caller, detail, note: reason });
  if (answer.kind === 'moved' || openContradictions(answer.payout).length === 0) return answer.payout;
  return conflict(answer.payout);
};
