import type { Payout } from '../../domain/payout/payout.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';

/** The reference without URL encoding; as it is when it is not encoded well. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * The payout with a reference. REST APIs hand path parameters over as the client encoded them, other gateways decode
 * them first: the text is tried as it came, then decoded, so both find a reference with a space or a percent sign.
 */
export const findPayout = async (
  ledger: Pick<PayoutLedger, 'getPayoutByReference'>,
  reference: string,
): Promise<Payout | undefined> => {
  const decoded = decode(reference);
  const asGiven = await ledger.getPayoutByReference(reference);
  return asGiven ?? (decoded === reference ? undefined : ledger.getPayoutByReference(decoded));
};
