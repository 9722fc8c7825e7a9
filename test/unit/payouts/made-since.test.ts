import { describe, expect, it } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from '../../../functions/domain/errors.ts';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import { unmadeSince } from '../../../functions/payouts/made-since.ts';
import type { Disbursement, DisbursementPage, PaymentProvider } from '../../../functions/ports/provider.ts';
import { idr } from '../../support/money.ts';
import { payout } from './example.ts';

const since = '2026-11-21T08:00:00.000Z';
const [after, later] = ['2026-11-21T08:00:01.000Z', '2026-11-21T08:00:02.000Z'];
const [soonBefore, longBefore] = ['2026-11-21T07:56:00.000Z', '2026-11-21T07:54:00.000Z'];

const made = (reference: string | undefined, createdAt: string | undefined): Disbursement => ({
  disbursementId: 'd',
  rail: 'fiat',
  amount: idr('1'),
  status: 'pending',
  providerStatus: 'pending',
  ...(reference === undefined ? {} : { reference }),
  ...(createdAt === undefined ? {} : { createdAt }),
});

const payouts = (count: number): readonly Payout[] =>
  Array.from({ length: count }, (_, index) => ({ ...payout, row: index + 1, reference: `Row-${index + 1}` }));

/** The rows, out of four, without a payment, and the requests. */
const ask = async (
  pages: readonly Partial<DisbursementPage>[],
  { changes = {}, questions = 9 }: { changes?: Partial<PaymentProvider>; questions?: number } = {},
) => {
  const asked: string[] = [];
  const provider = {
    pageSize: () => 3,
    listDisbursements: async ({ order, page }: { readonly order: string; readonly page: number }) => {
      asked.push(`${order} ${page}`);
      return { disbursements: [], unreadable: 0, totalPages: 1, ...pages[page - 1], page };
    },
    lookUp: async (_rail: string, reference: string) => {
      asked.push(reference);
      return { kind: 'absent' } as const;
    },
    ...changes,
  };
  const hasTime = () => asked.length < questions;
  const unmade = await unmadeSince({ provider, since, hasTime }, payouts(4));
  return { rows: unmade.map(({ row }) => row), asked };
};

const page = (totalPages: number, ...disbursements: readonly Disbursement[]) => ({ totalPages, disbursements });
const all = [1, 2, 3, 4];

describe('from a list since a time', () => {
  it.each([
    ['nothing', page(1), all],
    ['some, in any letter case and order', page(1, made('x', longBefore), made('row-2', after)), [1, 3, 4]],
    ['a page that goes back beyond it', page(9, made('ROW-3', after), made('x', longBefore)), [1, 2, 4]],
    ['an old one of another system without a reference', page(9, made('x', after), made(undefined, longBefore)), all],
    ['a page that goes back less far than clocks differ', page(9, made('x', after), made('y', soonBefore)), []],
    ['a page that is not in order', page(9, made('x', after), made('y', later), made('z', longBefore)), []],
    [
      'a page of one instant, as a list in any order may have',
      page(9, made('x', longBefore), made('y', longBefore)),
      [],
    ],
    ['a record without a time', page(9, made('x', undefined), made('y', longBefore)), []],
    ['a record since then without a reference', page(1, made(undefined, after)), []],
    ['a record without time and reference', page(1, made(undefined, undefined)), []],
    ['an unreadable record', { ...page(1), unreadable: 1 }, []],
    ['an empty page of many', page(9), []],
  ] as const)('%s', async (_name, shown, rows) => {
    expect((await ask([shown, shown, shown])).rows).toEqual(rows);
  });

  const many = page(9, made('x', later), made('y', after));
  const last = page(9, made('row-2', after), made('y', longBefore));

  it.each([
    ['on the second page', [many, last], 9, ['newest 1', 'newest 2', 'Row-1'], [1, 3, 4]],
    ['on the fourth page, which is not read', [many, many, many, last], 9, ['newest 1', 'newest 2', 'newest 3'], []],
    ['when there is no time for the page', [many, last], 1, ['newest 1'], []],
    ['when there is no time for a look at the first', [many, last], 2, ['newest 1', 'newest 2'], []],
  ])('when it goes further back: %s', async (_name, pages, questions, asked, rows) => {
    expect(await ask(pages, { questions })).toEqual({ asked, rows });
  });
});

it.each([
  { kind: 'unknown', cause: 'status_503' },
  { kind: 'found', disbursement: made('Row-1', after) },
] as const)('rejects a list when a lookup of the first payout does not say that it is absent: $kind', async (found) => {
  expect((await ask([page(1)], { changes: { lookUp: async () => found } })).rows).toEqual([]);
});

it.each([new ProviderUnavailable('status_503'), new ProviderRefused('status_403')])(
  'finds nothing when the provider does not answer: %s',
  async (error) => {
    expect((await ask([], { changes: { listDisbursements: async () => Promise.reject(error) } })).rows).toEqual([]);
  },
);
