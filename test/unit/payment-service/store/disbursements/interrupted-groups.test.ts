import { describe, expect, it } from 'vitest';
import type { GroupDraft } from '../../../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { groupIdFrom } from '../../../../../functions/payment-service/domain/disbursements/disbursement-id.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { readBalance } from '../../../../../functions/payment-service/store/balances.ts';
import type { Context } from '../../../../../functions/payment-service/store/context.ts';
import { clearAwayGroup } from '../../../../../functions/payment-service/store/disbursements/abandon-group.ts';
import { createDisbursements } from '../../../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { findByReference } from '../../../../../functions/payment-service/store/disbursements/find-disbursement.ts';
import { readDisbursementPage } from '../../../../../functions/payment-service/store/disbursements/read-disbursement-page.ts';
import { timeToRetry } from '../../../../../functions/payment-service/store/retry.ts';
import type { Table } from '../../../../../functions/payment-service/store/table.ts';
import { MemoryTable } from '../../../../support/memory-table/memory-table.ts';
import { withLateAttempt } from '../../../../support/payment-service/late-attempt.ts';
import { newContext, tableWith } from '../../../../support/payment-service/new-context.ts';
import { newDraft } from '../../../../support/payment-service/new-disbursement.ts';
import { uniqueWord } from '../../../../support/payment-service/unique-word.ts';

const table = new MemoryTable();

const draft = (references: readonly string[], currency = 'PHP'): GroupDraft => ({
  rail: 'fiat',
  currency,
  items: references.map((reference) => newDraft({ reference }, currency)),
});

/** A table that fails at its nth write, like a function that times out. */
const dyingAfter = (writes: number): Table => {
  let left = writes;
  return tableWith(table, (command) => {
    if (!/Write|Put/.test(command)) return;
    if (left === 0) throw new Error('the function died');
    left -= 1;
  });
};

/** The context of an account, and the id of its next group. */
const accountOf = (accountId: string, change: Partial<Context> = {}) => {
  const random = `${uniqueWord()}${uniqueWord()}`;
  const context = newContext({
    accountId,
    table,
    openingBalance: (currency) => Money.of({ PHP: '1000', THB: '150' }[currency] ?? '0', currency),
    randomHex: () => random,
    ...change,
  });
  return { context, groupId: groupIdFrom(random) };
};

const newAccountId = (): string => `account-${uniqueWord()}`;

const seen = async (accountId: string) => {
  const { context } = accountOf(accountId);
  const { total } = await readDisbursementPage(context, {
    rail: 'fiat',
    filter: {},
    sort: { order: 'created', descending: false },
    page: { page: 1, limit: 10 },
  });
  const [a, balance] = await Promise.all([findByReference(context, 'a'), readBalance(context, 'PHP')]);
  return { total, found: a.length > 0, balance: balance.amount.amount };
};

it.each([
  ['before its first write', 0],
  ['after its items were written', 1],
  ['after its references were reserved', 2],
])('a POST that dies %s leaves nothing visible, and no record after the cleanup', async (_, writes) => {
  const accountId = newAccountId();
  const { context, groupId } = accountOf(accountId);
  const dying = createDisbursements({ ...context, table: dyingAfter(writes) }, [draft(['a', 'b'])]);
  await expect(dying).rejects.toThrow('the function died');
  expect(await seen(accountId)).toEqual({ total: 0, found: false, balance: '1000' });

  await clearAwayGroup(context, groupId);
  const own = [`REFERENCE#${accountId}`, `GROUP#${groupId}`];
  const left = table.items().filter(({ pk }) => own.some((prefix) => `${pk}`.startsWith(prefix)));
  expect(left).toMatchObject([{ state: 'abandoned' }]);

  expect((await createDisbursements(accountOf(accountId).context, [draft(['a', 'b'])])).kind).toBe('created');
  expect(await seen(accountId)).toEqual({ total: 2, found: true, balance: '780' });
});

it('before the cleanup, its references are neither used nor free', async () => {
  const accountId = newAccountId();
  const dead = accountOf(accountId, { table: dyingAfter(2) });
  await expect(createDisbursements(dead.context, [draft(['a'])])).rejects.toThrow();
  const again = await createDisbursements(accountOf(accountId).context, [draft(['b', 'a'])]);
  expect(again).toEqual({ kind: 'reference_in_progress', reference: 'a' });
});

it('an abandoned POST can never be committed', async () => {
  const accountId = newAccountId();
  const { context, groupId } = accountOf(accountId);
  // The worker acts while the POST is still running.
  const schedule = () => clearAwayGroup(context, groupId);
  expect(await createDisbursements({ ...context, schedule }, [draft(['a'])])).toEqual({ kind: 'busy' });
  expect(await seen(accountId)).toEqual({ total: 0, found: false, balance: '1000' });
});

it.each([
  ['made', 'reference_used', async (context: Context) => void (await createDisbursements(context, [draft(['a'])]))],
  [
    'undecided',
    'reference_in_progress',
    async (context: Context) => {
      const dying = createDisbursements({ ...context, table: dyingAfter(2) }, [draft(['a'])]);
      await expect(dying).rejects.toThrow('the function died');
    },
  ],
])(
  'a POST that repeats a reference of one that was %s is refused for it, even when the balance is too low',
  async (_, kind, before) => {
    const accountId = newAccountId();
    await before(accountOf(accountId).context);
    const tooMany = draft(['b', 'a', ...Array.from({ length: 9 }, (_unused, index) => `c${index}`)]);
    const again = await createDisbursements(accountOf(accountId).context, [tooMany]);
    expect(again).toEqual({ kind, reference: 'a' });
    expect(await createDisbursements(accountOf(accountId).context, [draft(['b'])])).toMatchObject({ kind: 'created' });
  },
);

it.each([
  ['committed', 'twice', 1, ['a'], '890'],
  ['committed', 'only once', 1, ['a', 'b', 'c', 'd', 'e'], '450'],
  ['written', 'only once', 0, ['a', 'b', 'c', 'd', 'e'], '450'],
])('a POST that is %s by an attempt given up before is created, when the balance covers it %s', async (...row) => {
  const [, , after, references, balance] = row;
  const accountId = newAccountId();
  const { context } = accountOf(accountId);
  const late = { ...context, table: withLateAttempt(table, 'GROUP#', after) };
  const created = await createDisbursements(late, [draft(references)]);
  expect(created).toMatchObject({ kind: 'created', disbursements: references.map((reference) => ({ reference })) });
  expect(await seen(accountId)).toEqual({ total: references.length, found: true, balance });
});

it('only as many concurrent POSTs succeed as the balance covers, and it never falls below zero', async () => {
  const accountId = newAccountId();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) => createDisbursements(accountOf(accountId).context, [draft([`p${index}`])])),
  );
  const kinds = Map.groupBy(outcomes, (one) => one.kind);
  expect(kinds.get('created')).toHaveLength(9);
  expect(kinds.get('insufficient_balance')).toHaveLength(11);
  expect(await seen(accountId)).toMatchObject({ total: 9, balance: '10' });
});

describe('a POST in two currencies', () => {
  const drafts = [draft(['a'], 'PHP'), draft(['b'], 'THB')] as const;
  const nothing = { total: 0, found: false, balance: '1000' };
  const twoGroups = (accountId: string, change: Partial<Context> = {}) => {
    const ids = [1, 2].map(() => `${uniqueWord()}${uniqueWord()}`);
    const left = [...ids];
    const { context } = accountOf(accountId, { randomHex: () => left.shift() ?? 'none', ...change });
    return { context, ids: ids.map(groupIdFrom) };
  };

  it.each([0, 1, 2])('that dies at write %i leaves nothing in either currency', async (writes) => {
    const accountId = newAccountId();
    const { context, ids } = twoGroups(accountId);
    const dying = createDisbursements({ ...context, table: dyingAfter(writes) }, drafts);
    await expect(dying).rejects.toThrow('the function died');
    expect(await seen(accountId)).toEqual(nothing);
    for (const id of ids) await clearAwayGroup(context, id);
    expect((await createDisbursements(twoGroups(accountId).context, drafts)).kind).toBe('created');
    expect(await seen(accountId)).toEqual({ total: 2, found: true, balance: '890' });
  });

  it('creates neither group when the second balance is spent in the meantime, and frees its references', async () => {
    const accountId = newAccountId();
    const other = accountOf(accountId);
    const { context } = twoGroups(accountId, {
      schedule: async () => {
        await createDisbursements(other.context, [draft(['c'], 'THB')]);
      },
    });
    expect(await createDisbursements(context, drafts)).toEqual({ kind: 'insufficient_balance' });
    expect(await seen(accountId)).toEqual({ ...nothing, total: 1 });
    expect((await createDisbursements(accountOf(accountId).context, [draft(['a', 'b'])])).kind).toBe('created');
  });

  it('answers that the balance is in use before the function ends, and frees its references', async () => {
    const accountId = newAccountId();
    const start = Date.parse('2026-11-21T06:00:00.000Z');
    let elapsed = 0;
    const realNow = () => new Date(start + elapsed);
    const tick = async (milliseconds: number) => {
      elapsed += milliseconds;
    };
    const rich = { openingBalance: (currency: string) => Money.of('100000', currency) };
    // Every transaction takes a second, and meets another POST that was faster.
    const contended = tableWith(table, async (command) => {
      if (command !== 'TransactWriteCommand') return;
      await tick(1000);
      await createDisbursements(accountOf(accountId, rich).context, [draft([uniqueWord()])]);
    });
    const patience = { realNow, hasTime: timeToRetry(realNow), pause: tick, random: () => 1 };
    const { context } = twoGroups(accountId, { ...rich, ...patience });
    expect(await createDisbursements({ ...context, table: contended }, drafts)).toEqual({ kind: 'busy' });
    expect(elapsed).toBeLessThan(25_000);
    expect((await createDisbursements(accountOf(accountId).context, [draft(['a', 'b'])])).kind).toBe('created');
  });

  it('creates neither group when one was abandoned', async () => {
    const accountId = newAccountId();
    const { context, ids } = twoGroups(accountId);
    const schedule = () => clearAwayGroup(context, ids[1] ?? '');
    expect(await createDisbursements({ ...context, schedule }, drafts)).toEqual({ kind: 'busy' });
    expect(await seen(accountId)).toEqual(nothing);
  });
});
