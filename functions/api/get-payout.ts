import type { PayoutLedger } from '../domain/ledger-port.ts';
import { ledger, log } from '../runtime.ts';
import { endpoint } from './endpoint.ts';
import type { Outcome } from './http/answer.ts';
import { answer } from './http/answer.ts';
import { problem } from './http/problem.ts';
import type { RequestOf } from './schemas/operation.ts';
import * as operations from './schemas/operations.ts';
import type { PayoutView } from './schemas/payout.ts';
import { viewPayout } from './views/payout.ts';

export interface GetPayoutDependencies {
  readonly ledger: Pick<PayoutLedger, 'getPayoutByReference'>;
}

/** The reference without URL encoding; as it is when it is not encoded well. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * The payout with a reference. REST APIs hand path parameters over as the client encoded them, other gateways decode
 * them first: the text is tried as it came, then decoded, so both find a reference with a space or a percent sign.
 */
export const getPayout = async (
  { ledger }: GetPayoutDependencies,
  { path: { reference } }: Pick<RequestOf<typeof operations.getPayout>, 'path'>,
): Promise<Outcome<PayoutView>> => {
  const decoded = decode(reference);
  const asGiven = await ledger.getPayoutByReference(reference);
  const payout = asGiven ?? (decoded === reference ? undefined : await ledger.getPayoutByReference(decoded));
  return payout === undefined ? problem('payout_not_found') : answer(200, viewPayout(payout));
};

export const handler = endpoint(log, operations.getPayout, (request) => getPayout({ ledger: ledger() }, request));
