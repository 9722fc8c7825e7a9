import { given } from '../../domain/given.ts';
import { nameOf, shownDestination } from '../../domain/payout/destination.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, files, ledger, log } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import * as operations from '../schemas/operations/payout-operations.ts';
import { chunkFileProblem } from './chunk-file-problem.ts';
import { findPayout } from './find-payout.ts';
import { readPlanned } from './read-planned.ts';

/** The recipient of a payout, from its sealed chunk file. Logs the caller, never the answer. */
export const getRecipient = async (
  { ledger, files, log }: Needs<{ ledger: 'getBatch' | 'getPayoutByReference'; files: 'getChunk'; log: 'info' }>,
  { path: { reference }, caller }: Pick<RequestOf<typeof operations.getRecipient>, 'path' | 'caller'>,
): Promise<OutcomeOf<typeof operations.getRecipient>> => {
  const payout = await findPayout(ledger, reference);
  if (payout === undefined) return problem('payout_not_found');
  const { batchId, row, status: payoutStatus } = payout;
  const planned = await readPlanned(ledger, files, payout).catch((error: unknown) =>
    chunkFileProblem(error, { batchId, payoutStatus }),
  );
  if ('kind' in planned) return planned;
  log.info('recipient.shown', { batchId, row, caller });
  const name = nameOf(planned);
  const { recipient, extras } = planned;
  return answer(200, {
    batchId,
    row,
    reference: payout.reference,
    ...given({ name, bankName: recipient.kind === 'bank' ? recipient.bankName : undefined }),
    ...shownDestination(recipient),
    ...given({ extras }),
  });
};

export const handler = endpoint(log, operations.getRecipient, bind(getRecipient, { ledger, files }));
