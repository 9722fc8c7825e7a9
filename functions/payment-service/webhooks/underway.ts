import type { Strike } from '../domain/sandbox/faults.ts';
import type { Announcement } from './announcement.ts';

export interface Underway {
  readonly announcement: Announcement;
  /** Whole seconds until it is posted for the first time. */
  readonly delaySeconds: number;
}

/** Says that the record ended otherwise than it did, under an id of its own. */
const forgedFrom = (announcement: Announcement): Announcement => {
  const { webhookId, body } = announcement;
  return {
    ...announcement,
    webhookId: webhookId.replace(/^msg_/, 'msg_forged_'),
    body: body.replace(
      /"status":"(\w+)"/,
      (_, status) => `"status":"${status === 'completed' ? 'failed' : 'completed'}"`,
    ),
    forged: true,
  };
};

/** What sets off for the merchant when something is announced: the webhook itself, and what faults make of it. */
export const underway = async (announcement: Announcement, strike: Strike): Promise<readonly Underway[]> => {
  const held = (await strike('webhook-late')) ?? (await strike('webhook-disorder'));
  const own = { announcement, delaySeconds: held?.seconds ?? 0 };
  const duplicate = (await strike('webhook-duplicate')) === undefined ? [] : [own];
  const isForged = (await strike('webhook-forged')) !== undefined;
  return [...(isForged ? [{ announcement: forgedFrom(announcement), delaySeconds: 0 }] : []), own, ...duplicate];
};
