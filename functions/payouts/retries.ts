import type { Payout } from '../domain/payout/payout.ts';
import { isRetry, mayBeFollowed, originalsOf, retryReference } from '../domain/payout/retries.ts';
import type { PayoutLedger } from '../ports/ledger/payout-ledger.ts';
import type { ApplyDependencies } from './apply.ts';
import { apply } from './apply.ts';
import { follow } from './decide.ts';
import type { LookupProvider } from './inspect.ts';
import { inspect } from './inspect.ts';

export type Originals =
  /** Of other batches, the first one first. */
  | { readonly kind: 'read'; readonly originals: readonly Payout[] }
  /** `original`: the payout that may have been paid, where there is one. */
  | { readonly kind: 'refused'; readonly message: string; readonly original?: Payout };

const refusedFor = (original: Payout): Originals => ({
  kind: 'refused',
  message: `${original.reference} is ${original.status} or contradicted: only what surely was not paid is tried again.`,
  original,
});

/**
 * What a retry comes after, as it is now, strongly read. Each must have ended unpaid and be uncontradicted, and the last one
 * must be of an earlier batch: else it could come later, or with the retry, and both would be paid. What follows X.r1 is X.r2:
 * as X.r1.r1 nobody would hold it against that.
 */
export const readOriginals = async (
  ledger: Pick<PayoutLedger, 'getPayoutByReference'>,
  { batchId, reference }: Pick<Payout, 'batchId' | 'reference'>,
): Promise<Originals> => {
  const names = originalsOf(reference);
  const [base] = names;
  const last = names.at(-1);
  const of = async (name: string): Promise<readonly Payout[]> => {
    const found = await ledger.getPayoutByReference(name);
    return found === undefined || found.batchId === batchId ? [] : [found];
  };
  if (base === undefined || last === undefined) return { kind: 'read', originals: [] };
  if (isRetry(base))
    return { kind: 'refused', message: `${base} is a retry: the next one is ${retryReference(base)}.` };
  const followed = await of(last);
  if (followed.length === 0) return { kind: 'refused', message: `It follows ${last}, which no earlier batch has.` };
  const originals = [...(await Promise.all(names.slice(0, -1).map(of))).flat(), ...followed];
  const other = originals.find((original) => !mayBeFollowed(original));
  return other === undefined ? { kind: 'read', originals } : refusedFor(other);
};

export interface JudgeRetryDependencies extends ApplyDependencies {
  readonly ledger: ApplyDependencies['ledger'] & Pick<PayoutLedger, 'getPayoutByReference' | 'refreshChunk'>;
  readonly provider: LookupProvider;
}

/**
 * Whether a retry may be submitted now: its originals in the ledger, and each of them at the provider. What the provider shows of one is
 * written down as any observation. `unknown`: the provider did not answer, so it may not be submitted yet.
 */
export const judgeRetry = async (
  dependencies: JudgeRetryDependencies,
  retry: Payout,
): Promise<Originals | { readonly kind: 'unknown' }> => {
  const { ledger, provider } = dependencies;
  const addUp = ({ batchId, chunk }: Payout) => ledger.refreshChunk(batchId, chunk);
  const read = await readOriginals(ledger, retry);
  if (read.kind === 'refused') {
    // An earlier run may have recorded what speaks against it, and died before its batch's counts told of it.
    if (read.original !== undefined) await addUp(read.original);
    return read;
  }
  for (const original of read.originals) {
    const evidence = await inspect(provider, original, { isThorough: true });
    if (evidence.kind === 'unknown') return { kind: 'unknown' };
    const { payout, hasChanged } = await apply(dependencies, original, follow(evidence));
    if (hasChanged) await addUp(payout);
    if (!mayBeFollowed(payout)) return refusedFor(payout);
  }
  return read;
};
