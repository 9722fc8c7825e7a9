import type { Rail } from '../domain/currencies.ts';

/** Every key of the table, in one place. `pk` and `sk` are its only key attributes. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Sorts as text in number order: 10^12 records of an account are more than will come. */
const padded = (sequence: number): string => sequence.toString().padStart(12, '0');

const itemPrefix = 'ITEM#';

export const keys = {
  balance: (accountId: string, currency: string): Key => ({ pk: `ACCOUNT#${accountId}`, sk: `BALANCE#${currency}` }),
  /** How many disbursements an account has on a rail: the source of the sequence numbers of its lists. */
  count: (accountId: string, rail: Rail): Key => ({ pk: `ACCOUNT#${accountId}`, sk: `COUNT#${rail}` }),
  /** By client id: where a merchant wants its webhooks outlives a reset of its sandbox. */
  webhookRegistration: (clientId: string): Key => ({ pk: `MERCHANT#${clientId}`, sk: 'WEBHOOK' }),
  sandbox: (clientId: string): Key => ({ pk: `MERCHANT#${clientId}`, sk: 'SANDBOX' }),
  signature: (clientId: string, signature: string): Key => ({
    pk: `SIGNATURE#${clientId}#${signature}`,
    sk: 'SIGNATURE',
  }),
  /** An entry of the ledger. */
  entry: (accountId: string, currency: string, at: string, id: string): Key => ({
    pk: `LEDGER#${accountId}#${currency}`,
    sk: `${at}#${id}`,
  }),
  quote: (quoteId: string): Key => ({ pk: `QUOTE#${quoteId}`, sk: 'QUOTE' }),
  conversion: (convertId: string): Key => ({ pk: `CONVERSION#${convertId}`, sk: 'CONVERSION' }),
  reference: (accountId: string, reference: string): Key => ({
    pk: `REFERENCE#${accountId}#${reference}`,
    sk: 'REFERENCE',
  }),
  /** Says that a group was committed, or was given up. Without it the group's items do not exist to anybody. */
  group: (groupId: string): Key => ({ pk: `GROUP#${groupId}`, sk: 'GROUP' }),
  disbursement: (groupId: string, position: number): Key => ({
    pk: `GROUP#${groupId}`,
    sk: `${itemPrefix}${position.toString().padStart(3, '0')}`,
  }),
  /** The groups of a list, by the sequence number of their first disbursement. */
  directory: (accountId: string, rail: Rail, firstSequence: number): Key => ({
    pk: `DIRECTORY#${accountId}#${rail}`,
    sk: padded(firstSequence),
  }),
  currencyDirectory: (accountId: string, rail: Rail, currency: string, firstSequence: number): Key => ({
    pk: `DIRECTORY#${accountId}#${rail}#${currency}`,
    sk: padded(firstSequence),
  }),
} as const;

export const isDisbursementKey = (sk: string): boolean => sk.startsWith(itemPrefix);
