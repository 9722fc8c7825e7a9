import type { Payout } from '../domain/payout.ts';
import { mayBeFollowed, originalsOf } from '../domain/retries.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import type { ApplyDependencies } from './apply.ts';
import { apply } from './apply.ts';
import { follow } from './decide.ts';
import type { AskedProvider } from './inspect.ts';
import { inspect } from './inspect.ts';

export type Originals =
  /** Of other batches, the first one first; none when the reference only looks like a retry's. */
  | { readonly kind: 'read'; readonly originals: readonly Payout[] }
  | { readonly kind: 'refused'; readonly message: string };

const refusedFor = ({ reference, status }: Payout): Originals => ({
  kind: 'refused',
  message: `${reference} is ${status} or contradicted: only what surely was not paid is tried again.`,
});

/**
 * What a retry comes after, as it is now, strongly read. Each must have ended unpaid and be uncontradicted, and the last one
 * must be there: X.r2 without X.r1 would be paid beside an X.r1 that comes later. Payouts of the same batch are no originals:
 * their file names both.
 */
export const readOriginals = async (
  ledger: Pick<PayoutLedger, 'getPayoutByReference'>,
  { batchId, reference }: Pick<Payout, 'batchId' | 'reference'>,
): Promise<Originals> => {
  const names = originalsOf(reference);
  const of = async (name: string | undefined): Promise<readonly Payout[]> => {
    const found = name === undefined ? undefined : await ledger.getPayoutByReference(name);
    return found === undefined || found.batchId === batchId ? [] : [found];
  };
  const [first] = await of(names[0]);
  const [last] = names.length > 1 ? await of(names.at(-1)) : [first];
  if (last === undefined) {
    const message = `It follows ${names.at(-1)}, which no other batch has.`;
    return first === undefined ? { kind: 'read', originals: [] } : { kind: 'refused', message };
  }
  const originals = (await Promise.all(names.map(of))).flat();
  const other = originals.find((original) => !mayBeFollowed(original));
  return other === undefined ? { kind: 'read', originals } : refusedFor(other);
};

export interface JudgeRetryDependencies extends ApplyDependencies {
  readonly ledger: ApplyDependencies['ledger'] & Pick<PayoutLedger, 'getPayoutByReference' | 'refreshChunk'>;
  readonly provider: AskedProvider;
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
  const read = await readOriginals(ledger, retry);
  if (read.kind === 'refused') return read;
  for (const original of read.originals) {
    const evidence = await inspect(provider, original, { isThorough: true });
    if (evidence.kind === 'unknown') return { kind: 'unknown' };
    const { payout, hasChanged } = await apply(dependencies, original, follow(evidence));
    if (hasChanged) await ledger.refreshChunk(payout.batchId, payout.chunk);
    if (!mayBeFollowed(payout)) return refusedFor(payout);
  }
  return read;
};
