import type { Token } from '../money/currencies.ts';
import { fiatCurrencyOf } from '../money/currencies.ts';
import type { Decimal } from '../money/decimal.ts';
import type { Terms } from '../money/fees-and-limits.ts';
import { chargeOf, isWithinLimits, tooManyDecimals } from '../money/fees-and-limits.ts';
import { Money } from '../money/money.ts';
import type { Refused } from '../refused.ts';
import { refused } from '../refused.ts';
import { outcomeForAccount, outcomeForRecipient, outcomeForWallet } from '../sandbox/magic-values.ts';
import { isWalletAddress } from '../wallet-address.ts';
import type { BankAccount, BankRecipient, DisbursementDraft, GroupDraft } from './disbursement.ts';
import { totalOf } from './disbursement.ts';
import type { CryptoPaymentMethod, FiatPaymentMethod } from './payment-methods.ts';
import { cryptoPaymentMethodOf, fiatPaymentMethodOf, unknownMethodMessage } from './payment-methods.ts';
import { recipientAccount } from './sandbox-recipients.ts';

export interface FiatItem {
  readonly recipientId?: string | undefined;
  readonly recipient?: FiatRecipient | undefined;
  readonly amount: Decimal;
  readonly reference?: string | undefined;
  readonly note?: string | undefined;
}

interface FiatRecipient {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly bank: BankAccount;
}

export interface CryptoItem {
  readonly receiverWalletAddress: string;
  readonly amount: Decimal;
  readonly reference?: string | undefined;
  readonly note?: string | undefined;
}

interface BatchTerms {
  readonly sandbox: boolean;
  readonly batchSizeLimit: number;
}

type ComposedGroup = { readonly kind: 'composed'; readonly group: GroupDraft } | Refused;

/** The refusal of the items as a whole, if any. */
const wrongBatch = (terms: BatchTerms, items: readonly { readonly reference?: string | undefined }[]) => {
  if (items.length === 0) return refused('at least one item is required');
  if (items.length > terms.batchSizeLimit) return refused(`at most ${terms.batchSizeLimit} items are allowed`);
  const references = items.flatMap(({ reference }) => (reference === undefined ? [] : [reference]));
  const repeated = references.find((reference, index) => references.indexOf(reference) !== index);
  return repeated === undefined ? undefined : refused(`reference ${repeated} is given more than once`);
};

/** Checks and prices an item's amount by its payment method. */
const draftItem = (
  method: Terms,
  amount: Money,
  { reference, note }: FiatItem | CryptoItem,
  at: string,
  paid: Pick<DisbursementDraft, 'recipient' | 'outcome'>,
): DisbursementDraft | Refused => {
  const tooFine = tooManyDecimals(`${at}.amount`, amount);
  if (tooFine !== undefined) return refused(tooFine);
  if (!isWithinLimits(method, amount))
    return refused(`${at}.amount must be between ${method.minAmount.amount} and ${method.maxAmount.amount}`);
  return { amount, fee: chargeOf(method, amount), feePercentage: method.feePercentage, reference, note, ...paid };
};

type ResolvedRecipient =
  | { readonly kind: 'resolved'; readonly recipient: BankRecipient; readonly method: FiatPaymentMethod }
  | Refused;

const resolveRecipient = (terms: BatchTerms, currency: string, item: FiatItem, at: string): ResolvedRecipient => {
  const { recipientId, recipient } = item;
  if ((recipientId === undefined) === (recipient === undefined)) {
    return refused(`${at} must have exactly one of recipientId and recipient`);
  }
  const known = recipientId === undefined || !terms.sandbox ? undefined : recipientAccount(recipientId, currency);
  const bank = recipient?.bank ?? known;
  if (bank === undefined) return refused(`${at}.recipientId: Recipient not found`);
  const method = fiatPaymentMethodOf(currency, bank.bankCode);
  if (method === undefined) return refused('Payment method not found');
  return {
    kind: 'resolved',
    method,
    recipient: { kind: 'bank', recipientId, email: recipient?.email, name: recipient?.name, bank },
  };
};

const draftFiatItem = (
  terms: BatchTerms,
  currencyCode: string,
  item: FiatItem,
  at: string,
): DisbursementDraft | Refused => {
  const currency = fiatCurrencyOf(currencyCode);
  if (currency === undefined) return refused(`${at}.currency is not supported`);
  const resolved = resolveRecipient(terms, currency.code, item, at);
  if (resolved.kind === 'refused') return resolved;
  const { recipient, method } = resolved;
  return draftItem(method, Money.of(item.amount, currency.code), item, at, {
    recipient,
    outcome:
      recipient.recipientId === undefined
        ? outcomeForAccount(terms.sandbox, recipient.bank.accountNumber)
        : outcomeForRecipient(terms.sandbox, recipient.recipientId),
  });
};

/** Checks and prices the items of a fiat POST. The first wrong item refuses all of them. */
export const composeFiatGroup = (
  terms: BatchTerms,
  currencyCode: string,
  items: readonly FiatItem[],
): ComposedGroup => {
  if (fiatCurrencyOf(currencyCode) === undefined) return refused('currency is not supported');
  const composed = composeFiatGroups(
    terms,
    items.map((item) => ({ ...item, currency: currencyCode })),
  );
  return composed.kind === 'refused' ? composed : { kind: 'composed', group: composed.groups[0] };
};

type ComposedGroups =
  | {
      readonly kind: 'composed';
      /** One per currency, in the order in which the currencies first appear. */
      readonly groups: readonly [GroupDraft, ...GroupDraft[]];
      /** The position in the POST of each disbursement, for the disbursements of all groups in order. */
      readonly places: readonly number[];
    }
  | Refused;

/** The same for items that each name their currency. */
export const composeFiatGroups = (
  terms: BatchTerms,
  items: readonly (FiatItem & { readonly currency: string })[],
): ComposedGroups => {
  const wrong = wrongBatch(terms, items);
  if (wrong !== undefined) return wrong;
  const drafts: { readonly currency: string; readonly place: number; readonly draft: DisbursementDraft }[] = [];
  for (const [place, item] of items.entries()) {
    const draft = draftFiatItem(terms, item.currency, item, `disburseData[${place}]`);
    if ('kind' in draft) return draft;
    drafts.push({ currency: item.currency, place, draft });
  }
  const byCurrency = [...Map.groupBy(drafts, ({ currency }) => currency)];
  const [first, ...others] = byCurrency.map(
    ([currency, own]): GroupDraft => ({ rail: 'fiat', currency, items: own.map(({ draft }) => draft) }),
  );
  if (first === undefined) return refused('at least one item is required');
  return {
    kind: 'composed',
    groups: [first, ...others],
    places: byCurrency.flatMap(([, own]) => own.map(({ place }) => place)),
  };
};

const composeWalletItem = (
  terms: BatchTerms,
  token: Token,
  method: CryptoPaymentMethod,
  item: CryptoItem,
  at: string,
): DisbursementDraft | Refused => {
  if (!isWalletAddress(token, item.receiverWalletAddress)) {
    return refused(`${at}.receiverWalletAddress is not an address of the ${token.network} network`);
  }
  return draftItem(method, Money.of(item.amount, token.code), item, at, {
    recipient: { kind: 'wallet', address: item.receiverWalletAddress },
    outcome: outcomeForWallet(terms.sandbox, item.receiverWalletAddress),
  });
};

/** Checks and prices the items of a crypto POST. The first wrong item refuses all of them. */
export const composeCryptoGroup = (
  terms: BatchTerms,
  tokenCode: string,
  items: readonly CryptoItem[],
): ComposedGroup => {
  const method = cryptoPaymentMethodOf(tokenCode);
  if (method === undefined) return refused(unknownMethodMessage(tokenCode));
  const { token } = method;
  const wrong = wrongBatch(terms, items);
  if (wrong !== undefined) return wrong;
  const drafts: DisbursementDraft[] = [];
  for (const [index, item] of items.entries()) {
    const draft = composeWalletItem(terms, token, method, item, `receivers[${index}]`);
    if ('kind' in draft) return draft;
    drafts.push(draft);
  }
  return { kind: 'composed', group: { rail: 'crypto', currency: token.code, items: drafts } };
};

/** The amount that the group takes from the balance: all amounts and all fees. */
export const debitOf = (group: GroupDraft): Money => totalOf(group, 'amount').plus(totalOf(group, 'fee'));
