import * as z from 'zod';

/** What a queue hands a function over: SQS's record, as far as it is used. */
export const queuedMessages = z.object({
  Records: z.array(
    z.object({
      messageId: z.string(),
      receiptHandle: z.string(),
      body: z.string(),
      attributes: z.object({ ApproximateReceiveCount: z.coerce.number().int().positive() }),
    }),
  ),
});
export type QueuedMessages = z.infer<typeof queuedMessages>;
export type QueuedMessage = QueuedMessages['Records'][number];

/** What a queue or a stream is told: it hands these over again; a stream all from the first of them on. */
export interface RedeliveryResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/** Seconds SQS hides a message for at most: 12 hours. */
export const longestWaitSeconds = 43_200;
