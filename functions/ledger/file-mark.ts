import type { Batch } from '../domain/batch.ts';
import type { Expression } from './expressions.ts';
import { absent } from './expressions.ts';
import { keys } from './keys.ts';
import type { Write } from './writes.ts';

/**
 * The mark of a payout file version: the set of batches that disburse it. A set, because with `allowSameFile` several
 * may, and one of them leaving must not make the file look new while another pays from it.
 */
const change = (verb: 'ADD' | 'DELETE', batchId: string): Expression => ({
  text: `${verb} #batches :batch`,
  names: { '#batches': 'batches' },
  values: { ':batch': new Set([batchId]) },
});

/** Joins the batches of its file; without `allowSameFile` only when there is none. */
export const joinFileMark = ({ batchId, file, allowSameFile }: Batch): Write => ({
  kind: 'update',
  key: keys.file(file),
  update: change('ADD', batchId),
  ...(allowSameFile ? {} : { condition: absent('batches') }),
  tellOld: true,
});

/** Leaves the batches of its file. DynamoDB removes a set with its last member; leaving twice changes nothing. */
export const leaveFileMark = ({ batchId, file }: Batch): Write => ({
  kind: 'update',
  key: keys.file(file),
  update: change('DELETE', batchId),
});
