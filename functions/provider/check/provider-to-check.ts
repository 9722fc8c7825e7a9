import { ProviderMisconfigured, ProviderRefused, ProviderUnavailable } from '../../domain/errors.ts';
import type { Rail } from '../../domain/payout/payout.ts';
import type { PaymentProvider } from '../../ports/provider.ts';
import type { Finding } from './finding.ts';
import { wrong } from './finding.ts';

/** What was asked, as far as an adapter explains it in its own way. */
export type Question =
  | { readonly of: 'list'; readonly query: Parameters<PaymentProvider['listDisbursements']>[0] }
  | { readonly of: 'look-up'; readonly rail: Rail }
  | { readonly of: 'proof' | 'balance' | 'methods' | 'price' | 'habit' };

/** What a check asks: reads, none of which moves money. */
type Reads = Pick<
  PaymentProvider,
  | 'traits'
  | 'readBalances'
  | 'listPaymentMethods'
  | 'pageSize'
  | 'statusLists'
  | 'listDisbursements'
  | 'lookUp'
  | 'downloadProof'
  | 'estimateCryptoFee'
  | 'quoteConversion'
>;

/** A provider that is checked, by whichever adapter of the port. */
export interface ProviderToCheck {
  readonly provider: Reads;
  /** Tells what was just found in the adapter's own words, with its setting; or as it is, where it knows no better. */
  readonly explain?: (question: Question, found: Finding) => Promise<Finding>;
}

/** What the port says of a read that failed: its message holds an endpoint and a code. */
const failure = (what: string, error: unknown): Finding => {
  if (error instanceof ProviderRefused || error instanceof ProviderMisconfigured) return wrong(what, error.message);
  if (error instanceof ProviderUnavailable) return { ...wrong(what, error.message), isPassing: true };
  throw error;
};

/** One question at a time: what an adapter explains is what it heard last. */
export const ask = async (
  { explain = async (_question, found) => found }: ProviderToCheck,
  question: Question,
  what: string,
  look: () => Promise<Finding>,
): Promise<Finding> => {
  const found = await look().catch((error: unknown) => failure(what, error));
  return explain(question, found);
};
