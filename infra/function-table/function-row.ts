import type { FilesAccess } from '../constructs/orchestrator/payout-files.ts';
import type { LedgerAccess } from '../constructs/orchestrator/payout-ledger.ts';

/** One of the provider's two secrets. */
export type ProviderCredential = 'signing' | 'authorization';

/** A function of the orchestrator, and what it may touch. Plain data: the CDK, knip and the simulation all read it. */
export interface FunctionRow {
  /** The handler's file, from the repository's root. It exports `handler`. */
  readonly entry: string;
  /** One sentence, shown in the Lambda console. */
  readonly description: string;
  readonly timeoutSeconds: number;
  /** Left out, it is `defaultMemoryMb` of constructs/node-function.ts. */
  readonly memoryMb?: number;
  readonly ledger?: readonly LedgerAccess[];
  readonly files?: readonly FilesAccess[];
  /** The provider's credentials that it may read. A function with any of them calls the provider. */
  readonly provider?: readonly ProviderCredential[];
  /** Whether it reports the provider's rate limit, without calling the provider. */
  readonly showsPace?: true;
  /** `points`: it links to executions. `starts`: it also starts them. */
  readonly workflow?: 'points' | 'starts';
}

/** Reads the ledger and changes it. Only functions that release a reservation or a lock also delete. */
export const change = ['read', 'write'] as const;

/**
 * The payment service has two credentials. Only `authorization` moves money, and balances and payment methods need it too
 * (functions/provider/SIGNING.md). A function that only asks about payouts gets `signing` alone.
 */
export const asks = ['signing'] as const;
export const bothCredentials = ['signing', 'authorization'] as const;
