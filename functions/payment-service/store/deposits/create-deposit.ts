import type { Deposit, DepositDraft } from '../../domain/deposits/deposit.ts';
import type { Context } from '../context.ts';
import { useQuote } from '../conversions/quotes.ts';
import { keys } from '../keys.ts';
import { joinList, momentIn, nextPlace, readListCount } from '../lists/list-changes.ts';
import { retryConflicts } from '../retry.ts';
import { delaySeconds } from '../settlement-queue.ts';
import { failedCondition, putNew, transact } from '../table.ts';
import { depositList, newDepositItem } from './deposit-item.ts';
import { readDeposit } from './read-deposit.ts';

type CreatedDeposit =
  /** Also when a deposit with this id exists: made by a concurrent pick, or by an attempt that was written late. */
  | { readonly kind: 'created'; readonly deposit: Deposit }
  | { readonly kind: 'reference_used'; readonly reference: string }
  /** Its expiry has passed: a checkout's page expired meanwhile. */
  | { readonly kind: 'too_late' }
  | { readonly kind: 'quote_used' | 'busy' };

interface NewDepositHead {
  readonly depositId: string;
  /** The expiry of a deposit that is created at this moment. */
  readonly expiresAt: (createdAt: Date) => Date;
}

/** Wakes the worker when the deposit's first move is due. */
const schedule = async (
  { accountId, now, realNow, settings, schedule: send }: Context,
  { outcome }: DepositDraft,
  { depositId, expiresAt }: NewDepositHead,
): Promise<void> => {
  const at = now();
  const expiry = delaySeconds(at, expiresAt(at).getTime());
  const wait = outcome === 'standard' ? expiry : Math.min(expiry, settings.deposits.autopaySeconds);
  await send({ kind: 'deposit', depositId, accountId, postedAt: realNow().toISOString() }, wait);
};

const tryCreate = async (
  context: Context,
  draft: DepositDraft,
  { depositId, expiresAt }: NewDepositHead,
): Promise<CreatedDeposit | 'again'> => {
  const { table, accountId } = context;
  const { quoteId, ...kept } = draft;
  const { reference, depositType } = kept;
  const list = depositList(context);
  const count = await readListCount(list);
  const now = context.now().toISOString();
  const createdAt = momentIn(count, now);
  const member = { groupId: depositId, part: depositType, size: 1 };
  const expiredAt = expiresAt(new Date(createdAt)).toISOString();
  // Compared with the clock, not with `createdAt`: after the clock was set back, that may be later than a checkout's expiry.
  if (expiredAt <= now) return { kind: 'too_late' };
  const head = { depositId, accountId, createdAt, updatedAt: createdAt, expiredAt, version: 1 };
  const deposit: Deposit = { ...kept, ...head, ...nextPlace(count), status: 'pending', changes: [] };
  const writes = {
    deposit: putNew(newDepositItem(deposit)),
    ...(reference !== undefined && {
      reference: putNew({ ...keys.depositReference(accountId, reference), reference, depositId }),
    }),
    ...(quoteId !== undefined && { quote: useQuote(quoteId, depositId) }),
  };
  const joining = joinList(list, count, [member], createdAt);
  const canceled = await transact(table, [...Object.values(writes), ...joining]);
  if (canceled === undefined) return { kind: 'created', deposit };
  const failed = Object.keys(writes).filter((_, index) => failedCondition(canceled, index));
  if (failed.includes('deposit')) {
    // Made by a concurrent pick, or by an attempt of this transaction that the client had given up and that was written late.
    const existing = await readDeposit(context, depositId);
    return existing === undefined ? 'again' : { kind: 'created', deposit: existing };
  }
  if (failed.includes('reference') && reference !== undefined) return { kind: 'reference_used', reference };
  return failed.includes('quote') ? { kind: 'quote_used' } : 'again';
};

/**
 * Creates a deposit in one transaction: its item, its reference, its place in the list and the use of its quote. Its
 * settlement is scheduled first, so that every deposit that was created expires.
 */
export const createDeposit = async (
  context: Context,
  draft: DepositDraft,
  head: NewDepositHead,
): Promise<CreatedDeposit> => {
  await schedule(context, draft, head);
  const outcome = await retryConflicts(context, () => tryCreate(context, draft, head));
  if (outcome !== undefined) return outcome;
  // The last attempt may have been given up by the client, and written late.
  const late = await readDeposit(context, head.depositId);
  return late === undefined ? { kind: 'busy' } : { kind: 'created', deposit: late };
};
