import { sequenceText } from '../../domain/events/cloud-event.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import * as operations from '../schemas/operations/batch-operations.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';

/** A batch's events after a sequence number, exactly as they were or will soon be published. */
export const listEvents = async (
  { ledger }: Needs<{ ledger: 'getBatch' | 'readEventNumbers' | 'listEventsAfter' }>,
  { path: { batchId }, query }: Pick<RequestOf<typeof operations.listEvents>, 'path' | 'query'>,
): Promise<OutcomeOf<typeof operations.listEvents>> => {
  if ((await ledger.getBatch(batchId)) === undefined) return problem('batch_not_found');
  // Read first, so it may be lower than the last event's number. A later request shows the rest.
  const { sequence } = await ledger.readEventNumbers(batchId);
  const events = await ledger.listEventsAfter(batchId, query.after, query.limit);
  return answer(200, { events: [...events], last: sequenceText(sequence) });
};

export const handler = endpoint(log, operations.listEvents, bind(listEvents, { ledger }));
