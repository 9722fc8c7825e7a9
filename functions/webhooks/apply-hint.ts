import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import type { Payout } from '../domain/payout/payout.ts';
import type { ApplyDependencies } from '../payouts/apply.ts';
import { apply } from '../payouts/apply.ts';
import { follow } from '../payouts/decide-by-evidence.ts';
import type { LookupProvider } from '../payouts/inspect.ts';
import { inspect } from '../payouts/inspect.ts';
import type { UpdateBatchDependencies } from '../payouts/update-batch.ts';
import { updateBatchOf } from '../payouts/update-batch.ts';
import type { Hint } from '../ports/hint-queue.ts';
import type { Needs } from '../ports/needs.ts';
import type { FindNamedDependencies, Unanswered } from './find-named.ts';
import { findNamed } from './find-named.ts';

export type ApplyHintDependencies = FindNamedDependencies &
  ApplyDependencies &
  UpdateBatchDependencies &
  Needs<{ provider: keyof LookupProvider }>;

/** A hint, and what applies it. */
type Run = ApplyHintDependencies & { readonly hint: Hint };

const idsOf = ({ webhook }: Hint, { batchId, chunk, row }: Payout) => ({ webhook, batchId, chunk, row });

/** Milliseconds by which the clocks of two functions may differ. */
const functionClocksDifferMs = 10_000;

/**
 * Updates the chunk's counts, and an ended batch's report, if the payout has changed since the hint arrived, by any writer. An
 * earlier attempt of this hint may have changed it and died before this update. No hint is done without it.
 */
const updateIfChanged = async (run: Run, payout: Payout): Promise<boolean> => {
  const changed = Date.parse(payout.updatedAt) + functionClocksDifferMs >= Date.parse(run.hint.receivedAt);
  if (changed) await updateBatchOf(run, payout);
  return changed;
};

const lookUpAndRecord = async (run: Run, payout: Payout): Promise<void> => {
  const { ledger, provider, log, hint } = run;
  const ids = idsOf(hint, payout);
  const evidence = await inspect(provider, payout);
  if (evidence.kind === 'unknown')
    throw new (evidence.isRefused ? ProviderRefused : ProviderUnavailable)(`lookup_${evidence.cause}`);
  if (evidence.kind === 'absent') {
    await updateIfChanged(run, payout);
    return log.info('webhook.nothing_found', ids);
  }
  const { payout: observed } = await apply({ ledger, log }, payout, follow(evidence));
  const changed = await updateIfChanged(run, observed);
  log.info('webhook.applied', { ...ids, status: observed.status, changed });
};

/** Returns the reason why the payout may not be looked up yet; undefined when the hint is done with it. */
const applyTo = async (run: Run, payout: Payout): Promise<Unanswered | undefined> => {
  const { ledger, log, lookupWindowSeconds: windowSeconds, hint } = run;
  const { reference } = payout;
  const begun = await ledger.beginLookup({ reference }, { receivedAt: hint.receivedAt, windowSeconds });
  switch (begun.kind) {
    case 'covered':
      await updateIfChanged(run, payout);
      log.info('webhook.covered', idsOf(hint, payout));
      return undefined;
    case 'closed':
    case 'under_way':
      return begun;
    case 'begun':
      await lookUpAndRecord(run, payout);
      // Last, so that a lookup that dies before everything is recorded covers no hint.
      await ledger.finishLookup({ reference }, begun.askedAt);
      return undefined;
  }
};

/**
 * Looks up each payout that a hint names, and records the provider's answer by the rule that Follow uses. The webhook's own
 * claims are not believed. Ended payouts are looked up too, since a change after an end must be recorded.
 *
 * Each payout is looked up once per window. A hint within the window waits. It is done once a lookup that began after its
 * arrival is recorded, even if another hint asked for it. Safe to repeat after any error.
 *
 * @returns the reason why one of its payouts may not be looked up yet; undefined when the hint is applied
 * @throws an error of the ledger while the payouts are found. Later, an error of the ledger or of the provider, after all payouts
 *   were tried: ProviderRefused only if there is no other
 */
export const applyHint = async (dependencies: ApplyHintDependencies, hint: Hint): Promise<Unanswered | undefined> => {
  const run = { ...dependencies, hint };
  const named = await findNamed(run);
  if (named.length === 0) dependencies.log.info('webhook.names_no_payout', { webhook: hint.webhook });
  const open: Unanswered[] = [];
  const failures: unknown[] = [];
  for (const one of named) {
    try {
      const unanswered = 'kind' in one ? one : await applyTo(run, one);
      if (unanswered !== undefined) open.push(unanswered);
    } catch (error) {
      // A payout without an answer must not hold up the others of the hint.
      failures.push(error);
    }
  }
  // A refusal sets the hint aside at once. While another payout may still be answered for, the hint is tried again first.
  if (failures.length > 0) throw failures.find((one) => !(one instanceof ProviderRefused)) ?? failures[0];
  // A running lookup covers the hint once it is recorded. So it is waited for only if nothing else is left.
  const closed = open.filter(({ kind }) => kind === 'closed');
  return closed.toSorted((one, other) => (one.until < other.until ? -1 : 1)).at(-1) ?? open[0];
};
