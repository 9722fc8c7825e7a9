import type { Quote } from '../domain/conversion.ts';
import type { Rail } from '../domain/currencies.ts';
import type { Disbursement, GroupDraft } from '../domain/disbursement.ts';
import type { PaymentServiceSettings } from '../settings.ts';
import type { Balance } from '../store/balances.ts';
import type { CreatedGroup } from '../store/create-group.ts';
import type { DisbursementList, ListedDisbursements } from '../store/list-disbursements.ts';
import type { ConversionOrder, ConversionOutcome, FoundQuote } from '../store/quotes.ts';
import type { SetStatus } from '../store/set-status.ts';

/** Everything the endpoints do beyond reading a request and writing an answer. Each endpoint names what it takes of it. */
export interface Service {
  readonly settings: PaymentServiceSettings;
  readonly now: () => Date;
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
  readonly setStatus: (accountId: string, disbursementId: string, status: string) => Promise<SetStatus>;
}
