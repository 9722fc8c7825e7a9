import type { ListOrder } from '../../domain/lists/page.ts';
import type { ListEntry, NodeLevel } from '../../domain/lists/tree.ts';
import { nodeIndex, nodeLevels } from '../../domain/lists/tree.ts';
import type { ListId } from '../keys.ts';
import { keys } from '../keys.ts';
import type { Table, TransactItem } from '../table.ts';
import { putNew, update } from '../table.ts';

interface CountChange {
  readonly number: number;
  readonly part: string;
  readonly status: string;
  readonly by: number;
}

/** Entries that one write adds: all from this number on, at this moment. */
interface Arrival {
  readonly first: number;
  readonly at: string;
}

/** Adds to the counts of the nodes above the entries. One write per node. */
export const nodeWrites = (
  table: Table,
  list: ListId,
  order: ListOrder,
  changes: readonly CountChange[],
  arrival?: Arrival,
): readonly TransactItem[] => {
  const ofNode = (level: NodeLevel, index: number, own: readonly CountChange[]): readonly TransactItem[] => {
    const sums = [...Map.groupBy(own, ({ part, status }) => `count#${part}#${status}`)]
      .map(([name, same]) => ({ name, by: same.reduce((sum, one) => sum + one.by, 0) }))
      .filter(({ by }) => by !== 0);
    const at = arrival !== undefined && index >= nodeIndex(level, arrival.first) ? arrival.at : undefined;
    if (sums.length === 0 && at === undefined) return [];
    return [
      update(table, keys.listNode(list, order, level, index), {
        UpdateExpression: [
          ...(at === undefined ? [] : ['SET #from = if_not_exists(#from, :at), #to = :at, #index = :index']),
          ...(sums.length === 0 ? [] : [`ADD ${sums.map((_, n) => `#n${n} :n${n}`).join(', ')}`]),
        ].join(' '),
        ExpressionAttributeNames: {
          ...Object.fromEntries(sums.map(({ name }, n) => [`#n${n}`, name])),
          ...(at && { '#from': 'from', '#to': 'to', '#index': 'index' }),
        },
        ExpressionAttributeValues: {
          ...Object.fromEntries(sums.map(({ by }, n) => [`:n${n}`, by])),
          ...(at && { ':at': at, ':index': index }),
        },
      }),
    ];
  };
  return nodeLevels.flatMap((level) =>
    [...Map.groupBy(changes, ({ number }) => nodeIndex(level, number))].flatMap(([index, own]) =>
      ofNode(level, index, own),
    ),
  );
};

export const putEntry = (
  table: Table,
  list: ListId,
  order: ListOrder,
  { positions, ...entry }: ListEntry,
): TransactItem =>
  putNew(table, {
    ...keys.listEntry(list, order, entry.number),
    ...entry,
    ...Object.fromEntries(positions.map((one) => [`at#${one.status}`, new Set(one.positions)])),
  });

export interface SetChange {
  readonly number: number;
  readonly status: string;
  readonly position: number;
  readonly verb: 'ADD' | 'DELETE';
}

/** Removes positions from entries and adds them to others. One write per entry. */
export const entryWrites = (
  table: Table,
  list: ListId,
  order: ListOrder,
  changes: readonly SetChange[],
): readonly TransactItem[] =>
  [...Map.groupBy(changes, ({ number }) => number)].map(([number, own]): TransactItem => {
    const sets = [...Map.groupBy(own, ({ verb, status }) => `${verb}#${status}`).values()].map((same, n) => ({
      n,
      verb: same[0]?.verb,
      name: `at#${same[0]?.status}`,
      positions: new Set(same.map(({ position }) => position)),
    }));
    const clause = (verb: SetChange['verb']): readonly string[] => {
      const parts = sets.filter((one) => one.verb === verb).map(({ n }) => `#s${n} :s${n}`);
      return parts.length === 0 ? [] : [`${verb} ${parts.join(', ')}`];
    };
    return update(table, keys.listEntry(list, order, number), {
      UpdateExpression: [...clause('ADD'), ...clause('DELETE')].join(' '),
      ExpressionAttributeNames: Object.fromEntries(sets.map(({ n, name }) => [`#s${n}`, name])),
      ExpressionAttributeValues: Object.fromEntries(sets.map(({ n, positions }) => [`:s${n}`, positions])),
    });
  });
