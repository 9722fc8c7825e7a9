import { recordSecondDisbursement } from '../domain/contradiction.ts';
import { inParallel } from '../domain/in-parallel.ts';
import type { ObservePayoutDependencies } from '../domain/observe-payout.ts';
import { observePayout } from '../domain/observe-payout.ts';
import type { Payout } from '../domain/payout.ts';
import { isEnd } from '../domain/payout-lifecycle.ts';
import type { Disbursement, DisbursementPage } from '../ports/provider.ts';

export interface Strays {
  /** Keeps what a page shows that is not what was asked about. */
  look(page: DisbursementPage): void;
  /** Writes down what was kept: nothing, nearly always. */
  record(dependencies: ObservePayoutDependencies): Promise<void>;
}

/**
 * What pages of the provider's list show under the references of a chunk beside what was asked about: a second
 * disbursement of one, a changed word about a payout that has ended, or one of a payout that nothing was made for.
 *
 * @param wanted the payouts asked about, by disbursement id: those are observed by who asked
 */
export const straysOf = (chunk: readonly Payout[], wanted: ReadonlyMap<string, Payout>): Strays => {
  // The reference of a duplicate is that of another payout, whose disbursement this is.
  const byReference = new Map(
    chunk.filter(({ heldBy }) => heldBy === undefined).map((payout) => [payout.reference, payout]),
  );
  const kept = new Map<string, { readonly payout: Payout; readonly disbursement: Disbursement }>();
  return {
    look: ({ disbursements }) => {
      for (const disbursement of disbursements) {
        const { reference, disbursementId } = disbursement;
        const payout = reference === undefined ? undefined : byReference.get(reference);
        if (payout !== undefined && !wanted.has(disbursementId)) kept.set(disbursementId, { payout, disbursement });
      }
    },
    record: (dependencies) =>
      inParallel(kept.values(), 8, async ({ payout, disbursement }) => {
        await observeStray(dependencies, payout, disbursement);
      }),
  };
};

const observeStray = async (
  dependencies: ObservePayoutDependencies,
  payout: Payout,
  disbursement: Disbursement,
): Promise<void> => {
  const { disbursementId, status } = payout;
  if (disbursementId !== undefined && disbursementId !== disbursement.disbursementId) {
    await recordSecondDisbursement(dependencies, payout, disbursement);
    return;
  }
  // What is in doubt is looked up by who settles its call, or by a person: a page may show one of several.
  if (status === 'ready' || isEnd(status)) await observePayout(dependencies, payout, disbursement);
};
