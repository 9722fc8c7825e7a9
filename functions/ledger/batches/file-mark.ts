import type { Batch } from '../../domain/batch/batch.ts';
import type { Expression } from '../table/expressions.ts';
import { absent, changingSets } from '../table/expressions.ts';
import type { Key } from '../table/keys.ts';
import type { Item } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { checking, returningOld, updating } from '../table/writes.ts';
import { readFileMark } from './batch-codec.ts';

/*
 * The marks of a payout file: one for its version, one for its content. Each is the set of batches that disburse it.
 * `allowSameFile` allows several. When one leaves, the file must not look new while another still pays from it.
 */

const change = (verb: 'ADD' | 'DELETE', batchId: string): Expression => changingSets(verb, { batches: [batchId] });

/** Adds a batch to a mark. Without `allowSameFile`, only when the mark has no batch. */
export const joinMark = (key: Key, { batchId, allowSameFile }: Pick<Batch, 'batchId' | 'allowSameFile'>): Write =>
  returningOld(updating(key, change('ADD', batchId), allowSameFile ? undefined : absent('batches')));

/** A preview checks a mark instead of joining it: it gets the result that a paying batch would get, and leaves no trace. */
export const checkMark = (key: Key, { allowSameFile }: Pick<Batch, 'allowSameFile'>): readonly Write[] =>
  allowSameFile ? [] : [returningOld(checking(key, absent('batches')))];

/** Removes a batch from a mark. Idempotent. */
export const leaveMark = (key: Key, batchId: string): Write => updating(key, change('DELETE', batchId));

/** The batches of a mark, oldest first: batch ids sort by time. */
export const batchesOfMark = (item: Item): readonly string[] => [...(readFileMark(item).batches ?? [])].sort();
