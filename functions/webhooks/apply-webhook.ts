import middy from '@middy/core';
import { nameOfError, ProviderRefused } from '../domain/errors.ts';
import type { QueuedMessage, QueuedMessages, RedeliveryResponse } from '../domain/queued-messages.ts';
import { queuedMessages } from '../domain/queued-messages.ts';
import type { Needs } from '../ports/needs.ts';
import { clock, hintQueue, ledger, log, provider, settings } from '../runtime.ts';
import type { ApplyHintDependencies } from './apply-hint.ts';
import { applyHint } from './apply-hint.ts';
import { readHint } from './read-hint.ts';
import { waitAfterFailure, waitForWindow } from './wait-before-next-attempt.ts';

export type ApplyWebhookDependencies = ApplyHintDependencies &
  Needs<{ hintQueue: 'hide' | 'setAside' }> & {
    /** Seconds between attempts of a hint that could not be applied. */
    readonly waitsSeconds: readonly number[];
  };

/**
 * Tries one hint. Returns true when the queue must deliver it again. A hint leaves the queue only when it is applied or kept
 * for a person. It is set aside immediately if it is unreadable, or the provider refuses the credentials or a search, and by the
 * queue after its last attempt.
 */
const comesAgain = async (dependencies: ApplyWebhookDependencies, queued: QueuedMessage): Promise<boolean> => {
  const { hintQueue, log, clock, waitsSeconds } = dependencies;
  const thisTry = { attempt: queued.attributes.ApproximateReceiveCount, waitsSeconds };
  const hint = readHint(queued.body);
  try {
    if (hint === undefined) {
      log.warn('webhook.set_aside', { error: 'unreadable' });
      await hintQueue.setAside(queued.body);
      return false;
    }
    const unanswered = await applyHint(dependencies, hint);
    if (unanswered === undefined) return false;
    const seconds = waitForWindow(thisTry, unanswered, clock());
    log.info('webhook.waits', { webhook: hint.webhook, seconds });
    await hintQueue.hide(queued.receiptHandle, seconds);
  } catch (error) {
    log.warn('webhook.apply_failed', { webhook: hint?.webhook ?? '', error: nameOfError(error) });
    if (error instanceof ProviderRefused) {
      await hintQueue.setAside(queued.body);
      return false;
    }
    await hintQueue.hide(queued.receiptHandle, waitAfterFailure(thisTry));
  }
  return true;
};

/** Applies hints from the queue one after another, because two concurrent updates of a chunk's counts would conflict. */
export const applyWebhooks = async (
  dependencies: ApplyWebhookDependencies,
  { Records }: QueuedMessages,
): Promise<RedeliveryResponse> => {
  const batchItemFailures: { readonly itemIdentifier: string }[] = [];
  for (const queued of Records) {
    if (await comesAgain(dependencies, queued)) batchItemFailures.push({ itemIdentifier: queued.messageId });
  }
  return { batchItemFailures };
};

export const handler = middy<unknown, RedeliveryResponse>().handler((event: unknown) => {
  const { lookupWindowSeconds, retryWaitsSeconds: waitsSeconds } = settings().webhooks;
  const ports = { ledger: ledger(), provider: provider(), hintQueue: hintQueue(), settings: settings(), log, clock };
  return applyWebhooks({ ...ports, lookupWindowSeconds, waitsSeconds }, queuedMessages.parse(event));
});
