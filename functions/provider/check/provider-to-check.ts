import { ProviderMisconfigured, ProviderRefused, ProviderUnavailable } from '../../domain/errors.ts';
import type { PaymentProvider } from '../../ports/provider.ts';
import type { Finding, Judgment } from './finding.ts';
import { wrong } from './finding.ts';

/** The question behind a finding, for adapters that explain findings in their own words. */
export type Question =
  | { readonly about: 'list'; readonly query: Parameters<PaymentProvider['listDisbursements']>[0] }
  | { readonly about: 'lookup' | 'proof' | 'balance' | 'methods' | 'price' | 'habit' };

/** The reads that a check uses. None of them moves money. */
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
  | 'estimateFee'
  | 'quoteConversion'
>;

/** A provider to check, with any adapter of the port. */
export interface ProviderToCheck {
  readonly provider: Reads;
  /**
   * Restates a judgment in the adapter's own words, with the setting to change. Returns it unchanged when it has nothing to add.
   */
  readonly explain?: (question: Question, found: Judgment) => Promise<Judgment>;
}

/** The judgment on a failed read. The port's error messages hold an endpoint and a code. */
const failure = (error: unknown): Judgment => {
  if (error instanceof ProviderRefused || error instanceof ProviderMisconfigured) return wrong(error.message);
  if (error instanceof ProviderUnavailable) return { ...wrong(error.message), isTransient: true };
  throw error;
};

/** Asks one question. Ask sequentially: an adapter explains the last answer it received. */
export const ask = async (
  { explain = async (_question, found) => found }: ProviderToCheck,
  question: Question,
  what: string,
  look: () => Promise<Judgment>,
): Promise<Finding> => ({ what, ...(await explain(question, await look().catch(failure))) });
