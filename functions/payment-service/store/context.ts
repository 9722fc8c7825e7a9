import type { Money } from '../domain/money/money.ts';
import type { Strike } from '../domain/sandbox/faults.ts';
import type { SandboxState } from '../domain/sandbox/sandbox.ts';
import type { PaymentServiceSettings } from '../settings.ts';
import type { Patience } from './retry.ts';
import type { SettlementMessage } from './settlement-queue.ts';
import type { Table } from './table.ts';

/**
 * The service for one account: its table, clock and settings. `../runtime.ts` makes one for each request and each
 * message. Endpoints pass it to the store's functions.
 */
export interface Context extends Patience {
  readonly table: Table;
  /** The key of the account's records. */
  readonly accountId: string;
  /** Includes the merchant's own rates. */
  readonly settings: PaymentServiceSettings;
  /** The state of the merchant's sandbox. */
  readonly sandbox: SandboxState;
  /** The balance in a currency before anything moves. */
  readonly openingBalance: (currency: string) => Money;
  /** The merchant's clock. */
  readonly now: () => Date;
  /** The real clock. The merchant's clock may be ahead or behind. */
  readonly realNow: () => Date;
  /** 24 random hexadecimal digits. */
  readonly randomHex: () => string;
  /** The service's address for customers, without a trailing slash. */
  readonly publicUrl: string;
  /** Sends a message to the settlement worker. */
  readonly schedule: (message: SettlementMessage, delaySeconds: number) => Promise<void>;
  /** Applies the merchant's faults inside the store. */
  readonly strike: Strike;
}
