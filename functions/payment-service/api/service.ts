import type { Account } from '../domain/account.ts';
import type { Quote } from '../domain/conversions/conversion.ts';
import type { CheckoutRequest } from '../domain/deposits/checkout.ts';
import type { DepositTerms } from '../domain/deposits/compose-deposit.ts';
import type { Deposit, DepositDraft, DepositStatus, DepositType } from '../domain/deposits/deposit.ts';
import type { Disbursement, GroupDraft } from '../domain/disbursements/disbursement.ts';
import type { Rail } from '../domain/money/currencies.ts';
import type { SandboxState } from '../domain/sandbox/sandbox.ts';
import type { PaymentServiceSettings } from '../settings.ts';
import type { Balance } from '../store/balances.ts';
import type { ConversionOrder, ConversionOutcome } from '../store/conversions/convert.ts';
import type { FoundQuote } from '../store/conversions/quotes.ts';
import type { CreatedDeposit } from '../store/deposits/create-deposit.ts';
import type { DepositList, ListedDeposits } from '../store/deposits/list-deposits.ts';
import type { MovedDeposit } from '../store/deposits/move-deposit.ts';
import type { DisbursementList, ListedDisbursements } from '../store/disbursements/list-disbursements.ts';
import type { CreatedGroup } from '../store/disbursements/new-groups.ts';
import type { SetStatus } from '../store/disbursements/set-status.ts';
import type { Steering } from '../store/sandbox/sandbox-state.ts';

/** What the endpoints of deposits and checkouts do. */
export interface DepositService {
  /** By what deposits of the account are priced. */
  readonly depositTerms: (account: Account) => DepositTerms;
  readonly createDeposit: (accountId: string, draft: DepositDraft) => Promise<CreatedDeposit>;
  /** Without a type: one of either. */
  readonly findDeposit: (
    accountId: string,
    depositType: DepositType | undefined,
    idOrReference: string,
  ) => Promise<Deposit | undefined>;
  readonly listDeposits: (list: DepositList) => Promise<ListedDeposits>;
  readonly cancelDeposit: (accountId: string, depositId: string) => Promise<MovedDeposit>;
  readonly setDepositStatus: (accountId: string, depositId: string, status: DepositStatus) => Promise<MovedDeposit>;
  /** A new checkout, and the address of its page. */
  readonly createCheckout: (
    account: Account,
    request: CheckoutRequest,
  ) => Promise<{ readonly id: string; readonly url: string }>;
}

/** Everything the endpoints do beyond reading a request and writing an answer. Each endpoint names what it takes of it. */
export interface Service extends DepositService {
  readonly settings: PaymentServiceSettings;
  /** The merchant's time. */
  readonly now: () => Date;
  /** What the merchant's is measured from. */
  readonly realNow: () => Date;
  /** How the merchant has steered their sandbox. */
  readonly sandbox: SandboxState;
  /** A new id: the kind, an underscore, 24 random hexadecimal digits. */
  readonly newId: (kind: 'quo' | 'cnv') => string;
  /** Every asset's balance, zeros included. */
  readonly readBalances: (accountId: string) => Promise<readonly Balance[]>;
  readonly keepQuote: (accountId: string, quote: Quote) => Promise<void>;
  readonly findQuote: (accountId: string, quoteId: string) => Promise<FoundQuote>;
  readonly convert: (order: ConversionOrder) => Promise<ConversionOutcome>;
  readonly createGroup: (accountId: string, draft: GroupDraft) => Promise<CreatedGroup>;
  /** Groups of one rail and of different currencies: all of them or none. */
  readonly createGroups: (accountId: string, drafts: readonly [GroupDraft, ...GroupDraft[]]) => Promise<CreatedGroup>;
  readonly findOnRail: (accountId: string, rail: Rail, idOrReference: string) => Promise<Disbursement | undefined>;
  readonly listDisbursements: (list: DisbursementList) => Promise<ListedDisbursements>;
  /** Changes how a sandbox is steered; answers how it is then. */
  readonly steer: (clientId: string, change: Steering) => Promise<SandboxState>;
  readonly resetSandbox: (clientId: string) => Promise<SandboxState>;
  /** Has everything looked at that may have become due: after the clock was moved. */
  readonly wakeUnfinished: (accountId: string) => Promise<void>;
  readonly setStatus: (accountId: string, disbursementId: string, status: string) => Promise<SetStatus>;
}
