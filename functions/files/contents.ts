import * as z from 'zod';
import { once } from '../domain/once.ts';

/** Validates what PlanBatch wrote when it is read back: a file that was altered or half written pays nobody. */
const text = once(() => z.string());

const recipient = once(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('recipientId'), recipientId: text() }),
    z.strictObject({
      kind: z.literal('bank'),
      bankCode: text(),
      bankName: text(),
      accountNumber: text(),
      accountName: text(),
    }),
    z.strictObject({ kind: z.literal('wallet'), walletAddress: text() }),
  ]),
);

const plannedPayout = once(() =>
  z.strictObject({
    row: z.int().min(1),
    reference: text().min(1),
    amount: text().regex(/^\d+(\.\d+)?$/),
    recipient: recipient(),
    name: text().exactOptional(),
    email: text().exactOptional(),
    note: text().exactOptional(),
    extras: z.record(text(), text()).exactOptional(),
  }),
);

export const chunkFile = once(() =>
  z.strictObject({
    batchId: text(),
    chunk: z.int().min(1),
    rail: z.enum(['fiat', 'crypto']),
    currency: text(),
    hasNoProofs: z.literal(true).exactOptional(),
    payouts: z.array(plannedPayout()).min(1),
  }),
);
