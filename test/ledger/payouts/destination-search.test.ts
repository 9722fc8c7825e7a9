import { describe, expect, it } from 'vitest';
import { InvalidCursor } from '../../../functions/domain/errors.ts';
import { hashDestination } from '../../../functions/domain/payout/destination.ts';
import { chunkOf } from '../example.ts';
import { useLedger } from '../table.ts';

const { ledger } = useLedger();

const recipientOf = (recipientId: string) => ({ kind: 'recipientId', recipientId }) as const;
const hashOf = (recipientId: string) => hashDestination(recipientOf(recipientId));

/** A chunk whose payouts go to these recipients. */
const registered = async (batchId: string, chunk: number, recipientIds: readonly string[]) => {
  const file = chunkOf(batchId, recipientIds.length, { chunk, firstRow: 1 + 1000 * (chunk - 1) });
  const payouts = file.payouts.map((payout, index) => ({
    ...payout,
    recipient: recipientOf(recipientIds[index] ?? ''),
  }));
  return (await ledger.registerPayouts({ ...file, payouts })).payouts;
};

const rowsOf = (payouts: readonly { readonly batchId: string; readonly row: number }[]) =>
  payouts.map(({ batchId, row }) => `${batchId.slice(-1)}${row}`).sort();

describe('a search by destination', () => {
  it('finds its payouts in all batches, newest batch first, page by page', async () => {
    const [old, young] = ['b-search-1', 'b-search-2'];
    for (const batchId of [young, old]) await registered(batchId, 1, ['mine', 'other', 'mine']);
    const found: string[] = [];
    const batches: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
      const page = await ledger.findByDestination({
        destinationHash: hashOf('mine'),
        limit: 1,
        ...(cursor && { cursor }),
      });
      expect(page.items.length).toBeLessThanOrEqual(1);
      found.push(...rowsOf(page.items));
      batches.push(...page.items.map(({ batchId }) => batchId));
      cursor = page.cursor;
      expect(pages).toBeLessThan(6);
    }
    expect(found.sort()).toEqual(['11', '13', '21', '23']);
    expect(batches).toEqual([young, young, old, old]);
  });

  it('goes on with payouts that an older version has registered, page by page', async () => {
    await registered('b-former-1', 1, ['former', 'former', 'former']);
    await registered('b-former-2', 1, ['now', 'now']);
    const wanted = { destinationHash: hashOf('now'), formerHash: hashOf('former'), limit: 2 };
    const found: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
      const page = await ledger.findByDestination({ ...wanted, ...(cursor && { cursor }) });
      found.push(...page.items.map(({ batchId }) => batchId.slice(-1)));
      cursor = page.cursor;
      expect(pages).toBeLessThan(4);
    }
    expect(found).toEqual(['2', '2', '1', '1', '1']);
    const ofBatch = await ledger.findByDestination({ ...wanted, limit: 10, batchId: 'b-former-1' });
    expect(rowsOf(ofBatch.items)).toEqual(['11', '12', '13']);
    const { cursor = '' } = await ledger.findByDestination({ ...wanted, limit: 4 });
    await expect(ledger.findByDestination({ destinationHash: hashOf('now'), limit: 2, cursor })).rejects.toThrow(
      InvalidCursor,
    );
  });

  it('is narrowed by batch, currency and amount', async () => {
    const batchId = 'b-narrow-1';
    const [first] = await registered(batchId, 1, ['narrow', 'narrow']);
    const find = async (more: object) =>
      rowsOf((await ledger.findByDestination({ destinationHash: hashOf('narrow'), limit: 10, ...more })).items);
    const { amount = '', currency = '' } = first?.amount ?? {};
    expect(await find({ batchId, currency, amount: `0${amount}0` })).toEqual(['11', '12']);
    expect(await find({ batchId: 'b-another' })).toEqual([]);
    expect(await find({ currency: 'XXX' })).toEqual([]);
    expect(await find({ amount: '10.51' })).toEqual([]);
  });

  it('checks a limited number of payouts in one request, and continues from there', async () => {
    const batchId = 'b-many-1';
    for (const chunk of [1, 2, 3, 4])
      await registered(
        batchId,
        chunk,
        Array.from({ length: 98 }, () => 'many'),
      );
    const wanted = { destinationHash: hashOf('many'), limit: 10, amount: '1' };
    const first = await ledger.findByDestination(wanted);
    expect(first.items).toEqual([]);
    const second = await ledger.findByDestination({ ...wanted, cursor: first.cursor ?? '' });
    expect(second).toEqual({ items: [] });
    const all = { destinationHash: hashOf('many'), limit: 300 };
    const page = await ledger.findByDestination(all);
    const rest = await ledger.findByDestination({ ...all, cursor: page.cursor ?? '' });
    expect(new Set([...page.items, ...rest.items].map(({ reference }) => reference)).size).toBe(392);
  });

  it('finds nothing for an unpaid destination, and rejects a cursor of another list', async () => {
    expect(await ledger.findByDestination({ destinationHash: hashOf('nobody'), limit: 10 })).toEqual({ items: [] });
    const cursor = Buffer.from('{"chunk":1,"row":1}').toString('base64url');
    await expect(ledger.findByDestination({ destinationHash: hashOf('nobody'), limit: 10, cursor })).rejects.toThrow(
      InvalidCursor,
    );
  });

  it('in a batch goes on only from a payout of that batch', async () => {
    const [one, other] = ['b-within-1', 'b-within-2'];
    for (const batchId of [one, other]) await registered(batchId, 1, ['within', 'within']);
    const of = { destinationHash: hashOf('within'), limit: 1 };
    const { items, cursor = '' } = await ledger.findByDestination({ ...of, batchId: one });
    const next = await ledger.findByDestination({ ...of, batchId: one, cursor });
    expect(rowsOf([...items, ...next.items])).toEqual(['11', '12']);
    await expect(ledger.findByDestination({ ...of, batchId: other, cursor })).rejects.toThrow(InvalidCursor);
  });
});
