import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Conversion } from '../../../functions/payment-service/domain/conversions/conversion.ts';
import { priceConversion } from '../../../functions/payment-service/domain/conversions/conversion.ts';
import { checkoutIdFrom } from '../../../functions/payment-service/domain/deposits/checkout.ts';
import { composeFiatDeposit } from '../../../functions/payment-service/domain/deposits/compose-deposit.ts';
import type { Deposit } from '../../../functions/payment-service/domain/deposits/deposit.ts';
import { depositStatuses } from '../../../functions/payment-service/domain/deposits/deposit.ts';
import {
  composeCryptoGroup,
  composeFiatGroup,
} from '../../../functions/payment-service/domain/disbursements/compose-group.ts';
import type { Disbursement } from '../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { statusesOf } from '../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { holdsMoney } from '../../../functions/payment-service/domain/disbursements/lifecycle.ts';
import type { LedgerAccount } from '../../../functions/payment-service/domain/money/ledger.ts';
import { gainOf } from '../../../functions/payment-service/domain/money/ledger.ts';
import { Money } from '../../../functions/payment-service/domain/money/money.ts';
import { Refused } from '../../../functions/payment-service/domain/refused.ts';
import { readBalance } from '../../../functions/payment-service/store/balances.ts';
import type { Context } from '../../../functions/payment-service/store/context.ts';
import { convert } from '../../../functions/payment-service/store/conversions/convert.ts';
import { setDepositStatus } from '../../../functions/payment-service/store/deposits/change-deposit.ts';
import { createDeposit } from '../../../functions/payment-service/store/deposits/create-deposit.ts';
import { readDeposit } from '../../../functions/payment-service/store/deposits/read-deposit.ts';
import { setDisbursementStatus } from '../../../functions/payment-service/store/disbursements/change-statuses.ts';
import { createDisbursements } from '../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { findById } from '../../../functions/payment-service/store/disbursements/find-disbursement.ts';
import type { Table } from '../../../functions/payment-service/store/table.ts';
import type { StoredEntry } from '../../support/payment-service/ledger-entries.ts';
import { readEntries } from '../../support/payment-service/ledger-entries.ts';
import { uniqueWord } from '../../support/payment-service/merchant.ts';
import { newAccount } from '../../support/payment-service/new-account.ts';
import { newContext, newSettings } from '../../support/payment-service/new-context.ts';
import { dropServiceTable, makeServiceTable } from '../../support/payment-service/service-table.ts';

/** The number of operations, and of concurrent lanes that run them. */
const operationCount = 2000;
const lanes = 6;
/** Seeds the choices. The interleaving of the lanes stays random, as it is for merchants. */
const seed = Number.parseInt(process.env['LEDGER_SEED'] ?? `${Date.now() % 1_000_000}`, 10);

const account = newAccount();
const { accountId } = account;
const opening: Readonly<Record<string, string>> = { PHP: '200000', 'usdt-tron': '5000' };
const openingBalance = (currency: string): Money => Money.of(opening[currency] ?? '0', currency);
const currencies = ['PHP', 'THB', 'usdt-tron'];

/** Park and Miller's small generator. Unlike the runtime's own, it takes a seed. */
const generator = (start: number) => {
  let state = (start % 2_147_483_646) + 1;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const below = (limit: number): number => Math.floor(random() * limit);
  const oneOf = <T>(all: readonly T[]): T => {
    const found = all[below(all.length)];
    if (found === undefined) throw new Error('nothing to choose from');
    return found;
  };
  /** A random number with at most this many decimals. */
  const amount = (from: number, to: number, decimals: number): string =>
    `${from + below(to - from)}${decimals === 0 ? '' : `.${below(10 ** decimals)}`.padEnd(2, '0')}`;
  return { random, below, oneOf, amount };
};

const { random, below, oneOf, amount } = generator(seed);
const hex = (length: number): string => Array.from({ length }, () => below(16).toString(16)).join('');

let table: Table;
beforeAll(async () => {
  table = await makeServiceTable(`ledger-${uniqueWord()}`);
});
afterAll(async () => {
  await dropServiceTable(table);
});

const context = (): Context =>
  newContext({
    table,
    accountId,
    settings: newSettings({ webhooks: { everyChange: true } }),
    openingBalance,
    now: () => new Date(),
    pause: async (milliseconds) => {
      await wait(milliseconds);
    },
    random,
    randomHex: () => hex(24),
  });

const disbursementIds: string[] = [];
const depositIds: string[] = [];
const conversions: Conversion[] = [];
const outcomes = new Map<string, number>();

const bank = { accountName: 'Maria Reyes', accountNumber: '0012345678' };
const banks = {
  PHP: { ...bank, bankCode: 'BDO', bankName: 'BDO Unibank' },
  THB: { ...bank, bankCode: 'SCB', bankName: 'Siam Commercial Bank' },
} as const;

const disburse = async (): Promise<string> => {
  const terms = { sandbox: true, batchSizeLimit: 100 };
  const currency = oneOf(['PHP', 'THB', 'usdt-tron'] as const);
  const count = 1 + below(4);
  const composed =
    currency === 'usdt-tron'
      ? composeCryptoGroup(
          terms,
          currency,
          Array.from({ length: count }, () => ({
            receiverWalletAddress: 'TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3',
            amount: amount(1, 150, 6),
          })),
        )
      : composeFiatGroup(
          terms,
          currency,
          Array.from({ length: count }, () => ({ recipient: { bank: banks[currency] }, amount: amount(50, 4000, 2) })),
        );
  if (composed instanceof Refused) throw new Error(composed.message);
  const created = await createDisbursements(context(), [composed]);
  if (created.kind === 'created') disbursementIds.push(...created.disbursements.map((one) => one.disbursementId));
  return created.kind;
};

const changeDisbursement = async (): Promise<string> => {
  if (disbursementIds.length === 0) return 'nothing';
  const id = oneOf(disbursementIds);
  const rail = (await findById(context(), id))?.disbursement.rail ?? 'fiat';
  return (await setDisbursementStatus(context(), id, oneOf(statusesOf(rail)))).kind;
};

const exchange = async (): Promise<string> => {
  const conversion = priceConversion(
    { conversionFeePercentage: '0.5', rates: {}, account: account.terms },
    { inputCurrency: 'usdt-tron', outputCurrency: oneOf(['PHP', 'THB']), inputAmount: amount(1, 90, 6) },
  );
  if (conversion instanceof Refused) throw new Error(conversion.message);
  const outcome = await convert(context(), `cnv_${hex(24)}`, conversion, undefined);
  if (outcome === 'converted') conversions.push(conversion);
  return outcome;
};

const deposit = async (): Promise<string> => {
  const outputCurrency = oneOf(['PHP', 'usdt-tron']);
  const composed = composeFiatDeposit(
    { sandbox: true, rates: {}, conversionFeePercentage: '0.5', account: account.terms },
    {
      inputCurrency: 'PHP',
      inputAmount: amount(500, 5000, 2),
      outputCurrency,
      balanceType: outputCurrency === 'PHP' ? 'fiat' : 'crypto',
      paymentMethod: 'GCASH',
    },
    undefined,
  );
  if (composed instanceof Refused) throw new Error(composed.message);
  const depositId = checkoutIdFrom(hex(32));
  const created = await createDeposit(context(), composed, {
    depositId,
    expiresAt: () => new Date(Date.now() + 3_600_000),
  });
  if (created.kind === 'created') depositIds.push(depositId);
  return created.kind;
};

const changeDeposit = async (): Promise<string> => {
  if (depositIds.length === 0) return 'nothing';
  return (await setDepositStatus(context(), oneOf(depositIds), oneOf(depositStatuses))).kind;
};

/** Weighted by how often they occur. */
const operations = [
  disburse,
  disburse,
  changeDisbursement,
  changeDisbursement,
  exchange,
  deposit,
  changeDeposit,
] as const;

const lane = async (count: number): Promise<void> => {
  for (let done = 0; done < count; done += 1) {
    const operation = oneOf(operations);
    const kind = `${operation.name} ${await operation()}`;
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
  }
};

describe(`the ledger after ${operationCount} random operations, ${lanes} concurrently (LEDGER_SEED=${seed})`, () => {
  const entries = new Map<string, readonly StoredEntry[]>();
  const entriesOf = (currency: string): readonly StoredEntry[] => entries.get(currency) ?? [];
  const gained = (currency: string, ledgerAccount: LedgerAccount): Money =>
    Money.sum(
      currency,
      entriesOf(currency).map((one) => gainOf(one, ledgerAccount)),
    );
  /** The sum of the amounts in this currency. */
  const totalIn = (currency: string, amounts: readonly (Money | undefined)[]): Money =>
    Money.sum(
      currency,
      amounts.flatMap((one) => (one?.currency === currency ? [one] : [])),
    );
  let disbursements: readonly Disbursement[] = [];
  let deposits: readonly Deposit[] = [];

  beforeAll(async () => {
    await Promise.all(Array.from({ length: lanes }, () => lane(Math.ceil(operationCount / lanes))));
    for (const currency of currencies) entries.set(currency, await readEntries(table, accountId, currency));
    const found = await Promise.all(disbursementIds.map((id) => findById(context(), id)));
    disbursements = found.flatMap((one) => one?.disbursement ?? []);
    deposits = (await Promise.all(depositIds.map((id) => readDeposit(context(), id)))).flatMap((one) => one ?? []);
  }, 240_000);

  it('saw every kind of operation, both accepted and refused', () => {
    const kinds = [...outcomes.keys()];
    for (const kind of [
      'disburse created',
      'disburse insufficient_balance',
      'changeDisbursement set',
      'exchange converted',
      'deposit created',
      'changeDeposit changed',
    ]) {
      expect(kinds).toContain(kind);
    }
    expect(disbursements).toHaveLength(disbursementIds.length);
    expect(deposits).toHaveLength(depositIds.length);
  });

  it.each(currencies)('balances in %s, entry by entry', (currency) => {
    expect(entriesOf(currency).length).toBeGreaterThan(50);
    const wrong = entriesOf(currency).filter(({ postings }) => {
      const amounts = postings.map((one) => one.amount);
      return !Money.sum(currency, amounts).isZero();
    });
    expect(wrong).toEqual([]);
  });

  it.each(currencies)('adds up to the balance in %s', async (currency) => {
    const balance = await readBalance(context(), currency);
    expect(gained(currency, 'balance')).toEqual(balance.amount);
    expect(gained(currency, 'opening')).toEqual(openingBalance(currency).negated());
  });

  it.each(currencies)('was never below zero in %s, and every entry continues another', (currency) => {
    const all = entriesOf(currency);
    expect(all.filter((one) => one.balanceBefore.isNegative() || one.balanceAfter.isNegative())).toEqual([]);
    const wrong = all.filter(
      (one) => !one.balanceAfter.minus(one.balanceBefore).minus(gainOf(one, 'balance')).isZero(),
    );
    expect(wrong).toEqual([]);
  });

  it.each(currencies)('agrees with the disbursements about the amount paid out in %s', (currency) => {
    const held = disbursements.filter((one) => holdsMoney(one.status)).map((one) => one.amount);
    expect(gained(currency, 'disbursements')).toEqual(totalIn(currency, held));
  });

  it.each(currencies)('agrees with the deposits about the amount paid in in %s', (currency) => {
    const paid = deposits.filter((one) => one.status === 'completed').map((one) => one.input);
    expect(gained(currency, 'deposits')).toEqual(totalIn(currency, paid).negated());
  });

  it.each(currencies)('earned in %s the fees of everything that was not returned', (currency) => {
    const held = disbursements.filter((one) => holdsMoney(one.status)).map(({ fee }) => fee);
    const paid = deposits
      .filter(({ status }) => status === 'completed')
      .flatMap(({ fee, conversionFee }) => [fee, conversionFee]);
    expect(gained(currency, 'fees')).toEqual(
      totalIn(currency, [...held, ...paid, ...conversions.map(({ fee }) => fee)]),
    );
  });

  it.each(currencies)('moved through the exchange in %s the converted amounts', (currency) => {
    const converted = deposits.filter((one) => one.status === 'completed' && one.exchangeRate !== undefined);
    const taken = [...conversions.map(({ input }) => input), ...converted.map(({ input, fee }) => input.minus(fee))];
    const given = [
      ...conversions.map((one) => one.converted),
      ...converted.flatMap(({ output, conversionFee }) => [output, conversionFee]),
    ];
    expect(gained(currency, 'exchange')).toEqual(totalIn(currency, taken).minus(totalIn(currency, given)));
  });
});
