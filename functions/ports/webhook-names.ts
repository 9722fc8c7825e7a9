/**
 * Names under which a provider's webhooks tell what a payout is known by, at most five levels deep. A webhook without any says
 * nothing.
 */
export interface WebhookNames {
  /** Of our reference: such a webhook is about that payout, and its ids are not looked at. */
  readonly references: readonly string[];
  /** Of ids of the provider's own, which it is asked about. */
  readonly ids: readonly string[];
}
