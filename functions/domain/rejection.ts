/** What a 400 of the provider means for the batch. */
export type RejectionMeaning = 'insufficient_balance' | 'refused';

/**
 * The document gives no code beside the status, so the message is all there is. A balance that is too low concerns the
 * batch, not the rows: they wait for money instead of being rejected one by one.
 */
export const meaningOfRejection = (message: string): RejectionMeaning =>
  /insufficient.{0,20}balance/i.test(message) ? 'insufficient_balance' : 'refused';
