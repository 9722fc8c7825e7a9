import { describe, expect, it } from 'vitest';
import { InvalidCursor, InvariantBroken } from '../../../../functions/domain/errors.ts';
import { plainItem } from '../../../../functions/ledger/table/attribute-values.ts';
import { batchCursor, payoutCursor } from '../../../../functions/ledger/table/cursors.ts';
import { keys } from '../../../../functions/ledger/table/keys.ts';
import { storedWebhookFilter } from '../../../../functions/ledger/table/table.ts';
import { createMemoryLedger } from '../../../support/memory-ledger.ts';
import { memoryLedgerTable } from '../../../support/memory-table/ledger-table.ts';

describe('DynamoDB’s own notation', () => {
  it('is read for every kind of attribute the ledger writes', () => {
    expect(
      plainItem({
        text: { S: 't' },
        counter: { N: '12' },
        flag: { BOOL: false },
        nothing: { NULL: true },
        set: { SS: ['a', 'b'] },
        list: { L: [{ S: 'x' }, { M: { deep: { N: '0' } } }] },
      }),
    ).toEqual({
      text: 't',
      counter: 12,
      flag: false,
      nothing: null,
      set: new Set(['a', 'b']),
      list: ['x', { deep: 0 }],
    });
  });

  it('is refused for kinds it does not write', () => {
    expect(() => plainItem({ bytes: { B: new Uint8Array() } })).toThrow(InvariantBroken);
  });
});

describe('cursors', () => {
  it('are returned unchanged', () => {
    const batch = { day: '2026-03-14', before: '2026-03-14T09:26:53.589Z#b' };
    expect(batchCursor.read(batchCursor.write(batch))).toEqual(batch);
    expect(payoutCursor.read(payoutCursor.write({ chunk: 3, row: 250 }))).toEqual({ chunk: 3, row: 250 });
  });

  it.each([
    '',
    'x',
    'e30',
    batchCursor.write({ day: '2026-03-14' }),
    Buffer.from('{"chunk":1,"row":1,"table":"x"}').toString('base64url'),
    Buffer.from('{"chunk":"1","row":1}').toString('base64url'),
    payoutCursor.write({ chunk: 1, row: 10_000_000 }),
  ])('reject %j', (text) => {
    expect(() => payoutCursor.read(text)).toThrow(InvalidCursor);
  });

  it('reject an invalid day', () => {
    expect(() => batchCursor.read(batchCursor.write({ day: '2026-13-45' }))).toThrow(InvalidCursor);
  });
});

describe('a webhook', () => {
  it('passes the stream’s filter, and its marks and lookups do not', () => {
    expect(storedWebhookFilter.dynamodb.NewImage.sk.S).toEqual([keys.webhook('abc').sk]);
    for (const { sk } of [keys.webhookMessage('abc', 'id'), keys.lookup('r')]) {
      expect(storedWebhookFilter.dynamodb.NewImage.sk.S).not.toContain(sk);
    }
  });

  it('is kept for thirty days after it arrived, which needs a valid time', async () => {
    const table = memoryLedgerTable();
    const { storeWebhook } = createMemoryLedger(() => 0, table);
    await storeWebhook({ hash: 'h', body: '{}', receivedAt: '2026-03-14T09:00:00.000Z', signedId: 'id' });
    const day = Date.parse('2026-04-13T09:00:00.000Z') / 1000;
    expect(table.items().map(({ expiresAt }) => expiresAt)).toEqual([day, day]);
    await expect(storeWebhook({ hash: 'h', body: '{}', receivedAt: 'yesterday' })).rejects.toThrow(InvariantBroken);
  });
});
