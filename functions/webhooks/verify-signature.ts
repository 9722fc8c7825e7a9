import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/** What a signature is checked by: headers by lower-case name, and the body exactly as it was sent. */
export interface SignedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The id of a message that one of the secrets signed by the Standard Webhooks rules: HMAC-SHA-256 over id, time and body,
 * no older or newer than five minutes. Undefined when none did. Two secrets hold while one is replaced by the other. A
 * secret that is none throws.
 */
export const signedIdOf = (secrets: readonly string[], { headers, body }: SignedWebhook): string | undefined => {
  const signed = secrets.some((secret) => {
    const webhook = new Webhook(secret);
    try {
      webhook.verify(body, { ...headers }, { jsonParse: false });
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      throw error;
    }
  });
  return signed ? headers['webhook-id'] : undefined;
};
