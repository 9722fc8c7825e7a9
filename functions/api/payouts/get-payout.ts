import { readLastRetries } from '../../payouts/last-retries.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import * as operations from '../schemas/operations/payout-operations.ts';
import { viewPayout } from '../views/payout.ts';
import { findPayout } from './find-payout.ts';

export type GetPayoutDependencies = Needs<{ ledger: 'getPayoutByReference' | 'findReferences' | 'getPayouts' }>;

/** The payout with a reference. */
export const getPayout = async (
  { ledger }: GetPayoutDependencies,
  { path: { reference } }: Pick<RequestOf<typeof operations.getPayout>, 'path'>,
): Promise<OutcomeOf<typeof operations.getPayout>> => {
  const payout = await findPayout(ledger, reference);
  if (payout === undefined) return problem('payout_not_found');
  const retries = await readLastRetries(ledger, [payout]);
  return answer(200, viewPayout(payout, retries.get(payout.reference)));
};

export const handler = endpoint(log, operations.getPayout, bind(getPayout, { ledger }));
