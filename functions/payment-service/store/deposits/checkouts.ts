import * as z from 'zod';
import type { Checkout, CheckoutOffer } from '../../domain/deposits/checkout.ts';
import {
  checkoutFields,
  checkoutOffers,
  draftOfOffer,
  isCheckoutId,
  isCheckoutOpen,
} from '../../domain/deposits/checkout.ts';
import type { Deposit } from '../../domain/deposits/deposit.ts';
import { Money } from '../../domain/money/money.ts';
import { Refused } from '../../domain/refused.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { getItem, putItem } from '../table.ts';
import { expireIfOverdue } from './change-deposit.ts';
import { createDeposit } from './create-deposit.ts';
import { readDeposit } from './read-deposit.ts';

const checkoutItem = checkoutFields
  .extend({ inputAmount: z.string().optional(), outputAmount: z.string().optional() })
  .transform(
    ({ inputAmount, outputAmount, ...rest }): Checkout => ({
      ...rest,
      inputAmount: Money.ofOptional(inputAmount, rest.inputCurrency),
      outputAmount: Money.ofOptional(outputAmount, rest.outputCurrency),
    }),
  );

/** Its id is random, so nothing is overwritten, and the client can repeat a write whose answer was lost. */
export const keepCheckout = async (table: Table, checkout: Checkout): Promise<void> => {
  const { checkoutId, inputAmount, outputAmount } = checkout;
  await putItem(table, {
    ...keys.checkout(checkoutId),
    ...checkout,
    inputAmount: inputAmount?.amount,
    outputAmount: outputAmount?.amount,
  });
};

/** A checkout by its id, in any account. Its page knows only the id. */
export const findCheckout = async (table: Table, checkoutId: string): Promise<Checkout | undefined> =>
  isCheckoutId(checkoutId) ? await getItem(table, keys.checkout(checkoutId), checkoutItem) : undefined;

/** The progress of a checkout. */
export type CheckoutState =
  /** The customer has yet to choose one of the offers. */
  | { readonly kind: 'open'; readonly checkout: Checkout; readonly offers: readonly CheckoutOffer[] }
  /** The customer chose no method in time. */
  | { readonly kind: 'abandoned'; readonly checkout: Checkout }
  | { readonly kind: 'picked'; readonly checkout: Checkout; readonly deposit: Deposit };

/** The current state of a checkout. Offers are priced at the current rate. */
export const checkoutState = async (context: Context, checkout: Checkout): Promise<CheckoutState> => {
  const deposit = await readDeposit(context, checkout.checkoutId);
  if (deposit !== undefined) return { kind: 'picked', checkout, deposit: await expireIfOverdue(context, deposit) };
  if (!isCheckoutOpen(checkout, context.now())) return { kind: 'abandoned', checkout };
  const offers = checkoutOffers({ ...context.settings, account: checkout.account.terms }, checkout);
  return { kind: 'open', checkout, offers: offers instanceof Refused ? [] : offers };
};

/**
 * Makes the checkout's one deposit. Its id is the checkout's, so concurrent picks get the same deposit, of any method.
 * Nothing happens when the checkout has a deposit or has expired. `not_offered`: the method is not offered, or no longer,
 * because rates move.
 */
export const pickMethod = async (
  context: Context,
  checkout: Checkout,
  paymentMethod: string,
): Promise<'done' | 'not_offered' | 'busy'> => {
  const state = await checkoutState(context, checkout);
  if (state.kind !== 'open') return 'done';
  const offer = state.offers.find(({ method }) => method.bankCode === paymentMethod);
  if (offer === undefined) return 'not_offered';
  const { kind } = await createDeposit(context, draftOfOffer(offer), {
    depositId: checkout.checkoutId,
    expiresAt: () => new Date(checkout.expiresAt),
  });
  // A checkout's deposit has neither a reference nor a quote, which could be used already.
  return kind === 'busy' ? 'busy' : 'done';
};
