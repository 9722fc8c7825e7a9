import { createHash } from 'node:crypto';
import type { ValuePath } from '../domain/lists/members.ts';
import type { NodeLevel } from '../domain/lists/tree.ts';
import { nodeIndex, parentIndex } from '../domain/lists/tree.ts';

/** A list of an account. */
export type ListName = 'fiat' | 'crypto' | 'deposit';

/** What a list is kept in the order of: when its members were created, or when they were last changed. */
export type ListOrder = 'created' | 'changed';

const listPartition = (accountId: string, list: ListName, kept: string): string => `LIST#${accountId}#${list}#${kept}`;

/** Values come from requests and can be longer than a key. */
const valuePartition = (accountId: string, list: ListName, path: ValuePath): string => {
  const [name, value] = [path.slice(0, path.indexOf('=') + 1), path.slice(path.indexOf('=') + 1)];
  return listPartition(accountId, list, `${name}${createHash('sha256').update(value).digest('hex')}`);
};

/** Entries that share an item of lines: 20 of 100 members each, at 40 bytes a line, are 80 kB of the 400 an item can have. */
const entriesOfLines = 20;

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
  /** How long a list of the account is: the source of the numbers of its entries. */
  listCount: (accountId: string, list: ListName): Key => ({ pk: `ACCOUNT#${accountId}`, sk: `LIST#${list}` }),
  /** By client id: where a merchant wants its webhooks outlives a reset of its sandbox. */
  webhookRegistration: (clientId: string): Key => ({ pk: `MERCHANT#${clientId}`, sk: 'WEBHOOK' }),
  /** The log of deliveries, by the moment of the attempt. By client id too: it is about the address. */
  webhookDelivery: (clientId: string, at: string, webhookId: string, attempt: number): Key => ({
    pk: `DELIVERIES#${clientId}`,
    sk: `${at}#${webhookId}#${attempt.toString().padStart(2, '0')}`,
  }),
  sandbox: (clientId: string): Key => ({ pk: `MERCHANT#${clientId}`, sk: 'SANDBOX' }),
  /** How often the fault has struck that a reference asks for. */
  magicFault: (accountId: string, reference: string): Key => ({
    pk: `FAULT#${accountId}#${reference}`,
    sk: 'FAULT',
  }),
  signature: (clientId: string, signature: string): Key => ({
    pk: `SIGNATURE#${clientId}#${signature}`,
    sk: 'SIGNATURE',
  }),
  /** An entry of the ledger. */
  entry: (accountId: string, currency: string, at: string, id: string): Key => ({
    pk: `LEDGER#${accountId}#${currency}`,
    sk: `${at}#${id}`,
  }),
  /** A checkout's deposit has the checkout's id, so that there is one at most. */
  deposit: (depositId: string): Key => ({ pk: `DEPOSIT#${depositId}`, sk: 'DEPOSIT' }),
  /** Apart from the references of disbursements: the same text may stand for one of each. */
  depositReference: (accountId: string, reference: string): Key => ({
    pk: `DEPOSITREFERENCE#${accountId}#${reference}`,
    sk: 'DEPOSITREFERENCE',
  }),
  checkout: (checkoutId: string): Key => ({ pk: `CHECKOUT#${checkoutId}`, sk: 'CHECKOUT' }),
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
  /** What came into a list at once, by its number from 1. What is below a node of the list is a partition of its own. */
  listEntry: (accountId: string, list: ListName, order: ListOrder, entryNumber: number): Key => ({
    pk: `${listPartition(accountId, list, order)}#1#${nodeIndex(1, entryNumber)}`,
    sk: padded(entryNumber),
  }),
  /** Counts of a hundred entries, or of a hundred such hundreds, by its place from 0. */
  listNode: (accountId: string, list: ListName, order: ListOrder, level: NodeLevel, index: number): Key => ({
    pk: `${listPartition(accountId, list, order)}${level === 1 ? `#2#${parentIndex(index)}` : ''}`,
    sk: padded(index),
  }),
  /** The members that share a value, for each hundred entries of the list: at most 10,000 numbers. */
  listValue: (accountId: string, list: ListName, path: ValuePath, entryNumber: number): Key => ({
    pk: valuePartition(accountId, list, path),
    sk: padded(nodeIndex(1, entryNumber)),
  }),
  /** Short lines of the members of some entries: see lists/list-lines.ts. */
  listLines: (accountId: string, list: ListName, entryNumber: number): Key => ({
    pk: listPartition(accountId, list, 'lines'),
    sk: padded(Math.floor((entryNumber - 1) / entriesOfLines)),
  }),
} as const;

export const isDisbursementKey = (sk: string): boolean => sk.startsWith(itemPrefix);
