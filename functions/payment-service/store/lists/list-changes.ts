import * as z from 'zod';
import type { ListOrder } from '../../domain/lists/page.ts';
import type { ListId } from '../keys.ts';
import { keys } from '../keys.ts';
import type { ManyItems } from '../many-items.ts';
import type { TransactItem } from '../table.ts';
import { getItem, putNext } from '../table.ts';
import { lineWrites } from './list-lines.ts';
import type { Change } from './tree-writes.ts';
import { moveWrites } from './tree-writes.ts';

const countItem = z.object({ created: z.number(), changed: z.number(), lastAt: z.string() });

/** A list and the table that contains it. */
export interface StoredList extends ListId, ManyItems {}

/** The number of entries in each order of a list, and the moment of the last one in ISO 8601 UTC. */
type ListCount = z.infer<typeof countItem>;

export const readListCount = async (list: StoredList): Promise<ListCount> =>
  (await getItem(list.table, keys.listCount(list), countItem)) ?? { created: 0, changed: 0, lastAt: '' };

/** The moment of the next write: now, or the list's last moment if a clock has stepped back since. */
export const momentIn = (count: ListCount, now: string): string => (now < count.lastAt ? count.lastAt : now);

/** Raises the count, on condition that it is unchanged since it was read. */
const countWrite = (list: ListId, was: ListCount, next: ListCount): TransactItem =>
  putNext({ ...keys.listCount(list), ...next }, 'changed', was.changed);

/** A record's positions in the two orders of its list, both from 1. A later change needs them. */
export interface ListPlace {
  readonly listNumber: number;
  /** Renewed by every change. */
  readonly changeNumber: number;
}

/** The places at the end of a list, in order from 0. */
export const nextPlace = (count: ListCount, index = 0): ListPlace => ({
  listNumber: count.created + index + 1,
  changeNumber: count.changed + index + 1,
});

/** Pending records that enter a list together: those of one POST, or one deposit. */
interface NewListGroup {
  readonly groupId: string;
  /** A filter of the list besides the status: a currency, or a deposit type. Without `#`. */
  readonly part: string;
  /** The number of records, at positions from 0. */
  readonly size: number;
}

const pendingMembers = (size: number) =>
  Array.from({ length: size }, (_, position) => ({ position, status: 'pending' }));

/**
 * Appends groups to a list, at its next places: 5 writes, 2 more per group (3 in the list of crypto disbursements), and at most
 * 4 more where groups cross into a new block or shelf. The writes are for the transaction that commits the groups. They fail when
 * the list grew or changed since `count` was read. All records of a group start with the same places.
 *
 * @param at their creation in ISO 8601 UTC, from `momentIn`
 */
export const joinList = (
  list: ListId,
  count: ListCount,
  groups: readonly NewListGroup[],
  at: string,
): readonly TransactItem[] => {
  const inOrder = (order: ListOrder): readonly TransactItem[] => {
    const placed = groups.map((group, index) => ({ ...group, number: count[order] + index + 1 }));
    return moveWrites(
      list,
      order,
      placed.map(({ number, groupId, part }) => ({ number, groupId, part })),
      placed.flatMap(({ size, part, number }) =>
        pendingMembers(size).map((member) => ({ ...member, number, part, by: 1 as const })),
      ),
      at,
    );
  };
  const next = { created: count.created + groups.length, changed: count.changed + groups.length, lastAt: at };
  return [
    countWrite(list, count, next),
    ...inOrder('created'),
    ...inOrder('changed'),
    ...groups.flatMap(({ part, size }, index) => lineWrites(list, nextPlace(count, index), part, pendingMembers(size))),
  ];
};

/** A record of a group before and after a change of its status, or of anything else it is sorted by. */
export interface ListMove {
  /** `changeNumber` is its position in the order of last changes. */
  readonly before: { readonly position: number; readonly status: string; readonly changeNumber: number };
  readonly after: { readonly status: string };
}

/** The most writes that `moveInList` makes, lines included. */
export const writesOfMoves = (moves: readonly ListMove[]): number =>
  8 + 3 * new Set(moves.map(({ before }) => before.changeNumber)).size;

/**
 * Moves records of one group between statuses, and to the end of the order of last changes. The writes fail when the
 * list grew or changed since `count` was read. The caller's own condition ensures that the records are where `moves`
 * says.
 *
 * @param at when they change in ISO 8601 UTC, from `momentIn`
 */
export const moveInList = (
  list: ListId,
  count: ListCount,
  group: { readonly groupId: string; readonly part: string; readonly listNumber: number },
  moves: readonly ListMove[],
  at: string,
): readonly TransactItem[] => {
  const { groupId, part, listNumber } = group;
  const { changeNumber } = nextPlace(count);
  const changesFrom = (numberOf: (before: ListMove['before']) => number, to: number): readonly Change[] =>
    moves.flatMap(({ before, after }) => {
      const { position, status } = before;
      const from = numberOf(before);
      if (from === to && status === after.status) return [];
      return [
        { number: from, part, position, status, by: -1 },
        { number: to, part, position, status: after.status, by: 1 },
      ];
    });
  const members = moves.map(({ before, after }) => ({ position: before.position, status: after.status }));
  const created = changesFrom(() => listNumber, listNumber);
  const changed = changesFrom((before) => before.changeNumber, changeNumber);
  return [
    countWrite(list, count, { ...count, changed: changeNumber, lastAt: at }),
    ...moveWrites(list, 'created', [], created, at),
    ...moveWrites(list, 'changed', [{ number: changeNumber, groupId, part }], changed, at),
    ...lineWrites(list, { listNumber, changeNumber }, part, members),
  ];
};
