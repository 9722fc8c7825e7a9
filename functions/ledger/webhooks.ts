import type { WebhookLedger } from '../domain/ledger-port.ts';
import { absent } from './expressions.ts';
import type { LedgerDependencies } from './store.ts';
import { createStore } from './store.ts';
import { webhookItem } from './webhook-codec.ts';

/** Keeping webhooks, each body once. */
export const createWebhooks = (dependencies: LedgerDependencies): WebhookLedger => {
  const store = createStore(dependencies);

  /** A repetition after a lost answer finds its own webhook and says false: it is stored, and the stream handles it. */
  const storeWebhook: WebhookLedger['storeWebhook'] = async (webhook) =>
    (await store.put(webhookItem(webhook), absent('pk'))).kind === 'written';

  return { storeWebhook };
};
