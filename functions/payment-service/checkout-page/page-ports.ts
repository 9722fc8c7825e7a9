import { accountIdOf } from '../domain/account.ts';
import type { Checkout } from '../domain/deposits/checkout.ts';
import type { Runtime } from '../runtime.ts';
import { contextOf } from '../runtime.ts';
import type { Context } from '../store/context.ts';
import { makeDepositMove } from '../store/deposits/change-deposit.ts';
import { checkoutState, findCheckout, pickMethod } from '../store/deposits/checkouts.ts';
import { viewOfCheckout } from './checkout-view.ts';

/** The page's operations on a checkout. Each takes only the id. */
export type PagePorts = Readonly<ReturnType<typeof pagePorts>>;

/** Serves the checkouts of all merchants. Each runs by its merchant's clock. */
export const pagePorts = (runtime: Runtime) => {
  const { table, sandboxOf } = runtime;
  const { sandbox } = runtime.settings;
  /** Undefined when there is no such checkout. */
  const within = async <Done>(checkoutId: string, work: (context: Context, checkout: Checkout) => Promise<Done>) => {
    const checkout = await findCheckout(table, checkoutId);
    if (checkout === undefined) return undefined;
    const { accountId, clientId } = checkout.account;
    const state = await sandboxOf(clientId);
    // A checkout from before the sandbox's reset is not found.
    if (accountIdOf(clientId, state.generation) !== accountId) return undefined;
    return await work(contextOf(runtime, accountId, state), checkout);
  };
  return {
    /** Undefined when there is no such checkout, or when its sandbox was reset since. */
    read: (checkoutId: string) =>
      within(checkoutId, async (context, checkout) =>
        viewOfCheckout(await checkoutState(context, checkout), context.now(), sandbox),
      ),
    /**
     * Makes the checkout's one deposit. If it already has one or has expired, nothing happens, and the page shows that.
     * `not_offered` when the method cannot be chosen, `busy` when there are too many concurrent requests.
     */
    pick: async (checkoutId: string, paymentMethod: string) =>
      (await within(checkoutId, (context, checkout) => pickMethod(context, checkout, paymentMethod))) ?? 'done',
    /** Simulates the payment of a pending deposit. Undefined outside a sandbox. */
    pay: sandbox
      ? (checkoutId: string) => within(checkoutId, (context) => makeDepositMove(context, checkoutId, 'pay'))
      : undefined,
  };
};
