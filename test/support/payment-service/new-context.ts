import { Money } from '../../../functions/payment-service/domain/money/money.ts';
import { nothingStrikes } from '../../../functions/payment-service/domain/sandbox/faults.ts';
import { untouchedSandbox } from '../../../functions/payment-service/domain/sandbox/sandbox.ts';
import type { Gate } from '../../../functions/payment-service/http/router.ts';
import type { PaymentServiceSettings } from '../../../functions/payment-service/settings.ts';
import { paymentServiceSettings } from '../../../functions/payment-service/settings.ts';
import type { Context } from '../../../functions/payment-service/store/context.ts';
import type { Table } from '../../../functions/payment-service/store/table.ts';
import { MemoryTable } from '../memory-table/memory-table.ts';
import { newAccount } from './new-account.ts';

export const newSettings = (change: Parameters<typeof paymentServiceSettings.parse>[0] = {}): PaymentServiceSettings =>
  paymentServiceSettings.parse(change);

/** The context of an account without money, with a table in memory, no waits, no randomness and a fixed clock. */
export const newContext = (change: Partial<Context> = {}): Context => {
  const now = () => new Date('2026-11-21T06:00:00.000Z');
  let ids = 0;
  return {
    table: new MemoryTable(),
    accountId: 'merchant',
    settings: newSettings(),
    sandbox: untouchedSandbox,
    openingBalance: (currency) => Money.zero(currency),
    now,
    realNow: now,
    pause: async () => undefined,
    random: () => 0,
    hasTime: () => true,
    randomHex: () => {
      ids += 1;
      return ids.toString(16).padStart(24, '0');
    },
    publicUrl: 'https://pay.example',
    schedule: async () => undefined,
    strike: nothingStrikes,
    ...change,
  };
};

/** The same table, with a callback before each request to it. `sent` counts them from 1. */
export const tableWith = (table: Table, before: (command: string, sent: number) => Promise<void> | void): Table => {
  const { client } = table;
  const watched = Object.create(client);
  let sent = 0;
  watched.send = async (command: Parameters<typeof client.send>[0]) => {
    sent += 1;
    await before(command.constructor.name, sent);
    return await client.send(command);
  };
  return { ...table, client: watched };
};

/** A gate that admits one account, to endpoints that work with this context. */
export const newGate = (context: Context, change: Partial<Gate> = {}): Gate => ({
  settings: context.settings,
  now: context.realNow,
  authenticate: async () => ({ account: newAccount({ clientId: context.accountId }), sandbox: context.sandbox }),
  contextOf: () => context,
  ...change,
});
