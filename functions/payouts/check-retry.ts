import { otherAccountOf } from '../domain/batch/plan.ts';
import { dayMs } from '../domain/durations.ts';
import { inOrder } from '../domain/in-parallel.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { allowsRetry, isRetry, originalsOf, retryReference } from '../domain/payout/retries.ts';
import type { PayoutLedger } from '../ports/ledger/payout-ledger.ts';
import type { Needs } from '../ports/needs.ts';
import type { ApplyDependencies } from './apply.ts';
import { apply } from './apply.ts';
import { follow } from './decide-by-evidence.ts';
import { mayHavePaid, shownBy } from './evidence.ts';
import type { LookupProvider } from './inspect.ts';
import { inspect } from './inspect.ts';
import type { UpdateBatchDependencies } from './update-batch.ts';
import { updateBatchOf } from './update-batch.ts';

type Originals =
  /** The originals in other batches, the first one first. */
  | { readonly kind: 'read'; readonly originals: readonly Payout[] }
  /** `original`: the payout that may have been paid, if there is one. */
  | { readonly kind: 'refused'; readonly message: string; readonly original?: Payout };

const refusedFor = (original: Payout): Originals => ({
  kind: 'refused',
  message: `${original.reference} is ${original.status} or contradicted. Only a payout that surely was not paid can be tried again.`,
  original,
});

const refusedForAccount = ({ reference }: Payout, planned: string, deployed: string): Originals => ({
  kind: 'refused',
  message: `${reference} was planned for the account ${planned}, and ${deployed} is deployed, which does not know whether it was paid after all.`,
});

const refusedForOpenEnd = (original: Payout, days: number): Originals => ({
  kind: 'refused',
  message: `${original.reference} was ${original.status}, but the provider works on it again. The retry has waited ${days} days.`,
});

/**
 * Reads a retry's originals, strongly consistent. Each must allow a retry (`allowsRetry`). The last one must be in an
 * earlier batch: otherwise it could be paid later, or together with the retry. The retry of X.r1 is X.r2, because X.r1.r1 would
 * not be compared with X.
 */
export const readOriginals = async (
  ledger: Pick<PayoutLedger, 'getPayoutByReference'>,
  { batchId, reference }: Pick<Payout, 'batchId' | 'reference'>,
): Promise<Originals> => {
  const names = originalsOf(reference);
  const [base] = names;
  const last = names.at(-1);
  const readEarlier = async (name: string): Promise<readonly Payout[]> => {
    const found = await ledger.getPayoutByReference(name);
    return found === undefined || found.batchId === batchId ? [] : [found];
  };
  if (base === undefined || last === undefined) return { kind: 'read', originals: [] };
  if (isRetry(base))
    return { kind: 'refused', message: `${base} is a retry itself. Name the next retry ${retryReference(base)}.` };
  const lastOriginal = await readEarlier(last);
  if (lastOriginal.length === 0)
    return { kind: 'refused', message: `It retries ${last}, but no earlier batch has that reference.` };
  const originals = [...(await Promise.all(names.slice(0, -1).map(readEarlier))).flat(), ...lastOriginal];
  const other = originals.find((original) => !allowsRetry(original));
  return other === undefined ? { kind: 'read', originals } : refusedFor(other);
};

/** Concurrent questions about one retry's originals. Each answer may take long, and the time of a step is short. */
const originalsAtOnce = 4;

type CheckRetryDependencies = ApplyDependencies &
  UpdateBatchDependencies &
  Needs<{
    ledger: 'getPayoutByReference';
    provider: keyof LookupProvider | 'account';
    settings: 'followDays';
  }>;

/**
 * Checks whether a retry may be submitted now, by its originals in the ledger and at the provider. Records the provider's
 * answers like any other observation. An account that does not know an original cannot say that it is still unpaid. `unknown`: the
 * provider did not answer, or works on an original again, so the retry must wait. It is refused if the original is still worked on
 * after `followDays`, because it may stay so forever.
 *
 * @param waitsSince when it could be submitted for the first time, ISO 8601 UTC
 */
export const checkRetry = async (
  dependencies: CheckRetryDependencies,
  retry: Payout,
  waitsSince: string,
): Promise<Originals | { readonly kind: 'unknown' }> => {
  const { ledger, provider, settings, clock } = dependencies;
  const read = await readOriginals(ledger, retry);
  if (read.kind === 'refused') {
    // An earlier run may have recorded a contradiction and died before it updated the counts.
    if (read.original !== undefined) await updateBatchOf(dependencies, read.original);
    return read;
  }
  for (const original of read.originals) {
    const planned = otherAccountOf((await ledger.getBatch(original.batchId)) ?? {}, provider.account);
    if (planned !== undefined) return refusedForAccount(original, planned, provider.account);
  }
  const ask = async (original: Payout) => ({
    original,
    evidence: await inspect(provider, original, { isThorough: true }),
  });
  const waitedMs = clock() - Date.parse(waitsSince);
  let isUnclear = false;
  for await (const { original, evidence } of inOrder(read.originals, originalsAtOnce, ask)) {
    // Worked on again, it may still be paid. A lookup may also lag behind its end.
    const mayBePaidYet = shownBy(evidence).some(mayHavePaid);
    isUnclear ||= evidence.kind === 'unknown' || mayBePaidYet;
    if (evidence.kind === 'unknown') continue;
    const { payout, hasChanged } = await apply(dependencies, original, follow(evidence));
    if (hasChanged) await updateBatchOf(dependencies, payout);
    if (!allowsRetry(payout)) return refusedFor(payout);
    if (mayBePaidYet && waitedMs > settings.followDays * dayMs) return refusedForOpenEnd(payout, settings.followDays);
  }
  return isUnclear ? { kind: 'unknown' } : read;
};
