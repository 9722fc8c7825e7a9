import * as z from 'zod';

/** The event that SQS passes to a function: only the fields that are used. */
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

/**
 * The response to a queue or a stream, listing the items to redeliver. A stream redelivers everything from the first listed item
 * on.
 */
export interface RedeliveryResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}
