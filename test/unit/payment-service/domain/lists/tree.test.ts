import fc from 'fast-check';
import { expect, it } from 'vitest';
import type {
  ListEntry,
  ListFilter,
  ListNode,
  ListReader,
  NodeLevel,
} from '../../../../../functions/payment-service/domain/lists/tree.ts';
import {
  entriesOfPeriod,
  nodeIndex,
  parentIndex,
  readListPage,
} from '../../../../../functions/payment-service/domain/lists/tree.ts';
import { drawsAll, runs } from '../../../../support/fast-loop.ts';

const parts = ['PHP', 'THB', 'SGD'] as const;
const statuses = ['pending', 'failed', 'completed'] as const;
const moments = Array.from({ length: 9 }, (_, hour) => `2026-11-21T0${hour}:00:00.000Z`);

type Group = readonly { readonly part: string; readonly statuses: readonly string[]; readonly moment: number }[];

/** Entries as groups make them: numbered from 1, in order of time. */
const entriesOf = (groups: Group): readonly ListEntry[] => {
  const inOrder = groups.toSorted((a, b) => a.moment - b.moment);
  return inOrder.map((group, index) => ({
    number: index + 1,
    groupId: `g${index}`,
    part: group.part,
    at: moments[group.moment] ?? '',
    positions: statuses.map((status) => ({
      status,
      positions: group.statuses.flatMap((one, position) => (one === status ? [position] : [])),
    })),
  }));
};

const nodeOf = (index: number, own: readonly ListEntry[]): ListNode => ({
  index,
  from: own[0]?.at ?? '',
  to: own.at(-1)?.at ?? '',
  counts: own.flatMap(({ part, positions }) =>
    positions.map((one) => ({ part, status: one.status, count: one.positions.length })),
  ),
});

const readerOf = (entries: readonly ListEntry[]): { readonly reader: ListReader; readonly read: () => number } => {
  let read = 0;
  const nodes = (level: NodeLevel) =>
    [...Map.groupBy(entries, ({ number }) => nodeIndex(level, number))].map(([index, own]) => nodeOf(index, own));
  return {
    read: () => read,
    reader: {
      shelves: async () => nodes(2),
      blocks: async (shelf) => nodes(1).filter(({ index }) => parentIndex(index) === shelf),
      entries: async (block) => {
        const found = entries.filter(({ number }) => nodeIndex(1, number) === block);
        read += found.length;
        return found;
      },
    },
  };
};

/** The expected page, found by looking at everything. */
const plainPage = (entries: readonly ListEntry[], filter: ListFilter, page: number, limit: number, down: boolean) => {
  const { came, status } = filter;
  const all = entries
    .filter(({ part }) => filter.parts?.includes(part) ?? true)
    .filter(({ at }) => came === undefined || (at >= came.from && at <= came.to))
    .flatMap(({ groupId, positions }) =>
      positions
        .flatMap((one) => one.positions.map((position) => ({ groupId, position, status: one.status })))
        .toSorted((a, b) => a.position - b.position),
    )
    .filter((one) => status === undefined || one.status === status)
    .map(({ groupId, position }) => ({ groupId, position }));
  return {
    total: all.length,
    members: (down ? all.toReversed() : all).slice((page - 1) * limit, page * limit),
  };
};

const group = fc.record({
  part: fc.constantFrom(...parts),
  statuses: fc.array(fc.constantFrom(...statuses), { minLength: 1, maxLength: 5 }),
  moment: fc.nat(moments.length - 1),
});

const filters = fc.record({
  parts: fc.option(fc.subarray([...parts]), { nil: undefined }),
  status: fc.option(fc.constantFrom(...statuses), { nil: undefined }),
  came: fc.option(
    fc.tuple(fc.nat(8), fc.nat(8)).map(([from, to]) => ({ from: moments[from] ?? '', to: moments[to] ?? '' })),
    { nil: undefined },
  ),
});

it('a page by any filter, in either direction, equals the one found by looking at everything', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(group, { maxLength: 450, size: 'max' }),
      filters,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 100 }),
      fc.boolean(),
      async (groups, filter, page, limit, descending) => {
        const entries = entriesOf(groups);
        expect(await readListPage(readerOf(entries).reader, filter, { page, limit }, descending)).toEqual(
          plainPage(entries, filter, page, limit, descending),
        );
      },
    ),
    { numRuns: runs(400) },
  );
});

const single = (statusAt: (index: number) => string): readonly ListEntry[] =>
  entriesOf(
    Array.from({ length: 100_000 }, (_, index) => ({
      part: 'PHP',
      statuses: [statusAt(index)],
      moment: Math.floor(index / 11_112),
    })),
  );

it.runIf(drawsAll).each<[string, ListFilter, number]>([
  ['everything', {}, 200],
  ['a status that every other has', { status: 'completed' }, 300],
  ['a status and a period', { status: 'completed', came: { from: moments[2] ?? '', to: moments[4] ?? '' } }, 500],
])('of 100,000 groups of one, a page by %s reads few entries anywhere', async (_, filter, most) => {
  const entries = single((index) => (index % 2 === 0 ? 'completed' : 'failed'));
  const { total } = plainPage(entries, filter, 1, 1, false);
  for (const page of [1, Math.ceil(total / 200), Math.ceil(total / 100)]) {
    const { reader, read } = readerOf(entries);
    const request = { page, limit: 100 };
    expect(await readListPage(reader, filter, request, false)).toEqual(plainPage(entries, filter, page, 100, false));
    expect(read()).toBeLessThanOrEqual(most);
  }
});

it.runIf(drawsAll)('the entries of any period among 100,000 are found by reading two blocks of them', async () => {
  const entries = single(() => 'completed');
  const times = [
    '2026-11-20T00:00:00.000Z',
    ...moments.slice(3, 5),
    '2026-11-21T04:30:00.000Z',
    '2026-11-22T00:00:00.000Z',
  ];
  for (const from of times) {
    for (const to of times) {
      const { reader, read } = readerOf(entries);
      const own = entries.filter(({ at }) => at >= from && at <= to);
      const [first, last] = [own[0]?.number, own.at(-1)?.number];
      expect(await entriesOfPeriod(reader, { from, to })).toEqual(own.length === 0 ? undefined : { first, last });
      expect(read()).toBeLessThanOrEqual(200);
    }
  }
});

it('a page by a status of one in a thousand reads only the blocks that contain it', async () => {
  const { reader, read } = readerOf(single((index) => (index % 1000 === 17 ? 'failed' : 'completed')));
  const { members, total } = await readListPage(reader, { status: 'failed' }, { page: 10, limit: 10 }, false);
  expect({ total, shown: members.length }).toEqual({ total: 100, shown: 10 });
  expect(read()).toBe(1000);
});

it.each([
  ['a list without records', 0, 1],
  ['a page past the end', 7, 2],
  ['the highest page that can be asked for', 7, 999_999_999],
])('%s is empty, with the right total', async (_, records, page) => {
  const entries = entriesOf(Array.from({ length: records }, () => ({ part: 'PHP', statuses: ['failed'], moment: 0 })));
  for (const descending of [false, true]) {
    const shown = await readListPage(readerOf(entries).reader, {}, { page, limit: 100 }, descending);
    expect(shown).toEqual({ total: records, members: [] });
  }
});
