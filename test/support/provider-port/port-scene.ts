import type { PlannedPayout, Recipient } from '../../../functions/domain/batch/chunk-file.ts';
import type { Rail } from '../../../functions/domain/payout/payout.ts';
import type { Disbursement, PaymentProvider } from '../../../functions/ports/provider.ts';
import type { Http } from '../../../functions/provider/transport/transport.ts';

/** What a test asks of an adapter in place of the usual. */
export interface Otherwise {
  readonly baseUrl?: string;
  readonly timeoutMs?: number;
  readonly http?: Http;
}

/** A provider behind its adapter, as the contract tests of the port take it. */
export interface PortScene {
  readonly adapter: (otherwise?: Otherwise) => PaymentProvider;
  /** With credentials that the service refuses; absent: it takes any. */
  readonly stranger?: () => PaymentProvider;
  /** What it pays out, and to whom; a fresh amount within its bounds each time, with as many decimals as it keeps. */
  readonly currency: Readonly<Record<Rail, string>>;
  readonly recipient: (rail: Rail) => Recipient;
  readonly amount: (rail: Rail) => string;
  /** A recipient whom the service refuses in its own words. */
  readonly refusedRecipient: (rail: Rail) => Recipient;
  /** An error body of the service's own, for an HTTP status. */
  readonly errorBody: (status: number) => string;
  /** How many disbursements the service ever made under a reference, by its own books. */
  readonly made: (rail: Rail, reference: string) => Promise<number>;
  /** Brings a disbursement to its end: nothing but `completed` or `failed`. */
  readonly settle: (disbursement: Disbursement) => Promise<void>;
}

let made = 0;
/** References that nobody has used. */
export const newReference = (): string => {
  made += 1;
  return `Port-${process.pid}-${Date.now()}-${made}`;
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
