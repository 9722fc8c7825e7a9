import type { ChunkRecord, ContradictionTally } from '../../domain/batch/chunk.ts';
import { earliest, earliestByStatus } from '../../domain/batch/progress.ts';
import { given } from '../../domain/given.ts';
import { Money } from '../../domain/money/money.ts';
import type { Tallies, Tally } from '../../domain/money/tally.ts';
import { sumTallies } from '../../domain/money/tally.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { openContradictions } from '../../domain/payout/payout.ts';
import type { PayoutStatus } from '../../domain/payout/payout-status.ts';
import { isProofGivenUp, isWithoutProof } from '../../domain/payout/proofs.ts';

/** Times since which payouts have been in a status, oldest first. */
const timesIn = (payouts: readonly Payout[], status: PayoutStatus): readonly string[] =>
  payouts
    .filter((payout) => payout.status === status)
    .map((payout) => payout.statusSince ?? payout.updatedAt)
    .toSorted();

const tallyContradictions = (payouts: readonly Payout[]): ContradictionTally => {
  const open = payouts.map(openContradictions).filter(({ length }) => length > 0);
  const since = earliest(open.flat().map(({ at }) => at));
  const withoutProof = payouts.filter(isWithoutProof).length;
  return {
    recorded: payouts.reduce((sum, { contradictions = [] }) => sum + contradictions.length, 0),
    payouts: open.length,
    ...given({ since, withoutProof: withoutProof || undefined }),
  };
};

const tally = ({ amount, fee = Money.zero(amount.currency) }: Payout): Tally => ({ count: 1, amount, fee });

const tallyByStatus = (currency: string, payouts: readonly Payout[]): Tallies => {
  const tallies: Tallies = {};
  for (const [status, all] of Map.groupBy(payouts, (payout) => payout.status))
    tallies[status] = sumTallies(currency, all.map(tally));
  return tallies;
};

/**
 * Counts and sums payouts of one currency by status. Also counts proofs and contradictions, and finds since when payouts have
 * been in each waiting status. Statuses without payouts are left out.
 */
export const addUp = (
  currency: string,
  payouts: readonly Payout[],
): Pick<ChunkRecord, 'tallies' | 'proofs' | 'proofsGivenUp' | 'waitingSince' | 'lastHeldAt' | 'contradictions'> => {
  const proofsGivenUp = payouts.filter(isProofGivenUp).length;
  const lastHeldAt = timesIn(payouts, 'on_hold').at(-1);
  return {
    tallies: tallyByStatus(currency, payouts),
    proofs: payouts.filter(({ proof }) => proof !== undefined).length,
    waitingSince: earliestByStatus((status) => timesIn(payouts, status)),
    ...given({ proofsGivenUp: proofsGivenUp || undefined, lastHeldAt }),
    contradictions: tallyContradictions(payouts),
  };
};
