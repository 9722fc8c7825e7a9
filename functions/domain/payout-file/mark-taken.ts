import type { PayoutId, PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import type { PlannedPayout } from '../batch/chunk-file.ts';
import { given } from '../given.ts';
import { isPaidForSure, isSameDebt } from '../payout/debts.ts';
import type { Payout } from '../payout/payout.ts';
import { byPayoutKey, payoutKey } from '../payout/payout.ts';
import { isRetry, isRetryable, originalNotRetryable, retryReference } from '../payout/retries.ts';
import type { CheckedRow, ValidRow } from './check-row.ts';
import type { FileRefused } from './fields.ts';

/** The result of one row. The last may be the reason why the rest of the file cannot be read. */
export type Outcome =
  /** `paid`: the batch that paid the same debt under the same reference, and the day (UTC). A new debt may look the same. */
  (CheckedRow & { readonly paid?: { readonly batchId: string; readonly on: string } }) | FileRefused;

/** Finds which references are taken, and by which payouts in which state. */
export interface TakenReferences extends Pick<PayoutLedger, 'findReferences' | 'getPayouts'> {
  /** Returns the retries that must not be paid: by row, with the reason. */
  readonly findRefusedRetries: (
    retries: readonly Pick<PlannedPayout, 'row' | 'reference'>[],
  ) => Promise<ReadonlyMap<number, string>>;
}

/** Marks a row's reference as taken. */
export const withDuplicate = (row: CheckedRow, message: string, code = 'duplicate_reference'): CheckedRow => {
  const error = { row: row.row, column: 'reference', code, message };
  if (row.kind === 'invalid') return { ...row, errors: [...row.errors, error] };
  const { payout, terms } = row;
  const { reference, amount, extras } = payout;
  const summary = { reference, currency: terms.currency, amount, ...given({ extras }) };
  return { kind: 'invalid', row: row.row, line: row.line, errors: [error], summary };
};

/** The payout that has a row's reference, its state, and the reference of its retry, if there is one. */
interface Holder extends Pick<PayoutId, 'batchId'> {
  readonly held: Payout | undefined;
  readonly retriedAs: string | undefined;
}

/** Advice for a reference that is taken by a payout other than the same debt, paid. */
const advice = ({ batchId, held, retriedAs }: Holder): string => {
  if (held === undefined || !isRetryable(held))
    return `Batch ${batchId} has a payout with the same reference: it may be paid already. Check that payout before you write another.`;
  const ended = `Batch ${batchId} has a payout with the same reference, which ${held.status === 'failed' ? 'failed' : 'was rejected'} and paid nobody.`;
  return retriedAs === undefined
    ? `${ended} Use the retry file of that batch, where it has a new reference.`
    : `${ended} It was tried again as ${retriedAs}: check that payout before you write another.`;
};

const markOne = (row: ValidRow, holder: Holder): Outcome => {
  const { batchId, held } = holder;
  if (held === undefined || !isPaidForSure(held) || !isSameDebt(row.terms.currency, row.payout, held))
    return withDuplicate(row, advice(holder));
  const on = (held.statusSince ?? held.updatedAt).slice(0, 'YYYY-MM-DD'.length);
  const message = `Batch ${batchId} has paid this row already, under the same reference, on ${on}. Leave it out. If you owe it again, give it a new reference.`;
  return { ...withDuplicate(row, message), paid: { batchId, on } };
};

/** The references that the file gives to its valid rows. Others are made here, and free. */
const ownReferences = (rows: readonly Outcome[]): readonly string[] =>
  rows.flatMap((row) => (row.kind === 'valid' && row.ownReference ? row.payout.reference : []));

/** Marks the rows whose reference belongs to another batch. */
export const markHeld = async (
  { findReferences, getPayouts }: Pick<TakenReferences, 'findReferences' | 'getPayouts'>,
  own: string,
  rows: readonly Outcome[],
): Promise<readonly Outcome[]> => {
  const references = ownReferences(rows);
  const found = references.length === 0 ? [] : await findReferences(references);
  const holders = new Map([...found].filter(([, { batchId }]) => batchId !== own));
  if (holders.size === 0) return rows;
  const payouts = await getPayouts([...holders.values()], { mayBeOld: true });
  const standing = byPayoutKey(payouts);
  const retries = payouts.filter(isRetryable).map(({ reference }) => retryReference(reference));
  const retried = retries.length === 0 ? undefined : await findReferences(retries);
  return rows.map((row) => {
    const holder = row.kind === 'valid' ? holders.get(row.payout.reference) : undefined;
    if (holder === undefined || row.kind !== 'valid') return row;
    const held = standing.get(payoutKey(holder));
    const retry = held && retryReference(held.reference);
    const retriedAs = retry !== undefined && retried?.has(retry) ? retry : undefined;
    return markOne(row, { batchId: holder.batchId, held, retriedAs });
  });
};

/** Marks the retries whose originals must not be retried. */
export const markRetries = async (
  { findRefusedRetries }: Pick<TakenReferences, 'findRefusedRetries'>,
  rows: readonly Outcome[],
): Promise<readonly Outcome[]> => {
  const retries = rows.flatMap((row) =>
    row.kind === 'valid' && row.ownReference && isRetry(row.payout.reference) ? row.payout : [],
  );
  if (retries.length === 0) return rows;
  const refused = await findRefusedRetries(retries);
  return rows.map((row) => {
    const why = row.kind === 'valid' ? refused.get(row.row) : undefined;
    return row.kind === 'valid' && why !== undefined ? withDuplicate(row, why, originalNotRetryable) : row;
  });
};
