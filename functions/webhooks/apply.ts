import middy from '@middy/core';
import * as z from 'zod';
import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import { ledger, log, provider } from '../runtime.ts';
import type { ApplyDependencies } from './apply-webhook.ts';
import { applyWebhook } from './apply-webhook.ts';

const text = z.object({ S: z.string() });

/** The stream's records of stored webhooks; the event source's filter lets no other item through. */
const streamRecord = z.object({
  dynamodb: z.object({
    SequenceNumber: z.string(),
    NewImage: z.object({ pk: text, body: text, receivedAt: text }),
  }),
});
const streamEvent = z.object({ Records: z.array(streamRecord) });
export type StreamEvent = z.infer<typeof streamEvent>;

/** What Lambda is told: the stream goes on from the earliest of these, as often as the event source allows. */
export interface FailedRecords {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

const codeOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

/**
 * Applies stored webhooks in their order. One that fails is reported and comes again with all after it, which is
 * harmless: applying twice changes nothing. While the provider is out nothing more is asked of it. Where the provider
 * refuses the credentials, another try is of no use: the hint is dropped, and the poll will halt the batch.
 */
export const apply = async (dependencies: ApplyDependencies, { Records }: StreamEvent): Promise<FailedRecords> => {
  const batchItemFailures: { readonly itemIdentifier: string }[] = [];
  for (const { dynamodb } of Records) {
    const { pk, body, receivedAt } = dynamodb.NewImage;
    const hash = pk.S.slice(pk.S.indexOf('#') + 1);
    try {
      await applyWebhook(dependencies, { hash, body: body.S, receivedAt: receivedAt.S });
    } catch (error) {
      dependencies.log.warn('webhook.apply_failed', { webhook: hash, error: codeOf(error) });
      if (error instanceof ProviderRefused) continue;
      batchItemFailures.push({ itemIdentifier: dynamodb.SequenceNumber });
      if (error instanceof ProviderUnavailable) break;
    }
  }
  return { batchItemFailures };
};

export const handler = middy<unknown, FailedRecords>().handler((event: unknown) =>
  apply({ ledger: ledger(), provider: provider(), log }, streamEvent.parse(event)),
);
