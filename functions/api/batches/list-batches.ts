import { given } from '../../domain/given.ts';
import { isoNow } from '../../ports/environment.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log, workflow } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import * as operations from '../schemas/operations/batch-operations.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import { summarizeBatch } from '../views/batch-summary.ts';

export type ListBatchesDependencies = Needs<{ ledger: 'listBatches'; workflow: 'consoleUrl' }, 'clock'>;

/** A page of batches, newest first, walking back from the requested day or from today. */
export const listBatches = async (
  dependencies: ListBatchesDependencies,
  { query }: Pick<RequestOf<typeof operations.listBatches>, 'query'>,
): Promise<OutcomeOf<typeof operations.listBatches>> => {
  const { day = isoNow(dependencies.clock).slice(0, 'YYYY-MM-DD'.length), ...rest } = query;
  const page = await dependencies.ledger.listBatches({ day, ...rest });
  return answer(200, {
    batches: page.items.map((batch) => summarizeBatch(dependencies.workflow, batch)),
    ...given({ cursor: page.cursor }),
  });
};

export const handler = endpoint(log, operations.listBatches, bind(listBatches, { ledger, workflow }));
