import { beforeAll, describe, expect, it } from 'vitest';
import type { ShownDisbursement } from '../../support/payment-service/merchant.ts';
import {
  createdBy,
  cryptoItems,
  envelopeOf,
  fiatItems,
  getSigned,
  pageOf,
  postCrypto,
  postFiat,
} from '../../support/payment-service/merchant.ts';
import { uniqueWord } from '../../support/payment-service/unique-word.ts';

const ids = (all: readonly ShownDisbursement[]) => all.map((one) => one.disbursementId);

/** Reads every page of a list in order. */
const wholeList = async (path: string, limit: number): Promise<readonly ShownDisbursement[]> => {
  const all: ShownDisbursement[] = [];
  for (let page = 1; ; page += 1) {
    const { docs, hasNextPage } = await pageOf(`${path}limit=${limit}&page=${page}`);
    all.push(...docs);
    if (!hasNextPage) return all;
  }
};

describe('the fiat list', () => {
  let made: readonly ShownDisbursement[] = [];
  /** The number of records from earlier runs, when the local AWS keeps running. */
  let earlier = 0;

  beforeAll(async () => {
    earlier = (await pageOf('/v1/disbursement/fiat?currency=SGD')).totalDocs;
    const sgd = { bankName: 'DBS Bank', bankCode: 'DBS', accountName: 'Lim', accountNumber: '0012345600' };
    for (const size of [3, 1, 7]) {
      const items = fiatItems(size).map((item) => ({ ...item, recipient: { bank: sgd } }));
      made = [...made, ...(await createdBy(postFiat(items, 'SGD')))];
      await createdBy(postFiat(fiatItems(2)));
    }
  });

  it.each([1, 4, 100])('of a currency in pages of %i shows all records in order of creation', async (limit) => {
    const listed = await wholeList('/v1/disbursement/fiat?currency=SGD&', limit);
    expect(ids(listed).slice(earlier)).toEqual(ids(made));
  });

  it('descending is the reverse', async () => {
    const listed = await wholeList('/v1/disbursement/fiat?currency=SGD&sort=-createdAt&', 4);
    expect(ids(listed).slice(0, made.length)).toEqual(ids(made).toReversed());
  });

  it('without a filter has as many records as its total, without repeats', async () => {
    const listed = await wholeList('/v1/disbursement/fiat?', 100);
    const { totalDocs, totalItems } = await pageOf('/v1/disbursement/fiat');
    expect(new Set(ids(listed)).size).toBe(totalDocs);
    expect(totalItems).toBe(totalDocs);
    expect(listed.map((one) => one.createdAt)).toEqual(listed.map((one) => one.createdAt).toSorted());
  });

  it.each(['pending', 'completed', 'failed'])(
    'by status shows all of that status and no others: %s',
    async (status) => {
      const missing = async () => {
        const listed = await wholeList(`/v1/disbursement/fiat?status=${status}&currency=SGD&`, 2);
        expect(listed.filter((one) => one.status !== status)).toEqual([]);
        const all = await wholeList('/v1/disbursement/fiat?currency=SGD&', 100);
        return ids(all.filter((one) => one.status === status)).filter((id) => !ids(listed).includes(id));
      };
      // One may reach the status between the two lists.
      await expect.poll(missing).toEqual([]);
    },
  );

  it('sorted by last change is in that order', async () => {
    const { docs } = await pageOf('/v1/disbursement/fiat?sort=-updatedAt&limit=100&currency=SGD');
    const times = docs.map((one) => one.updatedAt);
    expect(docs).toHaveLength(Math.min(100, earlier + made.length));
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('by id shows that record', async () => {
    const { docs } = await pageOf(`/v1/disbursement/fiat?disbursementId=${made[4]?.disbursementId}`);
    expect(ids(docs)).toEqual([made[4]?.disbursementId]);
  });

  it('past its end is empty', async () => {
    expect(await pageOf('/v1/disbursement/fiat?currency=SGD&page=5000')).toMatchObject({
      docs: [],
      totalDocs: earlier + made.length,
      hasNextPage: false,
      prevPage: 4999,
      nextPage: null,
    });
  });

  it('at the highest possible page is empty too', async () => {
    expect(await pageOf('/v1/disbursement/fiat?currency=SGD&page=999999999&limit=100&sort=-createdAt')).toMatchObject({
      docs: [],
      totalDocs: earlier + made.length,
      offset: 99_999_999_800,
      hasNextPage: false,
      nextPage: null,
    });
  });

  it('without records has one empty page', async () => {
    expect(await pageOf('/v1/disbursement/fiat?currency=XXX&status=failed&sort=updatedAt')).toMatchObject({
      docs: [],
      totalDocs: 0,
      totalItems: 0,
      totalPages: 1,
      offset: 0,
      pagingCounter: 1,
      hasPrevPage: false,
      hasNextPage: false,
      prevPage: null,
      nextPage: null,
    });
  });

  it.each([
    ['limit=101', 'limit must be at most 100'],
    ['limit=0', 'limit: must be a whole number from 1'],
    ['page=x', 'page: must be a whole number from 1'],
    ['status=need_check', 'status: must be one of pending, failed, completed'],
    ['sort=amount', 'sort: must be one of createdAt, -createdAt, updatedAt, -updatedAt'],
  ])('with %s is refused', async (query, message) => {
    expect(await envelopeOf(getSigned(`/v1/disbursement/fiat?${query}`))).toMatchObject({ statusCode: 400, message });
  });
});

describe('the crypto list', () => {
  const word = uniqueWord();
  const endings = ['a', 'b', 'c'].map((digit) => `${word}${digit}`);
  const address = (index: number) => `0x${(endings[index] ?? '').padStart(40, '1')}`;
  let made: readonly ShownDisbursement[] = [];

  beforeAll(async () => {
    made = await createdBy(postCrypto(cryptoItems(endings, word), 'eth-ethereum'));
  });

  it.each<[string, () => string, readonly number[]]>([
    ['token', () => 'token=eth-ethereum', [0, 1, 2]],
    ['reference', () => `reference=${word}-1`, [1]],
    ['id', () => `disbursementId=${made[2]?.disbursementId}`, [2]],
    ['receiver', () => `receiverAddress=${address(1)}`, [1]],
    ['receiver and amount', () => `receiverAddress=${address(1)}&amount=11`, [1]],
    ['receiver and another amount', () => `receiverAddress=${address(1)}&amount=12`, []],
    [
      'token and contract',
      () => 'token=eth-ethereum&tokenAddress=0x0000000000000000000000000000000000000000',
      [0, 1, 2],
    ],
    ['token and another contract', () => 'token=eth-ethereum&tokenAddress=0x1', []],
    ['dates', () => 'token=eth-ethereum&startDate=2020-01-01&endDate=2099-01-01', [0, 1, 2]],
    ['dates long ago', () => 'token=eth-ethereum&startDate=2020-01-01&endDate=2020-01-02', []],
    ['one date, which does not filter', () => 'token=eth-ethereum&startDate=2099-01-01', [0, 1, 2]],
    ['an unknown hash', () => 'txHash=0x1', []],
    ['an unknown reference', () => 'reference=nobody', []],
  ])('by %s shows the matching records', async (_, query, places) => {
    const { docs } = await pageOf(`/v1/disbursement/crypto?limit=100&sort=-createdAt&${query()}`);
    const own = new Set(ids(made));
    const fitting = ids(docs).filter((id) => own.has(id));
    expect(fitting.toReversed()).toEqual(places.map((place) => made[place]?.disbursementId));
  });
});
