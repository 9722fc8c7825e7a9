import * as z from 'zod';
import { once } from '../once.ts';
import { rails } from '../payout/payout.ts';

const text = once(() => z.string());

const recipient = once(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('recipientId'), recipientId: text() }).readonly(),
    z
      .strictObject({
        kind: z.literal('bank'),
        bankCode: text(),
        bankName: text(),
        accountNumber: text(),
        accountName: text(),
      })
      .readonly(),
    z.strictObject({ kind: z.literal('wallet'), walletAddress: text() }).readonly(),
  ]),
);

const plannedPayout = once(() =>
  z
    .strictObject({
      /** Row in the file, from 1. The header does not count. */
      row: z.int().min(1),
      reference: text().min(1),
      /**
       * An exact decimal with at most the decimals of the chunk's currency. Text rather than Money, because a million rows are
       * planned, written and hashed.
       */
      amount: text().regex(/^\d+(\.\d+)?$/),
      recipient: recipient(),
      name: text().exactOptional(),
      email: text().exactOptional(),
      note: text().exactOptional(),
      /** The file's columns that begin with `x-`, by name. Only reports show them: the provider never receives them. */
      extras: z.record(text(), text()).readonly().exactOptional(),
    })
    .readonly(),
);

/**
 * The payouts that one child of Submit submits. PlanBatch writes this file to S3, and it is the only place that says who is
 * paid. It is checked when it is read back, so a file that was tampered with or half written pays nobody.
 */
export const chunkFile = once(() =>
  z
    .strictObject({
      batchId: text(),
      /** From 1. */
      chunk: z.int().min(1),
      rail: z.enum(rails),
      currency: text(),
      /** The provider gives no transfer proofs: none is requested, and none is missing. */
      hasNoProofs: z.literal(true).exactOptional(),
      payouts: z.array(plannedPayout()).min(1).readonly(),
    })
    .readonly(),
);

/** Exactly one of these is paid. */
export type Recipient = z.infer<ReturnType<typeof recipient>>;

/** One valid row of the payout file, as planned. */
export type PlannedPayout = z.infer<ReturnType<typeof plannedPayout>>;

export type ChunkFile = z.infer<ReturnType<typeof chunkFile>>;
