import * as z from 'zod';
import type { Recipient } from '../../../../functions/domain/batch/chunk-file.ts';
import { provider } from '../../../../functions/runtime.ts';
import type { FollowedPayout } from './payout-record.ts';
import { pollWaitSeconds, updatePayout, writePayout } from './payout-record.ts';

const asked = z.object({
  reference: z.string(),
  amount: z.string(),
  currency: z.string(),
  bankCode: z.string(),
  bankName: z.string(),
  accountNumber: z.string(),
  accountName: z.string(),
  walletAddress: z.string(),
});

/** Makes one payout by a POST of its own. */
export const handler = async (event: unknown): Promise<FollowedPayout> => {
  const { reference, amount, currency, walletAddress, ...bank } = asked.parse(event);
  const rail = walletAddress === '' ? 'fiat' : 'crypto';
  const recipient: Recipient = rail === 'fiat' ? { kind: 'bank', ...bank } : { kind: 'wallet', walletAddress };
  await writePayout({ reference, amount, currency });
  const body = provider().composeSubmission({ rail, currency }, [{ row: 1, reference, amount, recipient }]);
  const answer = await provider().submit(rail, body);
  const made = answer.kind === 'answered' ? answer.disbursements[0] : undefined;
  if (made === undefined) throw new Error(`the payout was not made: ${answer.kind}`);
  const { disbursementId } = made;
  await updatePayout(reference, { disbursementId, status: made.status });
  const waitSeconds = pollWaitSeconds(0);
  return { reference, rail, disbursementId, polls: 0, waitSeconds, next: 'poll' };
};
