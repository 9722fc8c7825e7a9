import * as z from 'zod';

const groupMessage = z.object({
  /** Messages that were sent before there were deposits do not say it. */
  kind: z.literal('group').default('group'),
  groupId: z.string(),
  accountId: z.string(),
  /** ISO 8601 UTC: when the POST that makes the group began. */
  postedAt: z.string(),
});

const depositMessage = z.object({
  kind: z.literal('deposit'),
  depositId: z.string(),
  accountId: z.string(),
  /** ISO 8601 UTC: when the POST that makes the deposit began. */
  postedAt: z.string(),
});

const settlementMessage = z.union([depositMessage, groupMessage]);

/** Asks to look at a group: settle what is due of it, or clear it away when it was never committed. */
export type GroupMessage = z.infer<typeof groupMessage>;

/** Asks to look at a deposit: pay or expire it when that is due. */
export type DepositMessage = z.infer<typeof depositMessage>;

export type SettlementMessage = z.infer<typeof settlementMessage>;

export const readSettlementMessage = (body: string): SettlementMessage => settlementMessage.parse(JSON.parse(body));

/** The longest a message of SQS can be delayed; a later moment takes another message on the way. */
const longestDelaySeconds = 900;

/** Whole seconds, rounded up: never before the moment. */
export const delaySeconds = (now: Date, moment: number): number =>
  Math.min(longestDelaySeconds, Math.max(0, Math.ceil((moment - now.getTime()) / 1000)));
