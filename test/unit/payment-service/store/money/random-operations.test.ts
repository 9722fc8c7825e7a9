import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Deposit } from '../../../../../functions/payment-service/domain/deposits/deposit.ts';
import type { Disbursement } from '../../../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { holdsMoney } from '../../../../../functions/payment-service/domain/disbursements/lifecycle.ts';
import type { LedgerAccount } from '../../../../../functions/payment-service/domain/money/ledger.ts';
import { gainOf } from '../../../../../functions/payment-service/domain/money/ledger.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { readBalance } from '../../../../../functions/payment-service/store/balances.ts';
import { readDeposit } from '../../../../../functions/payment-service/store/deposits/read-deposit.ts';
import { findById } from '../../../../../functions/payment-service/store/disbursements/find-disbursement.ts';
import { chanceOf } from '../../../../support/chance.ts';
import { drawsAll } from '../../../../support/fast-loop.ts';
import { MemoryTable } from '../../../../support/memory-table/memory-table.ts';
import type { StoredEntry } from '../../../../support/payment-service/ledger-entries.ts';
import { readEntries } from '../../../../support/payment-service/ledger-entries.ts';
import { tableWith } from '../../../../support/payment-service/new-context.ts';
import { openingBalance, RandomOperations } from '../../../../support/payment-service/random-operations.ts';

/** The number of operations, and of concurrent lanes that run them. */
const operationCount = 2000;
const lanes = 6;
/** Seeds the operations, and how long each request takes. */
const seed = Number.parseInt(process.env['LEDGER_SEED'] ?? `${Date.now() % 1_000_000}`, 10);

const currencies = ['PHP', 'THB', 'usdt-tron'];

const chance = chanceOf(seed);
/** Requests take a random time, so that those of other lanes come between. */
const table = tableWith(new MemoryTable(), async () => {
  while (chance.happens(0.5)) await nextTurn();
});
let milliseconds = Date.parse('2026-11-21T06:00:00.000Z');
const operations = new RandomOperations(table, chance, {
  now: () => {
    milliseconds += 1;
    return new Date(milliseconds);
  },
  pause: () => nextTurn(),
});
const { context, conversions, depositIds, disbursementIds, outcomes } = operations;

describe.runIf(drawsAll)(
  `the ledger after ${operationCount} random operations, ${lanes} concurrently (LEDGER_SEED=${seed})`,
  () => {
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
      await Promise.all(Array.from({ length: lanes }, () => operations.run(Math.ceil(operationCount / lanes))));
      for (const currency of currencies) entries.set(currency, await readEntries(table, context.accountId, currency));
      const found = await Promise.all(disbursementIds.map((id) => findById(context, id)));
      disbursements = found.flatMap((one) => one?.disbursement ?? []);
      deposits = (await Promise.all(depositIds.map((id) => readDeposit(context, id)))).flatMap((one) => one ?? []);
    });

    it('saw every kind of operation, both accepted and refused', () => {
      const kinds = [...outcomes.keys()];
      for (const kind of [
        'disburse: created',
        'disburse: insufficient_balance',
        'change a disbursement: set',
        'convert: converted',
        'deposit: created',
        'change a deposit: changed',
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
      const balance = await readBalance(context, currency);
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
  },
);
