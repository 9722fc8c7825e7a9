import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Deposit, DepositDraft } from '../../domain/deposits/deposit.ts';
import { useQuote } from '../conversions/quotes.ts';
import { keys } from '../keys.ts';
import { joinList, momentIn, readListCount } from '../lists/writes.ts';
import type { Pause, Table, TransactItem } from '../table.ts';
import { cancellationOf, conflictAttempts, conflictPause, failedCondition } from '../table.ts';
import { depositList, newDeposit, newDepositItem } from './deposit-item.ts';
import { readDeposit } from './read-deposit.ts';

/** Why a POST made nothing. */
export type DepositRefusal =
  | { readonly kind: 'reference_used'; readonly reference: string }
  | { readonly kind: 'quote_used' }
  | { readonly kind: 'busy' };

export type CreatedDeposit =
  | { readonly kind: 'created'; readonly deposit: Deposit }
  /** There is a deposit of this id already: somebody else picked a method on the checkout page at the same time. */
  | { readonly kind: 'exists'; readonly deposit: Deposit }
  | DepositRefusal;

export interface CreateDepositPorts {
  readonly table: Table;
  readonly now: () => Date;
  readonly pause: Pause;
  readonly random: () => number;
  /** Has the deposit looked at when something happens to it by itself. */
  readonly scheduleDeposit: (head: NewDepositHead, draft: DepositDraft, expiresAt: Date) => Promise<void>;
}

export interface NewDepositHead {
  readonly depositId: string;
  readonly accountId: string;
  /** By when it was created, until when it can be paid. */
  readonly expiresAt: (createdAt: Date) => Date;
}

type Meaning = 'deposit' | 'reference' | 'quote' | 'list';

const attempt = async (
  ports: CreateDepositPorts,
  draft: DepositDraft,
  { depositId, accountId, expiresAt }: NewDepositHead,
): Promise<CreatedDeposit | 'again'> => {
  const { table } = ports;
  const { reference, quoteId, depositType } = draft;
  const list = depositList(accountId);
  const count = await readListCount(table, list);
  const createdAt = momentIn(count, ports.now().toISOString());
  const member = { groupId: depositId, part: depositType, status: 'pending', size: 1 };
  const joined = joinList(table, list, count, [member], createdAt);
  const place = joined.places[0];
  if (place === undefined) throw new Error('a deposit has a place in its list');
  const expiredAt = expiresAt(new Date(createdAt)).toISOString();
  const deposit = newDeposit(draft, { depositId, accountId, createdAt, expiredAt, ...place });
  const put = (item: Record<string, unknown>): TransactItem => ({
    Put: { TableName: table.name, Item: item, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  const writes: { readonly meaning: Meaning; readonly write: TransactItem }[] = [
    { meaning: 'deposit', write: put(newDepositItem(deposit)) },
    ...joined.writes.map((write) => ({ meaning: 'list', write }) as const),
  ];
  if (reference !== undefined) {
    const item = { ...keys.depositReference(accountId, reference), reference, depositId };
    writes.push({ meaning: 'reference', write: put(item) });
  }
  if (quoteId !== undefined) writes.push({ meaning: 'quote', write: useQuote(table, quoteId, depositId) });
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: writes.map(({ write }) => write) }));
    return { kind: 'created', deposit };
  } catch (error) {
    const cancellation = cancellationOf(error);
    if (cancellation === undefined) throw error;
    const failed = new Set(
      writes.flatMap(({ meaning }, index) => (failedCondition(cancellation, index) ? [meaning] : [])),
    );
    if (failed.has('deposit')) {
      const standing = await readDeposit(table, depositId);
      return standing === undefined ? 'again' : { kind: 'exists', deposit: standing };
    }
    if (failed.has('reference') && reference !== undefined) return { kind: 'reference_used', reference };
    return failed.has('quote') ? { kind: 'quote_used' } : 'again';
  }
};

/**
 * Creates a deposit: its item, its reference, its places in the list and the use of its quote in one transaction. It is
 * scheduled before, so that one that was created expires whatever happens here afterwards.
 */
export const createDeposit = async (
  ports: CreateDepositPorts,
  draft: DepositDraft,
  head: NewDepositHead,
): Promise<CreatedDeposit> => {
  await ports.scheduleDeposit(head, draft, head.expiresAt(ports.now()));
  for (let tried = 0; tried < conflictAttempts; tried += 1) {
    const outcome = await attempt(ports, draft, head);
    if (outcome !== 'again') return outcome;
    await ports.pause(conflictPause(tried, ports.random));
  }
  return { kind: 'busy' };
};
