import * as z from 'zod';

const common = {
  accountId: z.string(),
  /** ISO 8601 UTC, by the real clock: when the POST that creates the group or deposit sent this, or a move of the clock did. */
  postedAt: z.string(),
};

/** A message without `kind` is about a group. */
const groupMessage = z.object({ kind: z.literal('group').default('group'), groupId: z.string(), ...common });
const depositMessage = z.object({ kind: z.literal('deposit'), depositId: z.string(), ...common });

const settlementMessage = z.union([depositMessage, groupMessage]);

/** Asks the worker to settle a group's due steps, or to delete the group if it was never committed. */
export type GroupMessage = z.infer<typeof groupMessage>;

/** Asks the worker to pay or expire a deposit when that is due. */
export type DepositMessage = z.infer<typeof depositMessage>;

export type SettlementMessage = z.infer<typeof settlementMessage>;

export const readSettlementMessage = (body: string): SettlementMessage => settlementMessage.parse(JSON.parse(body));

/** SQS delays a message by at most 15 minutes. A later moment takes several messages, one after another. */
export const longestDelaySeconds = 900;

/** Whole seconds until a moment (epoch milliseconds), rounded up so that nothing happens early. */
export const delaySeconds = (now: Date, moment: number): number =>
  Math.min(longestDelaySeconds, Math.max(0, Math.ceil((moment - now.getTime()) / 1000)));
