import type { WebhookNames } from '../ports/webhook-names.ts';

/**
 * The document shows no payout webhook. It names only `orderId`, for deposits. A payout's id may be under any name its records
 * have.
 */
export const webhookNames: WebhookNames = {
  references: ['reference'],
  ids: ['disbursementId', 'id', 'orderId'],
};
