import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/** The signed parts of a request: headers by lower-case name, and the body exactly as sent. */
interface SignedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Returns the id of a message that one of the secrets signed. Undefined when none did. There are two secrets while one is
 * rotated. Rules of Standard Webhooks: HMAC-SHA-256 over id, time and body; the time at most five minutes off.
 *
 * @throws Error for a malformed secret
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
