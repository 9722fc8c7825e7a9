import * as z from 'zod';
import type { Deposit } from '../domain/deposits/deposit.ts';
import type { DepositChange } from '../domain/deposits/lifecycle.ts';
import type { Disbursement } from '../domain/disbursements/disbursement.ts';
import type { StatusChange } from '../domain/disbursements/lifecycle.ts';
import { wireNumber } from '../http/wire-json.ts';

export const announcementSchema = z.object({
  accountId: z.string(),
  /** The same in every attempt, so that a receiver can deduplicate. */
  webhookId: z.string(),
  type: z.enum(['disbursement.updated', 'deposit.updated']),
  /** The id of the disbursement or deposit. */
  about: z.string(),
  /** The JSON text that is posted and signed. */
  body: z.string(),
  /** A sandbox fault forged this webhook. It is signed with the wrong secret. */
  forged: z.literal(true).optional(),
});

/** A webhook on its way. */
export type Announcement = z.infer<typeof announcementSchema>;

/** Undefined when the text was not written here. */
export const readAnnouncement = (text: string): Announcement | undefined => {
  try {
    return announcementSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/** The text that the table stores until the queue has it. Each version of a record is announced at most once. */
const announced = (type: Announcement['type'], about: string, record: Deposit | Disbursement, data: object): string => {
  const sent: Announcement = {
    accountId: record.accountId,
    webhookId: `msg_${about}_${record.version}`,
    type,
    about,
    body: JSON.stringify({ type, timestamp: record.updatedAt, data }),
  };
  return JSON.stringify(sent);
};

/** The webhook for a disbursement's change of status, as the text for its item's `announce`. */
export const disbursementAnnouncement = ({ before, after }: StatusChange): string =>
  announced('disbursement.updated', after.disbursementId, after, {
    disbursementId: after.disbursementId,
    disbursementType: after.rail,
    groupId: after.groupId,
    reference: after.reference,
    amount: wireNumber(after.amount),
    currency: after.amount.currency,
    status: after.status,
    previousStatus: before.status,
    updatedAt: after.updatedAt,
  });

/**
 * The webhook for a deposit's change, as the text for its item's `announce`. `orderId` is the id of both the checkout
 * and its deposit, so a deposit without a checkout has one too.
 */
export const depositAnnouncement = ({ before, after }: DepositChange): string =>
  announced('deposit.updated', after.depositId, after, {
    orderId: after.depositId,
    depositId: after.depositId,
    depositType: after.depositType,
    reference: after.reference,
    inputCurrency: after.input.currency,
    inputAmount: wireNumber(after.input),
    outputCurrency: after.output.currency,
    outputAmount: wireNumber(after.output),
    status: after.status,
    previousStatus: before.status,
    paidAt: after.paidAt,
    updatedAt: after.updatedAt,
  });
