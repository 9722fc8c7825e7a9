import { accountIdOf } from '../domain/account.ts';
import type { Runtime } from '../runtime.ts';
import { contextOf } from '../runtime.ts';
import { makeDepositMove } from '../store/deposits/change-deposit.ts';
import { checkoutState, findCheckout, pickMethod } from '../store/deposits/checkouts.ts';
import { viewOfCheckout } from './checkout-view.ts';
import type { PagePorts } from './serve-checkout.ts';

/** Serves the checkouts of all merchants. Each runs by its merchant's clock. */
export const pagePorts = (runtime: Runtime): PagePorts => {
  const { table, sandboxOf } = runtime;
  const { sandbox } = runtime.settings;
  const open = async (checkoutId: string) => {
    const checkout = await findCheckout(table, checkoutId);
    if (checkout === undefined) return undefined;
    const { accountId, clientId } = checkout.account;
    const state = await sandboxOf(clientId);
    // A checkout from before the sandbox's reset is not found.
    if (accountIdOf(clientId, state.generation) !== accountId) return undefined;
    return { checkout, context: contextOf(runtime, accountId, state) };
  };
  return {
    read: async (checkoutId) => {
      const found = await open(checkoutId);
      if (found === undefined) return undefined;
      return viewOfCheckout(await checkoutState(found.context, found.checkout), found.context.now(), sandbox);
    },
    pick: async (checkoutId, paymentMethod) => {
      const found = await open(checkoutId);
      return found === undefined ? 'done' : await pickMethod(found.context, found.checkout, paymentMethod);
    },
    // Payments are simulated only in a sandbox.
    pay: sandbox
      ? async (checkoutId) => {
          const found = await open(checkoutId);
          if (found !== undefined) await makeDepositMove(found.context, checkoutId, 'pay');
        }
      : undefined,
  };
};
