import * as z from 'zod';
import type { StatusChange } from '../domain/disbursement-lifecycle.ts';
import { wireNumber } from '../http/wire-json.ts';

const announcement = z.object({
  accountId: z.string(),
  /** The same in every attempt: a receiver knows a webhook it has seen by it. */
  webhookId: z.string(),
  /** The JSON text that is posted and signed. */
  body: z.string(),
});

/** A webhook on its way. */
export type Announcement = z.infer<typeof announcement>;

export const readAnnouncement = (text: string): Announcement => announcement.parse(JSON.parse(text));

/** The webhook that tells of a change of status, as the text that the table keeps until the queue has it. */
export function announcementOf({ before, after }: StatusChange): string {
  const body = JSON.stringify({
    type: 'disbursement.updated',
    timestamp: after.updatedAt,
    data: {
      disbursementId: after.disbursementId,
      disbursementType: after.rail,
      groupId: after.groupId,
      reference: after.reference,
      amount: wireNumber(after.amount),
      currency: after.currency,
      status: after.status,
      previousStatus: before.status,
      updatedAt: after.updatedAt,
    },
  });
  const sent: Announcement = {
    accountId: after.accountId,
    webhookId: `msg_${after.disbursementId}_${after.version}`,
    body,
  };
  return JSON.stringify(sent);
}
