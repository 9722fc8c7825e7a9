/** What a 400 of the provider means for the batch. */
export type RejectionMeaning = 'insufficient_balance' | 'refused';

/**
 * The document gives no code beside the status, so the message is all there is. A balance that is too low concerns the
 * batch, not the rows: they wait for money instead of being rejected one by one.
 */
export const meaningOfRejection = (message: string): RejectionMeaning =>
  /insufficient.{0,20}balance/i.test(message) ? 'insufficient_balance' : 'refused';

const longestMessage = 200;

/**
 * The provider's message as it may be kept and shown: digits that could be an account, mail addresses and wallet-like
 * words are masked, and it is cut at 200 characters.
 */
export const withoutPersonalData = (message: string): string =>
  message
    .replace(/[^\s@]+@[^\s@]+/g, '***')
    .replace(/\b(0x)?[A-Za-z0-9]{20,}\b/g, '***')
    .replace(/\d[\d -]{4,}\d/g, '***')
    .slice(0, longestMessage);
