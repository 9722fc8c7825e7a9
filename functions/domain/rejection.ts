/** What a 400 of the provider means. */
export type RejectionMeaning = 'insufficient_balance' | 'reference_taken' | 'refused';

/**
 * The document gives no code beside the status, so the message is all there is. A balance that is too low concerns the
 * batch, not the rows: they wait for money instead of being rejected one by one. A reference that is taken says that
 * somebody made a disbursement with it, perhaps we.
 */
export const meaningOfRejection = (message: string): RejectionMeaning => {
  if (/insufficient.{0,20}balance/i.test(message)) return 'insufficient_balance';
  const isTaken = /reference/i.test(message) && /taken|used|exist|duplicat|unique|already|conflict/i.test(message);
  return isTaken ? 'reference_taken' : 'refused';
};
