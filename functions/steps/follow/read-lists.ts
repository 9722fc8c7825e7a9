import { ProviderRefused, ProviderUnavailable } from '../../domain/errors.ts';
import type { ListState } from '../../domain/follow-state.ts';
import type { Rail } from '../../domain/payout.ts';
import { askUnseen, confirmOpen } from './confirm-open.ts';
import { createShownPayouts } from './find-shown.ts';
import { openCount } from './list-pages.ts';
import { readAllChanges } from './read-changes.ts';
import type { Sweep, SweepDependencies } from './sweep.ts';
import { addUpTouched } from './sweep.ts';

/** Open payouts of a rail that are sooner asked about one by one than looked for in lists. */
const few = 2;
/** Milliseconds before the batch began from which changes are read at first: our clock and the provider's may differ. */
const clocksDifferMs = 5 * 60_000;

/**
 * Brings the payouts of one rail that the provider works on to what it says of them: changes first, then what they did not
 * show, each list read once for all chunks. An outage of the provider costs this sweep and nothing else.
 *
 * @param from ISO 8601 UTC: when the batch began to disburse
 * @param isSubmitting whether children may still be submitting
 */
export const readLists = async (
  dependencies: SweepDependencies,
  sweep: Sweep,
  rail: Rail,
  kept: ListState | undefined,
  from: string,
  isSubmitting: boolean,
): Promise<ListState> => {
  const payouts = createShownPayouts(dependencies, sweep, rail);
  const of = { dependencies, sweep, rail, payouts, rested: new Set<string>() };
  const began = new Date(Date.parse(from) - clocksDifferMs).toISOString();
  const now = new Date(sweep.nowMs).toISOString();
  // Whatever the batch made before the first look at the lists, it made just now.
  let state = kept ?? { marks: {}, confirmedAt: now, sweepsSince: 0, isDistrusted: false, isSubmitting: true };
  try {
    if (openCount(of) > few) {
      state = await readAllChanges(of, state, began, isSubmitting);
      await addUpTouched(dependencies, sweep);
      return await confirmOpen(of, state, began, isSubmitting);
    }
    await askUnseen(of, new Map());
    return { ...state, confirmedAt: now, sweepsSince: 0 };
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    sweep.isUnanswered = true;
    dependencies.log.warn('follow.provider_out', { batchId: sweep.batchId, rail, error: error.name });
    await addUpTouched(dependencies, sweep);
    return state;
  }
};
