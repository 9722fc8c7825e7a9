import { expect, it } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from '../../../functions/domain/errors.ts';
import { referencesMadeSince } from '../../../functions/payouts/made-since.ts';
import type { Disbursement, DisbursementPage } from '../../../functions/ports/provider.ts';

const since = '2026-11-21T08:00:00.000Z';
const [after, soonBefore, longBefore] = [
  '2026-11-21T08:00:01.000Z',
  '2026-11-21T07:56:00.000Z',
  '2026-11-21T07:54:00.000Z',
];

const made = (reference: string | undefined, createdAt: string | undefined): Disbursement => ({
  disbursementId: 'd',
  rail: 'fiat',
  currency: 'IDR',
  amount: '1',
  status: 'pending',
  providerStatus: 'pending',
  ...(reference === undefined ? {} : { reference }),
  ...(createdAt === undefined ? {} : { createdAt }),
});

const ask = (disbursements: readonly Disbursement[], page: Partial<DisbursementPage> = {}) =>
  referencesMadeSince(
    { listDisbursements: async () => ({ disbursements, unreadable: 0, page: 1, totalPages: 1, ...page }) },
    'fiat',
    since,
    3,
  );

const many = { totalPages: 9 };

it.each([
  ['there is nothing', [], {}, []],
  ['there is one page, in any order', [made('Old', longBefore), made('NEW', after)], {}, ['old', 'new']],
  ['the page goes back beyond the time', [made('b', after), made('a', longBefore)], many, ['b', 'a']],
  [
    'somebody made one long before without a reference',
    [made('b', after), made(undefined, longBefore)],
    many,
    ['b', ''],
  ],
  ['the page goes back less far than clocks differ', [made('b', after), made('a', soonBefore)], many, undefined],
  ['the page is not sorted', [made('b', soonBefore), made('c', after), made('a', longBefore)], many, undefined],
  ['a record tells no time', [made('b', undefined), made('a', longBefore)], many, undefined],
  ['a record since then has no reference', [made(undefined, after)], {}, undefined],
  ['a record without a time has no reference', [made(undefined, undefined)], {}, undefined],
  ['a record is not readable', [], { unreadable: 1 }, undefined],
  ['a page of many is empty', [], many, undefined],
] as const)('tells what was made since a time where %s', async (_when, disbursements, page, expected) => {
  const references = await ask(disbursements, page);
  expect(references && [...references]).toEqual(expected);
});

it.each([new ProviderUnavailable('status_503'), new ProviderRefused('status_403')])(
  'tells nothing where the provider does not answer: %s',
  async (error) => {
    const listDisbursements = async () => Promise.reject(error);
    expect(await referencesMadeSince({ listDisbursements }, 'fiat', since, 3)).toBeUndefined();
  },
);
