import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GroupDraft } from '../../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { gainOf } from '../../../../functions/payment-service/domain/money/ledger.ts';
import { Money } from '../../../../functions/payment-service/domain/money/money.ts';
import { readBalance } from '../../../../functions/payment-service/store/balances.ts';
import { createDisbursements } from '../../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import type { Table } from '../../../../functions/payment-service/store/table.ts';
import { readEntries } from '../../../support/payment-service/ledger-entries.ts';
import {
  balanceOf,
  credentialsOf,
  envelopeOf,
  fiatItems,
  pageOf,
  send,
  uniqueWord,
} from '../../../support/payment-service/merchant.ts';
import { newContext } from '../../../support/payment-service/new-context.ts';
import { newDraft } from '../../../support/payment-service/new-disbursement.ts';
import { dropServiceTable, makeServiceTable } from '../../../support/payment-service/service-table.ts';

const nothing = Money.zero('PHP');
let table: Table;

beforeAll(async () => {
  table = await makeServiceTable(`overdraft-${uniqueWord()}`);
});

afterAll(async () => {
  await dropServiceTable(table);
});

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
    pause: async (milliseconds) => {
      await wait(milliseconds);
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

/** The local AWS accepts no more concurrent connections. */
const atOnce = 16;

it('the same holds for 200 requests to the service, as many concurrently as it accepts', async () => {
  const second = await credentialsOf('sandbox-second');
  await send('POST', '/sandbox/reset', undefined, second);
  // The merchant starts with 20,000,000. A bank transfer costs 15.
  const items = (index: number) => fiatItems(1, `${uniqueWord()}-${index}`).map((one) => ({ ...one, amount: 199_985 }));
  const post = async (index: number): Promise<string> => {
    const body = { currency: 'PHP', disburseData: items(index) };
    for (;;) {
      const { statusCode, message } = await envelopeOf(send('POST', '/v2/disbursement/fiat', body, second));
      if (statusCode !== 503 && statusCode !== 429) return message;
    }
  };
  const messages: string[] = [];
  const left = Array.from({ length: 200 }, (_, index) => index);
  const worker = async () => {
    for (let index = left.shift(); index !== undefined; index = left.shift()) messages.push(await post(index));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const made = messages.filter((one) => one === 'Disbursement created successfully');
  const refused = messages.filter((one) => one === 'insufficient balance');
  expect({ made: made.length, refused: refused.length }).toEqual({ made: 100, refused: 100 });
  expect(await balanceOf('PHP', second)).toBe(0);
  expect((await pageOf('/v1/disbursement/fiat', second)).totalDocs).toBe(100);
  await send('POST', '/sandbox/reset', undefined, second);
});
