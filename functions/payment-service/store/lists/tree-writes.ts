import type { ListOrder } from '../../domain/lists/page.ts';
import type { ListEntry } from '../../domain/lists/tree.ts';
import { nodeIndex, nodeLevels } from '../../domain/lists/tree.ts';
import type { ListId } from '../keys.ts';
import { keys } from '../keys.ts';
import type { TransactItem } from '../table.ts';
import { edits, putNew, update } from '../table.ts';

/** A record enters (1) or leaves (-1) a status in an entry of one order of a list. */
export interface Change {
  /** The entry's. */
  readonly number: number;
  readonly part: string;
  readonly position: number;
  readonly status: string;
  readonly by: 1 | -1;
}

/** The positions of records in an entry, as its attributes. */
const positionSets = (changes: readonly Change[], by: Change['by']) => {
  const own = changes.filter((one) => one.by === by);
  const byStatus = Map.groupBy(own, ({ status }) => `at#${status}`);
  return Object.fromEntries([...byStatus].map(([name, same]) => [name, new Set(same.map(({ position }) => position))]));
};

/** The changes of a node's counts, as its attributes. */
const countSums = (changes: readonly Change[]) =>
  Object.fromEntries(
    [...Map.groupBy(changes, ({ part, status }) => `count#${part}#${status}`)]
      .map(([name, same]) => [name, same.reduce((sum, { by }) => sum + by, 0)] as const)
      .filter(([, sum]) => sum !== 0),
  );

/**
 * Moves records within one order of a list: one write per entry, and one per node above them whose counts change.
 *
 * @param arrivals new entries, after all others
 * @param changes without those of a record that stays where it is
 * @param at when the new entries arrive
 */
export const moveWrites = (
  list: ListId,
  order: ListOrder,
  arrivals: readonly Pick<ListEntry, 'number' | 'groupId' | 'part'>[],
  changes: readonly Change[],
  at: string,
): readonly TransactItem[] => {
  const first = arrivals[0]?.number ?? Number.POSITIVE_INFINITY;
  const byEntry = Map.groupBy(changes, ({ number }) => number);
  const known = [...byEntry].filter(([number]) => number < first);
  return [
    ...arrivals.map((entry) =>
      putNew({
        ...keys.listEntry(list, order, entry.number),
        ...entry,
        at,
        ...positionSets(byEntry.get(entry.number) ?? [], 1),
      }),
    ),
    ...known.map(([number, own]) =>
      update(keys.listEntry(list, order, number), edits({ add: positionSets(own, 1), delete: positionSets(own, -1) })),
    ),
    ...nodeLevels.flatMap((level) =>
      [...Map.groupBy(changes, ({ number }) => nodeIndex(level, number))].flatMap(([index, own]) => {
        const add = countSums(own);
        const isFirst = index > nodeIndex(level, first - 1);
        const set = index < nodeIndex(level, first) ? {} : { ...(isFirst && { from: at }), to: at, index };
        if (Object.keys({ ...add, ...set }).length === 0) return [];
        return [update(keys.listNode(list, order, level, index), edits({ set, add }))];
      }),
    ),
  ];
};
