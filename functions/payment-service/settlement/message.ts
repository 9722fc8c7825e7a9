import * as z from 'zod';

const settlementMessage = z.object({
  groupId: z.string(),
  accountId: z.string(),
  /** ISO 8601 UTC: when the POST that makes the group began. */
  postedAt: z.string(),
});

/** Asks to look at a group: settle what is due of it, or clear it away when it was never committed. */
export type SettlementMessage = z.infer<typeof settlementMessage>;

export const readSettlementMessage = (body: string): SettlementMessage => settlementMessage.parse(JSON.parse(body));

/** The longest a message of SQS can be delayed; a later moment takes another message on the way. */
const longestDelaySeconds = 900;

/** Whole seconds, rounded up: never before the moment. */
export const delaySeconds = (now: Date, moment: number): number =>
  Math.min(longestDelaySeconds, Math.max(0, Math.ceil((moment - now.getTime()) / 1000)));
