import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { GroupDraft } from '../../../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { gainOf } from '../../../../../functions/payment-service/domain/money/ledger.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { readBalance } from '../../../../../functions/payment-service/store/balances.ts';
import { createDisbursements } from '../../../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { MemoryTable } from '../../../../support/memory-table/memory-table.ts';
import { readEntries } from '../../../../support/payment-service/ledger-entries.ts';
import { newContext } from '../../../../support/payment-service/new-context.ts';
import { newDraft } from '../../../../support/payment-service/new-disbursement.ts';
import { uniqueWord } from '../../../../support/payment-service/unique-word.ts';

const table = new MemoryTable();
const nothing = Money.zero('PHP');

/** An amount of 100 and its fee of 10. */
const draft = (reference: string): GroupDraft => ({
  rail: 'fiat',
  currency: 'PHP',
  items: [newDraft({ reference })],
});

it('of 200 concurrent disbursements on a balance for 100, exactly 100 are created, and the ledger balances', async () => {
  const context = newContext({
    table,
    openingBalance: (currency) => Money.of('11000', currency),
    now: () => new Date(),
    // Fifty times faster than the service, as is the table.
    pause: async (milliseconds) => {
      await wait(milliseconds / 50);
    },
    random: Math.random,
    randomHex: () => `${uniqueWord()}${uniqueWord()}`,
  });
  /** A merchant retries after "the balance is in use". The same reference makes that safe. */
  const disburse = async (index: number) => {
    for (;;) {
      const outcome = await createDisbursements(context, [draft(`r-${index}`)]);
      if (outcome.kind !== 'busy') return outcome;
    }
  };
  const outcomes = await Promise.all(Array.from({ length: 200 }, (_, index) => disburse(index)));
  const kinds = Object.groupBy(outcomes, ({ kind }) => kind);
  expect({ made: kinds.created?.length, refused: kinds.insufficient_balance?.length }).toEqual({
    made: 100,
    refused: 100,
  });
  const balance = await readBalance(context, 'PHP');
  const entries = await readEntries(table, context.accountId, 'PHP');
  expect(balance.amount).toEqual(nothing);
  expect(entries.filter(({ kind }) => kind === 'disbursement')).toHaveLength(100);
  expect(entries.some((one) => one.balanceAfter.isNegative())).toBe(false);
  const gains = entries.map((one) => gainOf(one, 'balance'));
  const postings = entries.flatMap((one) => one.postings.map(({ amount }) => amount));
  expect(Money.sum<string>('PHP', gains)).toEqual(nothing);
  expect(Money.sum<string>('PHP', postings)).toEqual(nothing);
});
