/** Names of the webhook fields that identify a payout, at most five levels deep. A webhook without any of them is ignored. */
export interface WebhookNames {
  /** Fields with our reference. A webhook that has one is about that payout, and its ids are ignored. */
  readonly references: readonly string[];
  /** Fields with the provider's own ids, which are looked up. */
  readonly ids: readonly string[];
}
