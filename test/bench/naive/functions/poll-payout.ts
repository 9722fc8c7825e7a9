import { provider } from '../../../../functions/runtime.ts';
import type { FollowedPayout } from './payout-record.ts';
import { followedPayout, pollWaitSeconds, updatePayout } from './payout-record.ts';

/** Looks up one payout by its id. */
export const handler = async (event: unknown): Promise<FollowedPayout> => {
  const payout = followedPayout.parse(event);
  const answer = await provider().lookUp(payout.rail, payout.disbursementId);
  const polls = payout.polls + 1;
  const status = answer.kind === 'found' ? answer.disbursement.status : 'pending';
  if (status === 'pending' || status === 'on_hold') {
    return { ...payout, polls, waitSeconds: pollWaitSeconds(polls), next: 'poll' };
  }
  await updatePayout(payout.reference, { status });
  return { ...payout, polls, next: payout.rail === 'fiat' && status === 'completed' ? 'archive' : 'done' };
};
