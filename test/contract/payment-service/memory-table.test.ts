import { paginateScan, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cryptoStatuses } from '../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { groupIdFrom } from '../../../functions/payment-service/domain/disbursements/disbursement-id.ts';
import { Money } from '../../../functions/payment-service/domain/money/money.ts';
import { clearAwayGroup } from '../../../functions/payment-service/store/disbursements/abandon-group.ts';
import { createDisbursements } from '../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { readDisbursementPage } from '../../../functions/payment-service/store/disbursements/read-disbursement-page.ts';
import type { Table } from '../../../functions/payment-service/store/table.ts';
import { chanceOf } from '../../support/chance.ts';
import { MemoryTable } from '../../support/memory-table/memory-table.ts';
import { comparedTable } from '../../support/payment-service/compared-table.ts';
import { ListScene } from '../../support/payment-service/list-scene.ts';
import { newContext, tableWith } from '../../support/payment-service/new-context.ts';
import { newDraft } from '../../support/payment-service/new-disbursement.ts';
import { RandomOperations } from '../../support/payment-service/random-operations.ts';
import { dropServiceTable, makeServiceTable } from '../../support/payment-service/service-table.ts';
import { uniqueWord } from '../../support/payment-service/unique-word.ts';

/** Unit tests of the store use the table in memory. These show that it answers as the local AWS does. */
describe('the table in memory answers every request as the local AWS does', () => {
  let real: Table;
  let memory: MemoryTable;
  let compared: Table;

  beforeAll(async () => {
    real = await makeServiceTable(`compared-${uniqueWord()}`);
    memory = new MemoryTable({ name: real.name });
    compared = comparedTable(real, memory);
  });
  afterAll(() => dropServiceTable(real));

  it('while money moves', async () => {
    const seed = Date.now() % 1_000_000;
    const operations = new RandomOperations(compared, chanceOf(seed));
    await operations.run(150);
    const seen = [...operations.outcomes.keys()];
    const kinds = ['disburse: created', 'change a disbursement: set', 'convert: converted', 'deposit: created'];
    expect(seen, `seed ${seed}`).toEqual(expect.arrayContaining(kinds));
  });

  it('while lists grow, are filtered, and change', async () => {
    const patience = { pause: async () => undefined, random: () => 0 };
    const scene = new ListScene(compared, 'merchant-of-lists', patience);
    for (let group = 0; group < 24; group += 1) {
      await scene.postAndSettle({
        rail: 'crypto',
        currency: group % 2 === 0 ? 'usdc-polygon' : 'THB',
        settled: Array.from(
          { length: group % 8 === 3 ? 12 : 1 },
          (_, position) => cryptoStatuses[(group * 5 + position) % cryptoStatuses.length] ?? 'pending',
        ),
      });
    }
    for (const filter of [{}, { status: 'completed' }, { currencies: ['THB'] }, { amount: '3' }] as const) {
      const { total } = await readDisbursementPage(scene.context, {
        rail: 'crypto',
        filter,
        sort: { order: 'changed', descending: true },
        page: { page: 2, limit: 5 },
      });
      expect(total).toBeGreaterThan(0);
    }
  });

  it('while a POST that died is cleared away', async () => {
    const context = newContext({ table: compared, openingBalance: (currency) => Money.of('1000', currency) });
    const dying = tableWith(compared, (command) => {
      if (command === 'TransactWriteCommand') throw new Error('the function died');
    });
    const group = { rail: 'fiat', currency: 'PHP', items: [newDraft({ reference: 'a' })] } as const;
    await expect(createDisbursements({ ...context, table: dying }, [group])).rejects.toThrow('the function died');
    // The context's ids count from 1.
    const groupId = groupIdFrom('1'.padStart(24, '0'));
    await clearAwayGroup(context, groupId);
    const left = await memory.client.send(
      new QueryCommand({
        TableName: memory.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': `GROUP#${groupId}` },
      }),
    );
    expect(left.Items).toMatchObject([{ state: 'abandoned' }]);
  });

  it('and has the same items in the end', async () => {
    const found: Record<string, unknown>[] = [];
    const pages = paginateScan({ client: real.client }, { TableName: real.name, ConsistentRead: true });
    for await (const { Items = [] } of pages) found.push(...Items);
    const byKey = (items: readonly Record<string, unknown>[]) =>
      new Map(items.map((item) => [`${String(item['pk'])} ${String(item['sk'])}`, item]));
    expect(found.length).toBeGreaterThan(100);
    expect(byKey(found)).toEqual(byKey(memory.items()));
  });
});
