import { hash } from 'node:crypto';
import type { ValuePath } from '../domain/lists/members.ts';
import type { ListOrder } from '../domain/lists/page.ts';
import type { NodeLevel } from '../domain/lists/tree.ts';
import { nodeIndex, parentIndex } from '../domain/lists/tree.ts';

/** A list of an account. Every member is in it twice: in order of creation, and in order of last change. */
export interface ListId {
  readonly accountId: string;
  readonly list: 'fiat' | 'crypto' | 'deposit';
}

const listPartition = ({ accountId, list }: ListId, kept: string): string => `LIST#${accountId}#${list}#${kept}`;

/** Values come from requests and can be longer than a key. */
const valuePartition = (list: ListId, path: ValuePath): string => {
  const [name, value] = [path.slice(0, path.indexOf('=') + 1), path.slice(path.indexOf('=') + 1)];
  return listPartition(list, `${name}${hash('sha256', value)}`);
};

/**
 * Entries per item of lines: 20 of 100 members, at 40 bytes per line, are 80 kB of the 400 kB that an item can have.
 */
const entriesOfLines = 20;

/** Every key of the table. `pk` and `sk` are its only key attributes. */
export type Key = Readonly<Record<'pk' | 'sk', string>>;

/** Pads numbers, so that text sorts in number order. No account will have 10^12 records. */
const padded = (sequence: number): string => sequence.toString().padStart(12, '0');

/** Starts of partition keys. Rights of functions are limited to items by them. */
export const partitionPrefixes = {
  /** A merchant's webhook address and its sandbox. */
  merchant: 'MERCHANT#',
  deliveries: 'DELIVERIES#',
  magicFault: 'FAULT#',
  signature: 'SIGNATURE#',
} as const;

const itemPrefix = 'ITEM#';

/** An item alone in its partition. */
const alone = (kind: string, ...ids: readonly string[]) => ({ pk: [kind, ...ids].join('#'), sk: kind });

export const keys = {
  balance: (accountId: string, currency: string) => ({ pk: `ACCOUNT#${accountId}`, sk: `BALANCE#${currency}` }),
  /** The length of an account's list, from which its entries get their numbers. */
  listCount: ({ accountId, list }: ListId) => ({ pk: `ACCOUNT#${accountId}`, sk: `LIST#${list}` }),
  /** By client id, so that a merchant's webhook address outlives a reset of its sandbox. */
  webhookRegistration: (clientId: string) => ({ pk: `${partitionPrefixes.merchant}${clientId}`, sk: 'WEBHOOK' }),
  /** The delivery log, by moment of attempt. Also by client id, because it belongs to the address. */
  webhookDelivery: (clientId: string, at: string, webhookId: string, attempt: number) => ({
    pk: `${partitionPrefixes.deliveries}${clientId}`,
    sk: `${at}#${webhookId}#${attempt.toString().padStart(2, '0')}`,
  }),
  sandbox: (clientId: string) => ({ pk: `${partitionPrefixes.merchant}${clientId}`, sk: 'SANDBOX' }),
  /** How often the fault of a magic reference has struck. */
  magicFault: (accountId: string, reference: string) => ({
    pk: `${partitionPrefixes.magicFault}${accountId}#${reference}`,
    sk: 'FAULT',
  }),
  signature: (clientId: string, signature: string) => ({
    pk: `${partitionPrefixes.signature}${clientId}#${signature}`,
    sk: 'SIGNATURE',
  }),
  /** An entry of the ledger. */
  entry: (accountId: string, currency: string, at: string, id: string) => ({
    pk: `LEDGER#${accountId}#${currency}`,
    sk: `${at}#${id}`,
  }),
  /** A checkout's deposit has the checkout's id, so there is at most one. */
  deposit: (depositId: string) => alone('DEPOSIT', depositId),
  /** Separate from the references of disbursements: the same text can identify one of each. */
  depositReference: (accountId: string, reference: string) => alone('DEPOSITREFERENCE', accountId, reference),
  checkout: (checkoutId: string) => alone('CHECKOUT', checkoutId),
  quote: (quoteId: string) => alone('QUOTE', quoteId),
  conversion: (convertId: string) => alone('CONVERSION', convertId),
  reference: (accountId: string, reference: string) => alone('REFERENCE', accountId, reference),
  /** Decides that a group is committed or abandoned. Without it, the group's items are invisible. */
  group: (groupId: string) => ({ pk: `GROUP#${groupId}`, sk: 'GROUP' }),
  disbursement: (groupId: string, position: number) => ({
    pk: `GROUP#${groupId}`,
    sk: `${itemPrefix}${position.toString().padStart(3, '0')}`,
  }),
  /** A list entry, by its number from 1. The children of each node form a partition of their own. */
  listEntry: (list: ListId, order: ListOrder, entryNumber: number) => ({
    pk: `${listPartition(list, order)}#1#${nodeIndex(1, entryNumber)}`,
    sk: padded(entryNumber),
  }),
  /** Counts of a hundred entries, or of a hundred such hundreds, by their index from 0. */
  listNode: (list: ListId, order: ListOrder, level: NodeLevel, index: number) => ({
    pk: `${listPartition(list, order)}${level === 1 ? `#2#${parentIndex(index)}` : ''}`,
    sk: padded(index),
  }),
  /** The members that share a value, per hundred entries of the list: at most 10,000 numbers. */
  listValue: (list: ListId, path: ValuePath, entryNumber: number) => ({
    pk: valuePartition(list, path),
    sk: padded(nodeIndex(1, entryNumber)),
  }),
  /** Short lines of the members of some entries: see lists/list-lines.ts. */
  listLines: (list: ListId, entryNumber: number) => ({
    pk: listPartition(list, 'lines'),
    sk: padded(Math.floor((entryNumber - 1) / entriesOfLines)),
  }),
} satisfies Readonly<Record<string, (...parts: never[]) => Key>>;

export const isDisbursementKey = (sk: string): boolean => sk.startsWith(itemPrefix);
