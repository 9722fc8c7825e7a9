import type { PayoutLedger } from '../ports/payout-ledger.ts';
import { ledger, log } from '../runtime.ts';
import { findPayout } from './control/find-payout.ts';
import { endpoint } from './endpoint.ts';
import type { Outcome } from './http/answer.ts';
import { answer } from './http/answer.ts';
import { problem } from './http/problem.ts';
import type { RequestOf } from './schemas/operation.ts';
import type { PayoutView } from './schemas/payout.ts';
import * as operations from './schemas/payout-operations.ts';
import { viewPayouts } from './views/payouts.ts';

export interface GetPayoutDependencies {
  readonly ledger: Pick<PayoutLedger, 'getPayoutByReference' | 'findReferences' | 'getPayouts'>;
}

/** The payout with a reference. */
export const getPayout = async (
  { ledger }: GetPayoutDependencies,
  { path: { reference } }: Pick<RequestOf<typeof operations.getPayout>, 'path'>,
): Promise<Outcome<PayoutView>> => {
  const payout = await findPayout(ledger, reference);
  const [view] = await viewPayouts(ledger, payout === undefined ? [] : [payout]);
  return view === undefined ? problem('payout_not_found') : answer(200, view);
};

export const handler = endpoint(log, operations.getPayout, (request) => getPayout({ ledger: ledger() }, request));
