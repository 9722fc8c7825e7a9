import type { WebhookNames } from '../ports/webhook-names.ts';

/** The document shows no webhook but that a deposit's tells `orderId`: a payout's may have any of the names that its records have. */
export const webhookNames: WebhookNames = {
  references: ['reference'],
  ids: ['disbursementId', 'id', 'orderId'],
};
