import type { DepositService } from './api/service.ts';
import { accountIdOf } from './domain/account.ts';
import { checkoutIdFrom } from './domain/deposits/checkout.ts';
import type { DepositType } from './domain/deposits/deposit.ts';
import { depositIdFrom } from './domain/deposits/deposit.ts';
import type { SandboxState } from './domain/sandbox/sandbox.ts';
import { merchantTime } from './domain/sandbox/sandbox.ts';
import type { paymentServiceRuntime } from './runtime.ts';
import type { DepositMessage } from './settlement/message.ts';
import { delaySeconds } from './settlement/message.ts';
import { sendMessage } from './settlement/send-message.ts';
import type { CheckoutPorts, CheckoutState, PickedMethod } from './store/deposits/checkouts.ts';
import { checkoutState, findCheckout, keepCheckout, pickMethod } from './store/deposits/checkouts.ts';
import { createDeposit } from './store/deposits/create-deposit.ts';
import { listDeposits } from './store/deposits/list-deposits.ts';
import type { MovedDeposit } from './store/deposits/move-deposit.ts';
import { findDeposit, makeMove, makeOwnMove, setDepositStatus } from './store/deposits/move-deposit.ts';

type Runtime = ReturnType<typeof paymentServiceRuntime>;

/** Everything the store needs to work on one merchant's deposits: by their clock, and at their rates. */
export const depositPorts = (runtime: Runtime, sandbox: SandboxState): CheckoutPorts => {
  const { table, openingBalances, pause, random, settings } = runtime;
  const now = () => merchantTime(sandbox, runtime.now());
  return {
    table,
    openingBalances,
    now,
    pause,
    random,
    everyChange: settings.webhooks.everyChange,
    rates: { ...settings.rates, ...sandbox.rates },
    conversionFeePercentage: settings.conversionFeePercentage,
    scheduleDeposit: async ({ depositId, accountId }, { outcome }, expiresAt) => {
      const at = now();
      const message: DepositMessage = { kind: 'deposit', depositId, accountId, postedAt: at.toISOString() };
      const expiry = delaySeconds(at, expiresAt.getTime());
      const wait = outcome === 'standard' ? expiry : Math.min(expiry, settings.deposits.autopaySeconds);
      await sendMessage(runtime, message, wait);
    },
  };
};

const later = (moment: Date, seconds: number): Date => new Date(moment.getTime() + seconds * 1000);

/** What the endpoints of deposits and checkouts do, for one merchant. */
export const depositService = (runtime: Runtime, sandbox: SandboxState): DepositService => {
  const { settings, table, publicUrl, randomHex } = runtime;
  const ports = depositPorts(runtime, sandbox);
  const expirySeconds: Readonly<Record<DepositType, number>> = {
    fiat: settings.deposits.fiatExpirySeconds,
    crypto: settings.deposits.cryptoExpirySeconds,
  };
  return {
    depositTerms: ({ terms }) => ({
      sandbox: settings.sandbox,
      rates: ports.rates,
      conversionFeePercentage: ports.conversionFeePercentage,
      account: terms,
    }),
    createDeposit: (accountId, draft) =>
      createDeposit(ports, draft, {
        depositId: depositIdFrom(randomHex()),
        accountId,
        expiresAt: (createdAt) => later(createdAt, expirySeconds[draft.depositType]),
      }),
    findDeposit: (accountId, depositType, idOrReference) => findDeposit(ports, accountId, depositType, idOrReference),
    listDeposits: (list) => listDeposits(ports, list),
    cancelDeposit: (accountId, depositId) => makeOwnMove(ports, accountId, depositId, 'cancel'),
    setDepositStatus: (accountId, depositId, status) => setDepositStatus(ports, accountId, depositId, status),
    createCheckout: async (account, request) => {
      // 128 bits: whoever has the address is the customer.
      const checkoutId = checkoutIdFrom(`${randomHex()}${randomHex()}`.slice(0, 32));
      const createdAt = ports.now();
      await keepCheckout(table, {
        ...request,
        checkoutId,
        account,
        createdAt: createdAt.toISOString(),
        expiresAt: later(createdAt, settings.checkout.validitySeconds).toISOString(),
      });
      return { id: checkoutId, url: `${publicUrl}/checkout/${checkoutId}` };
    },
  };
};

/** What the checkout page does: by a checkout's id alone, whoever asks. */
export interface CheckoutDesk {
  /** As it is at this moment, which is the merchant's `now`. */
  readonly readCheckout: (checkoutId: string) => Promise<{ readonly state: CheckoutState; readonly now: Date }>;
  readonly pickMethod: (checkoutId: string, paymentMethod: string) => Promise<PickedMethod>;
  /** Plays the payment of the deposit that the checkout made. Only a sandbox offers it: elsewhere customers really pay. */
  readonly payDeposit: (checkoutId: string) => Promise<MovedDeposit>;
}

/** The checkouts of all merchants, each by its own merchant's clock. Those of before a reset of the sandbox are gone. */
export const checkoutDesk = (runtime: Runtime): CheckoutDesk => {
  const { table, sandboxOf } = runtime;
  const open = async (checkoutId: string) => {
    const checkout = await findCheckout(table, checkoutId);
    if (checkout === undefined) return undefined;
    const { accountId, clientId } = checkout.account;
    const sandbox = await sandboxOf(clientId);
    if (accountIdOf(clientId, sandbox.generation) !== accountId) return undefined;
    return { checkout, ports: depositPorts(runtime, sandbox) };
  };
  return {
    readCheckout: async (checkoutId) => {
      const found = await open(checkoutId);
      if (found === undefined) return { state: { kind: 'not_found' }, now: runtime.now() };
      return { state: await checkoutState(found.ports, found.checkout), now: found.ports.now() };
    },
    pickMethod: async (checkoutId, paymentMethod) => {
      const found = await open(checkoutId);
      return found === undefined ? { kind: 'not_found' } : await pickMethod(found.ports, found.checkout, paymentMethod);
    },
    payDeposit: async (checkoutId) => {
      const found = await open(checkoutId);
      return found === undefined ? { kind: 'not_found' } : await makeMove(found.ports, checkoutId, 'pay');
    },
  };
};
