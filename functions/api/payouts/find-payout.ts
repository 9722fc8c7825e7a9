import type { Payout } from '../../domain/payout/payout.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';

/** The decoded reference, or the text itself when its URL encoding is invalid. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * Finds the payout with a reference. REST APIs pass path parameters as the client encoded them; other gateways decode them first.
 * So it tries the text as it came, then decoded, where `%3A` is a colon.
 */
export const findPayout = async (
  ledger: Pick<PayoutLedger, 'getPayoutByReference'>,
  reference: string,
): Promise<Payout | undefined> => {
  const decoded = decode(reference);
  const asGiven = await ledger.getPayoutByReference(reference);
  return asGiven ?? (decoded === reference ? undefined : ledger.getPayoutByReference(decoded));
};
