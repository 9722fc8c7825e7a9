import * as z from 'zod';

/** The service's request body as documented. Numbers are kept as digits. */
export const fiatBody = z.object({
  currency: z.string(),
  disburseData: z.array(
    z.object({
      recipientId: z.string().optional(),
      recipient: z.object({ bank: z.object({ bankCode: z.string(), accountNumber: z.string() }) }).optional(),
      amount: z.string(),
      reference: z.string(),
    }),
  ),
});
export const cryptoBody = z.object({
  token: z.string(),
  receivers: z.array(z.object({ amount: z.string(), receiverWalletAddress: z.string(), reference: z.string() })),
});
export const convertBody = z.object({ quoteId: z.string() });

/** Numbers become their digits, so an amount never becomes a float. */
export const parseBySource = (text: string | undefined): unknown =>
  JSON.parse(text ?? '', (_key, value, context) => (typeof value === 'number' ? context.source : value));
