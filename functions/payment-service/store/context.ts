import type { Money } from '../domain/money/money.ts';
import type { Strike } from '../domain/sandbox/faults.ts';
import type { SandboxState } from '../domain/sandbox/sandbox.ts';
import type { PaymentServiceSettings } from '../settings.ts';
import type { Patience } from './retry.ts';
import type { SettlementMessage } from './settlement-queue.ts';
import type { Table } from './table.ts';

/**
 * The service as it is for one account: its table, its clock and its settings. Made for each request and each message
 * (`../runtime.ts`). Endpoints pass it to the store's verbs.
 */
export interface Context extends Patience {
  readonly table: Table;
  /** The key of the account's records. */
  readonly accountId: string;
  /** With the merchant's own rates in place of the service's. */
  readonly settings: PaymentServiceSettings;
  /** How the merchant has steered its sandbox. */
  readonly sandbox: SandboxState;
  /** What the account has of a currency before anything moves. */
  readonly openingBalance: (currency: string) => Money;
  /** The merchant's clock. */
  readonly now: () => Date;
  /** The clock that the merchant's is ahead of, or behind. */
  readonly realNow: () => Date;
  /** 24 random hexadecimal digits. */
  readonly randomHex: () => string;
  /** The service's address for customers, without a slash at its end. */
  readonly publicUrl: string;
  /** Sends a message to the settlement worker. */
  readonly schedule: (message: SettlementMessage, delaySeconds: number) => Promise<void>;
  /** The faults that the merchant asked for, where they strike inside the store. */
  readonly strike: Strike;
}
