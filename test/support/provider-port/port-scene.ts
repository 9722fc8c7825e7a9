import type { PlannedPayout, Recipient } from '../../../functions/domain/batch/chunk-file.ts';
import type { Rail } from '../../../functions/domain/payout/payout.ts';
import type { Disbursement, PaymentProvider } from '../../../functions/ports/provider.ts';
import type { Http } from '../../../functions/provider/transport/transport.ts';

/** Changes to the usual settings of an adapter. */
export interface Otherwise {
  readonly baseUrl?: string;
  readonly timeoutMs?: number;
  readonly http?: Http;
}

/** A provider behind its adapter, for the contract tests of the port. */
export interface PortScene {
  readonly adapter: (otherwise?: Otherwise) => PaymentProvider;
  /** An adapter with credentials that the service refuses. Undefined when the service accepts any. */
  readonly stranger?: () => PaymentProvider;
  /** Currency, recipient and amount per rail. Each amount is new, within bounds, with as many decimals as the service keeps. */
  readonly currency: Readonly<Record<Rail, string>>;
  readonly recipient: (rail: Rail) => Recipient;
  readonly amount: (rail: Rail) => string;
  /** A reference that nobody has used. */
  readonly newReference: () => string;
  /** A recipient whom the service refuses in its own words. */
  readonly refusedRecipient: (rail: Rail) => Recipient;
  /** An error body of the service for an HTTP status. */
  readonly errorBody: (status: number) => string;
  /** Number of disbursements under a reference, by the service's own books. */
  readonly made: (rail: Rail, reference: string) => Promise<number>;
  /** Brings a disbursement, which is pending until then, to its end: `completed` or `failed`. */
  readonly settle: (disbursement: Disbursement) => Promise<void>;
}

/** References that no other run has used. A service that ends payouts by chance draws it from them. */
export const referencesOf = (run: string): (() => string) => {
  let made = 0;
  return () => {
    made += 1;
    return `Port-${run}-${made}`;
  };
};

export const payoutsOf = (
  scene: PortScene,
  rail: Rail,
  references: readonly string[],
  changes: Partial<PlannedPayout> = {},
): readonly PlannedPayout[] =>
  references.map((reference, index) => ({
    ...{ row: index + 1, reference, amount: scene.amount(rail), recipient: scene.recipient(rail) },
    ...changes,
  }));
