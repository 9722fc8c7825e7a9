import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Checkout, CheckoutOffer } from '../../domain/deposits/checkout.ts';
import { checkoutOffers, draftOfOffer, isCheckoutId, isCheckoutOpen } from '../../domain/deposits/checkout.ts';
import type { Deposit } from '../../domain/deposits/deposit.ts';
import type { PriceTerms } from '../../domain/deposits/price-deposit.ts';
import { Money } from '../../domain/money/money.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import type { CreateDepositPorts } from './create-deposit.ts';
import { createDeposit } from './create-deposit.ts';
import type { MoveDepositPorts } from './move-deposit.ts';
import { upToDate } from './move-deposit.ts';
import { readDeposit } from './read-deposit.ts';

const enabled = z.union([z.literal('all'), z.array(z.string())]);

/** Amounts as text: each is in the currency of its side. */
const checkoutItem = z.object({
  checkoutId: z.string(),
  account: z.object({
    accountId: z.string(),
    clientId: z.string(),
    userId: z.string(),
    organizationId: z.string(),
    organizationName: z.string(),
    terms: z.object({ checkout: z.boolean(), depositMethods: enabled, conversions: enabled }),
  }),
  inputCurrency: z.string(),
  inputAmount: z.string().optional(),
  outputAmount: z.string().optional(),
  outputCurrency: z.string(),
  description: z.string().optional(),
  returnUrl: z.string().optional(),
  createdAt: z.string(),
  expiresAt: z.string(),
});

export const keepCheckout = async (table: Table, checkout: Checkout): Promise<void> => {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: {
        ...keys.checkout(checkout.checkoutId),
        ...checkout,
        inputAmount: checkout.inputAmount?.amount,
        outputAmount: checkout.outputAmount?.amount,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    }),
  );
};

export interface CheckoutPorts extends CreateDepositPorts, MoveDepositPorts, Omit<PriceTerms, 'account'> {}

/** What a checkout's page shows. */
export type CheckoutState =
  | { readonly kind: 'not_found' }
  /** No method was picked yet: the customer chooses among the offers. */
  | { readonly kind: 'open'; readonly checkout: Checkout; readonly offers: readonly CheckoutOffer[] }
  /** No method was picked in time, and none ever will be. */
  | { readonly kind: 'abandoned'; readonly checkout: Checkout }
  | { readonly kind: 'picked'; readonly checkout: Checkout; readonly deposit: Deposit };

export const findCheckout = async (table: Table, checkoutId: string): Promise<Checkout | undefined> => {
  if (!isCheckoutId(checkoutId)) return undefined;
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.checkout(checkoutId), ConsistentRead: true }),
  );
  if (answer.Item === undefined) return undefined;
  const { inputAmount, outputAmount, ...rest } = checkoutItem.parse(answer.Item);
  return {
    ...rest,
    inputAmount: Money.ofOptional(inputAmount, rest.inputCurrency),
    outputAmount: Money.ofOptional(outputAmount, rest.outputCurrency),
  };
};

/** How a checkout stands at this moment. The offers are priced at the current rate. */
export const checkoutState = async (
  ports: CheckoutPorts,
  checkout: Checkout,
): Promise<Exclude<CheckoutState, { kind: 'not_found' }>> => {
  const deposit = await readDeposit(ports.table, checkout.checkoutId);
  if (deposit !== undefined) return { kind: 'picked', checkout, deposit: await upToDate(ports, deposit) };
  if (!isCheckoutOpen(checkout, ports.now())) return { kind: 'abandoned', checkout };
  const { rates, conversionFeePercentage } = ports;
  const priced = checkoutOffers({ rates, conversionFeePercentage, account: checkout.account.terms }, checkout);
  return { kind: 'open', checkout, offers: priced.kind === 'offers' ? priced.offers : [] };
};

export type PickedMethod =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'abandoned'; readonly checkout: Checkout }
  /** Not among the offers (any more: rates move). */
  | { readonly kind: 'not_offered' }
  /** The deposit there is now: the one just made, or the one that somebody picked before, whatever its method. */
  | { readonly kind: 'picked'; readonly checkout: Checkout; readonly deposit: Deposit }
  | { readonly kind: 'busy' };

/** Makes the checkout's one deposit. Two who pick at once get the same one: its id is the checkout's. */
export const pickMethod = async (
  ports: CheckoutPorts,
  checkout: Checkout,
  paymentMethod: string,
): Promise<PickedMethod> => {
  const state = await checkoutState(ports, checkout);
  if (state.kind !== 'open') return state;
  const offer = state.offers.find(({ method }) => method.bankCode === paymentMethod);
  if (offer === undefined) return { kind: 'not_offered' };
  const created = await createDeposit(ports, draftOfOffer(offer), {
    depositId: checkout.checkoutId,
    accountId: checkout.account.accountId,
    expiresAt: () => new Date(checkout.expiresAt),
  });
  switch (created.kind) {
    case 'created':
    case 'exists':
      return { kind: 'picked', checkout, deposit: created.deposit };
    case 'busy':
    // A checkout's deposit has neither reference nor quote.
    case 'reference_used':
    case 'quote_used':
      return { kind: 'busy' };
  }
};
