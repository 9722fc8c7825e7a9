import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Disbursement } from '../../../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { cryptoStatuses } from '../../../../../functions/payment-service/domain/disbursements/disbursement.ts';
import type { DisbursementFilter } from '../../../../../functions/payment-service/domain/disbursements/disbursement-filter.ts';
import type { SortOrder } from '../../../../../functions/payment-service/domain/lists/page.ts';
import { readDisbursementPage } from '../../../../../functions/payment-service/store/disbursements/read-disbursement-page.ts';
import { runs } from '../../../../support/fast-loop.ts';
import { MemoryTable } from '../../../../support/memory-table/memory-table.ts';
import type { PostedGroup } from '../../../../support/payment-service/list-scene.ts';
import { ListScene } from '../../../../support/payment-service/list-scene.ts';
import { tableWith } from '../../../../support/payment-service/new-context.ts';
import { plainPage } from '../../../../support/payment-service/plain-list.ts';

const waits = { pause: async () => undefined, random: () => 0 };
const currencies = ['usdc-polygon', 'THB', 'SGD'] as const;

const statuses = fc.array(fc.constantFrom(...cryptoStatuses), { minLength: 1, maxLength: 6 });
const posted: fc.Arbitrary<PostedGroup> = fc.record({
  rail: fc.constant('crypto' as const),
  currency: fc.constantFrom(...currencies),
  settled: statuses,
});
/** The group that changes a second time, and its new status. */
const again = fc.array(fc.tuple(fc.nat(), statuses), { maxLength: 15 });

const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 2 });
const digit = fc.nat(6);

const asked = fc.record({
  status: optional(fc.constantFrom(...cryptoStatuses)),
  currencies: optional(fc.subarray([...currencies])),
  amount: optional(digit.map((at) => `${at + 1}.0`)),
  receiverAddress: optional(digit.map((at) => `0x${'A'.repeat(39)}${at}`)),
  period: optional(fc.tuple(fc.nat(), fc.nat())),
  hashOf: fc.option(fc.nat(), { nil: undefined, freq: 9 }),
  order: fc.constantFrom('created' as const, 'changed' as const),
  descending: fc.boolean(),
  page: fc.integer({ min: 1, max: 5 }),
  limit: fc.integer({ min: 1, max: 25 }),
});

const everything = async (scene: ListScene): Promise<readonly Disbursement[]> => {
  const { docs } = await readDisbursementPage(scene.context, {
    rail: 'crypto',
    filter: {},
    sort: { order: 'created', descending: false },
    page: { page: 1, limit: 10_000 },
  });
  return docs;
};

it('a page with any filters, sort and size equals the one found by looking at every disbursement', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(posted, { minLength: 1, maxLength: 130, size: 'max' }),
      again,
      fc.array(asked, { minLength: 20, maxLength: 20 }),
      async (groups, changes, questions) => {
        const scene = new ListScene(new MemoryTable(), 'merchant', waits);
        const made: Disbursement[][] = [];
        for (const group of groups) {
          made.push([...(await scene.post(group))]);
          await scene.settle(made.at(-1)?.[0]?.groupId ?? '', group.settled);
        }
        for (const [at, settled] of changes) {
          await scene.settle(made[at % made.length]?.[0]?.groupId ?? '', settled);
        }
        const all = await everything(scene);
        expect(all.map((one) => one.disbursementId)).toEqual(made.flat().map((one) => one.disbursementId));
        const moment = (at: number): string => all[at % all.length]?.createdAt ?? '';
        for (const { order, descending, page, limit, period, hashOf, ...rest } of questions) {
          const filter: DisbursementFilter = {
            ...rest,
            created: period === undefined ? undefined : { from: moment(period[0]), to: moment(period[1]) },
            txHash: hashOf === undefined ? undefined : (all[hashOf % all.length]?.txHash ?? '0xunknown'),
          };
          const sort = { order, descending };
          const { docs, total } = await readDisbursementPage(scene.context, {
            rail: 'crypto',
            filter,
            sort,
            page: { page, limit },
          });
          const shown = { total, ids: docs.map((one) => one.disbursementId) };
          expect(shown).toEqual(plainPage(all, filter, sort, { page, limit }));
        }
      },
    ),
    { numRuns: runs(60) },
  );
});

/** Four pending disbursements. Returns the list's page when the second is completed just before a request. */
const listedWhileChanging = async (
  isMoment: (command: string, sent: number) => boolean,
  sort: SortOrder,
  filter: DisbursementFilter,
  limit = 10,
) => {
  const table = new MemoryTable();
  const scene = new ListScene(table, 'merchant', waits);
  const made: Disbursement[] = [];
  for (let post = 0; post < 4; post += 1) {
    made.push(...(await scene.post({ rail: 'crypto', currency: 'THB', settled: ['pending'] })));
  }
  let isChanged = false;
  const changing = tableWith(table, async (command, sent) => {
    if (isChanged || !isMoment(command, sent)) return;
    isChanged = true;
    await scene.settle(made[1]?.groupId ?? '', ['completed']);
  });
  const { docs, total } = await readDisbursementPage(
    { ...scene.context, table: changing },
    { rail: 'crypto', filter, sort, page: { page: 1, limit } },
  );
  const places = docs.map((one) => made.findIndex(({ disbursementId }) => disbursementId === one.disbursementId));
  return { docs, total, places };
};

it.each([false, true])('a change during the read shows at its new position, descending %s', async (descending) => {
  const isMoment = (command: string) => command === 'BatchGetCommand';
  const { places } = await listedWhileChanging(isMoment, { order: 'changed', descending }, {});
  const order = [0, 2, 3, 1];
  expect(places).toEqual(descending ? order.toReversed() : order);
});

describe.each(['created', 'changed'] as const)('a page by status, sorted by %s,', (order) => {
  it.each(
    [1, 2, 3, 4, 5].flatMap((moment) =>
      [{}, { amount: '1' }].flatMap((also) => [2, 3, 10].map((limit) => ({ moment, also, limit }))),
    ),
  )('is correct, whatever changes before its request $moment: $also, limit $limit', async (change) => {
    const { moment, also, limit } = change;
    const sort = { order, descending: false };
    const filter = { status: 'pending', ...also } as const;
    const { docs, total, places } = await listedWhileChanging((_, sent) => sent === moment, sort, filter, limit);
    expect(docs.map(({ status }) => status)).toEqual(docs.map(() => 'pending'));
    expect(docs.length).toBe(Math.min(limit, total));
    expect([3, 4]).toContain(total);
    expect(new Set(places).size).toBe(docs.length);
  });
});
