import type { Batch } from '../../domain/batch/batch.ts';
import type { Expression } from '../table/expressions.ts';
import { absent, changingSets } from '../table/expressions.ts';
import type { Key } from '../table/keys.ts';
import type { Item } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { readFileMark } from './batch-codec.ts';

/**
 * The marks of a payout file: one of its version, one of its content. Each is the set of batches that disburse it. A set,
 * because with `allowSameFile` several may, and one of them leaving must not make the file look new while another pays from it.
 */
const change = (verb: 'ADD' | 'DELETE', batchId: string): Expression => changingSets(verb, { batches: [batchId] });

/** Joins the batches of a mark; without `allowSameFile` only when there is none. */
export const joinMark = (key: Key, { batchId, allowSameFile }: Pick<Batch, 'batchId' | 'allowSameFile'>): Write => ({
  kind: 'update',
  key,
  update: change('ADD', batchId),
  ...(allowSameFile ? {} : { condition: absent('batches') }),
  returnsOld: true,
});

/** What a preview does instead of joining: it finds what a batch that pays would find, and leaves no trace. */
export const checkMark = (key: Key, { allowSameFile }: Pick<Batch, 'allowSameFile'>): readonly Write[] =>
  allowSameFile ? [] : [{ kind: 'check', key, condition: absent('batches'), returnsOld: true }];

/** Leaves the batches of a mark. Leaving twice changes nothing. */
export const leaveMark = (key: Key, batchId: string): Write => ({
  kind: 'update',
  key,
  update: change('DELETE', batchId),
});

/** The batches of a mark, oldest first: batch ids sort by time. */
export const batchesOfMark = (item: Item): readonly string[] => [...(readFileMark(item).batches ?? [])].sort();

/** The first batch of a mark that refused another. */
export const firstOfMark = (item: Item): string | undefined => batchesOfMark(item)[0];
