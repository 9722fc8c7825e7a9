import { fiatCurrencyOf } from '../money/currencies.ts';
import type { Decimal } from '../money/decimal.ts';
import type { Terms } from '../money/fees-and-limits.ts';
import { chargeOf, isWithinLimits, tooManyDecimals } from '../money/fees-and-limits.ts';
import { Money } from '../money/money.ts';
import { Refused } from '../refused.ts';
import { outcomeForAccount, outcomeForRecipient, outcomeForWallet } from '../sandbox/magic-values.ts';
import { isWalletAddress } from '../wallet-address.ts';
import type { BankRecipient, DisbursementDraft, GroupDraft } from './disbursement.ts';
import { totalOf } from './disbursement.ts';
import { cryptoPaymentMethodOf, fiatPaymentMethodOf, unknownMethodMessage } from './payment-methods.ts';
import { recipientAccount } from './sandbox-recipients.ts';

interface Item extends Pick<DisbursementDraft, 'reference' | 'note'> {
  readonly amount: Decimal;
}

export interface FiatItem extends Item {
  readonly recipientId?: string | undefined;
  readonly recipient?: Omit<BankRecipient, 'kind' | 'recipientId'> | undefined;
}

export interface CryptoItem extends Item {
  readonly receiverWalletAddress: string;
}

interface BatchTerms {
  readonly sandbox: boolean;
  readonly batchSizeLimit: number;
}

/** Drafts every item, or refuses all of them with the first problem. */
const draftAll = <Given extends Item>(
  { batchSizeLimit }: BatchTerms,
  items: readonly Given[],
  draft: (item: Given, place: number) => DisbursementDraft | Refused,
): readonly DisbursementDraft[] | Refused => {
  if (items.length === 0) return new Refused('at least one item is required');
  if (items.length > batchSizeLimit) return new Refused(`at most ${batchSizeLimit} items are allowed`);
  const references = items.flatMap(({ reference }) => reference ?? []);
  const repeated = references.find((reference, index) => references.indexOf(reference) !== index);
  if (repeated !== undefined) return new Refused(`reference ${repeated} is given more than once`);
  const drafts: DisbursementDraft[] = [];
  for (const [place, item] of items.entries()) {
    const drafted = draft(item, place);
    if (drafted instanceof Refused) return drafted;
    drafts.push(drafted);
  }
  return drafts;
};

/** Checks and prices an item's amount by its payment method. */
const draftItem = (
  method: Terms,
  amount: Money,
  { reference, note }: Item,
  at: string,
  paid: Pick<DisbursementDraft, 'recipient' | 'outcome'>,
): DisbursementDraft | Refused => {
  const tooFine = tooManyDecimals(`${at}.amount`, amount);
  if (tooFine !== undefined) return new Refused(tooFine);
  if (!isWithinLimits(method, amount))
    return new Refused(`${at}.amount must be between ${method.minAmount.amount} and ${method.maxAmount.amount}`);
  return { amount, fee: chargeOf(method, amount), feePercentage: method.feePercentage, reference, note, ...paid };
};

type FiatItemIn = FiatItem & { readonly currency: string };

const draftFiatItem = ({ sandbox }: BatchTerms, item: FiatItemIn, at: string): DisbursementDraft | Refused => {
  const { recipientId, recipient, currency } = item;
  if (fiatCurrencyOf(currency) === undefined) return new Refused(`${at}.currency is not supported`);
  if ((recipientId === undefined) === (recipient === undefined))
    return new Refused(`${at} must have exactly one of recipientId and recipient`);
  const known = recipientId === undefined || !sandbox ? undefined : recipientAccount(recipientId, currency);
  const bank = recipient?.bank ?? known;
  if (bank === undefined) return new Refused(`${at}.recipientId: Recipient not found`);
  const method = fiatPaymentMethodOf(currency, bank.bankCode);
  if (method === undefined) return new Refused('Payment method not found');
  return draftItem(method, Money.of(item.amount, currency), item, at, {
    recipient: { kind: 'bank', recipientId, email: recipient?.email, name: recipient?.name, bank },
    outcome:
      recipientId === undefined
        ? outcomeForAccount(sandbox, bank.accountNumber)
        : outcomeForRecipient(sandbox, recipientId),
  });
};

/** Checks and prices the items of a fiat POST. The first wrong item refuses all of them. */
export const composeFiatGroup = (
  terms: BatchTerms,
  currency: string,
  items: readonly FiatItem[],
): GroupDraft | Refused => {
  if (fiatCurrencyOf(currency) === undefined) return new Refused('currency is not supported');
  const composed = composeFiatGroups(
    terms,
    items.map((item) => ({ ...item, currency })),
  );
  return composed instanceof Refused ? composed : composed.groups[0];
};

interface ComposedGroups {
  /** One per currency, in the order in which the currencies first appear. */
  readonly groups: readonly [GroupDraft, ...GroupDraft[]];
  /** The position in the POST of each disbursement, for the disbursements of all groups in order. */
  readonly places: readonly number[];
}

/** The same for items that each name their currency. */
export const composeFiatGroups = (terms: BatchTerms, items: readonly FiatItemIn[]): ComposedGroups | Refused => {
  const drafts = draftAll(terms, items, (item, place) => draftFiatItem(terms, item, `disburseData[${place}]`));
  if (drafts instanceof Refused) return drafts;
  const byCurrency = [...Map.groupBy(drafts.entries(), ([, { amount }]) => amount.currency)];
  const [first, ...others] = byCurrency.map(
    ([currency, own]): GroupDraft => ({ rail: 'fiat', currency, items: own.map(([, draft]) => draft) }),
  );
  if (first === undefined) return new Refused('at least one item is required');
  return { groups: [first, ...others], places: byCurrency.flatMap(([, own]) => own.map(([place]) => place)) };
};

/** Checks and prices the items of a crypto POST. The first wrong item refuses all of them. */
export const composeCryptoGroup = (
  terms: BatchTerms,
  tokenCode: string,
  given: readonly CryptoItem[],
): GroupDraft | Refused => {
  const method = cryptoPaymentMethodOf(tokenCode);
  if (method === undefined) return new Refused(unknownMethodMessage(tokenCode));
  const { token } = method;
  const items = draftAll(terms, given, (item, place) => {
    const [at, address] = [`receivers[${place}]`, item.receiverWalletAddress];
    if (!isWalletAddress(token, address))
      return new Refused(`${at}.receiverWalletAddress is not an address of the ${token.network} network`);
    return draftItem(method, Money.of(item.amount, token.code), item, at, {
      recipient: { kind: 'wallet', address },
      outcome: outcomeForWallet(terms.sandbox, address),
    });
  });
  return items instanceof Refused ? items : { rail: 'crypto', currency: token.code, items };
};

/** The amount that the group takes from the balance: all amounts and all fees. */
export const debitOf = (group: GroupDraft): Money => totalOf(group, 'amount').plus(totalOf(group, 'fee'));
