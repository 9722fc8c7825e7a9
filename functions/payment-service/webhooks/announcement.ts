import * as z from 'zod';
import type { DepositChange } from '../domain/deposits/lifecycle.ts';
import type { StatusChange } from '../domain/disbursements/lifecycle.ts';
import { wireNumber } from '../http/wire-json.ts';

const announcement = z.object({
  accountId: z.string(),
  /** The same in every attempt: a receiver knows a webhook it has seen by it. */
  webhookId: z.string(),
  type: z.enum(['disbursement.updated', 'deposit.updated']),
  /** The id of the disbursement or deposit it tells of. */
  about: z.string(),
  /** The JSON text that is posted and signed. */
  body: z.string(),
  /** Of a sandbox that was told to: somebody else made it up, and signs it with another secret. */
  forged: z.literal(true).optional(),
});

/** A webhook on its way. */
export type Announcement = z.infer<typeof announcement>;

/** Undefined when the text is none that was written here. */
export const readAnnouncement = (text: string): Announcement | undefined => {
  try {
    return announcement.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

interface Told {
  readonly accountId: string;
  readonly version: number;
  readonly updatedAt: string;
}

/** The text that the table keeps until the queue has it. Each version of a record is announced at most once. */
const announced = (type: Announcement['type'], about: string, record: Told, data: object): string => {
  const sent: Announcement = {
    accountId: record.accountId,
    webhookId: `msg_${about}_${record.version}`,
    type,
    about,
    body: JSON.stringify({ type, timestamp: record.updatedAt, data }),
  };
  return JSON.stringify(sent);
};

/** The webhook that tells of a disbursement's change of status, as the text that goes into its item's `announce`. */
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
 * The webhook that tells of a deposit's change, as the text that goes into its item's `announce`. `orderId` is the
 * checkout's id, which is the deposit's too, so that a deposit without a checkout has one as well.
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
