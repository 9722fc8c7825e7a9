import { given } from '../../domain/given.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import * as operations from '../schemas/operations/payout-operations.ts';
import { viewPayoutPage } from '../views/payout.ts';

export type ListPayoutsDependencies = Needs<{ ledger: 'getBatch' | 'listPayouts' | 'findReferences' | 'getPayouts' }>;

/** A page of a batch's payouts. Empty until a chunk is registered. */
export const listPayouts = async (
  { ledger }: ListPayoutsDependencies,
  { path: { batchId }, query }: Pick<RequestOf<typeof operations.listPayouts>, 'path' | 'query'>,
): Promise<OutcomeOf<typeof operations.listPayouts>> => {
  if ((await ledger.getBatch(batchId)) === undefined) return problem('batch_not_found');
  const { contradicted, ...rest } = query;
  const wanted = { ...rest, ...given({ contradicted: contradicted && (true as const) }) };
  const page = await ledger.listPayouts({ batchId, ...wanted });
  return answer(200, await viewPayoutPage(ledger, page));
};

export const handler = endpoint(log, operations.listPayouts, bind(listPayouts, { ledger }));
