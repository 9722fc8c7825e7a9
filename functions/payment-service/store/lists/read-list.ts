import * as z from 'zod';
import type { ListOrder, PageRequest, SortOrder } from '../../domain/lists/page.ts';
import { sequenceWindow } from '../../domain/lists/page.ts';
import type { ListEntry, ListFilter, ListNode, ListPage, ListReader } from '../../domain/lists/tree.ts';
import { firstBlock, firstEntry, readListPage } from '../../domain/lists/tree.ts';
import { keys } from '../keys.ts';
import type { Patience } from '../retry.ts';
import { retryConflicts } from '../retry.ts';
import { queryAll } from '../table.ts';
import type { StoredList } from './list-changes.ts';

const nodeItem = z.looseObject({ index: z.number(), from: z.string(), to: z.string() });

const readNode = (item: unknown): ListNode => {
  const { index, from, to, ...rest } = nodeItem.parse(item);
  const counts = Object.entries(rest).flatMap(([name, count]) => {
    const [word, part, status] = name.split('#');
    return word === 'count' && part !== undefined && status !== undefined && typeof count === 'number'
      ? [{ part, status, count }]
      : [];
  });
  return { index, from, to, counts };
};

const entryItem = z.looseObject({ number: z.number(), groupId: z.string(), part: z.string(), at: z.string() });
const places = z.set(z.number());

export const readEntry = (item: unknown): ListEntry => {
  const { number, groupId, part, at, ...rest } = entryItem.parse(item);
  const positions = Object.entries(rest).flatMap(([name, given]) => {
    const [word, status] = name.split('#');
    return word === 'at' && status !== undefined ? [{ status, positions: [...places.parse(given)] }] : [];
  });
  return { number, groupId, part, at, positions };
};

/** A list in one of its orders, read strongly consistently from the table. */
export const readerOf = (list: StoredList, order: ListOrder): ListReader => ({
  shelves: async () => (await queryAll(list.table, keys.listNode(list, order, 2, 0).pk)).map(readNode),
  blocks: async (shelf) =>
    (await queryAll(list.table, keys.listNode(list, order, 1, firstBlock(shelf)).pk)).map(readNode),
  entries: async (block) =>
    (await queryAll(list.table, keys.listEntry(list, order, firstEntry(block)).pk)).map(readEntry),
});

interface ListQuery extends SortOrder {
  /** `came` is the time of creation or of the last change, depending on the order. */
  readonly filter: ListFilter;
  readonly page: PageRequest;
}

/** The records on a page of a list, as group and position, and the total number on all pages. */
export const readList = (list: StoredList, query: ListQuery): Promise<ListPage> =>
  readListPage(readerOf(list, query.order), query.filter, query.page, query.descending);

/** The records of a page, and the total number on all pages. */
export interface ReadPage<Doc> {
  readonly docs: readonly Doc[];
  readonly total: number;
}

/** Something changed during every read of a page. Another request may succeed. */
export class ListInUse extends Error {}

/**
 * Reads a page until it is consistent. Counts, members and records are read one after the other, and a record that
 * changes in between may leave the list.
 *
 * @param fits whether a record belongs in the list
 * @throws ListInUse when something changes during every attempt
 */
export const readWholePage = async <Doc>(
  patience: Patience,
  request: PageRequest,
  fits: (doc: Doc) => boolean,
  read: () => Promise<ReadPage<Doc>>,
): Promise<ReadPage<Doc>> => {
  const whole = await retryConflicts(patience, async () => {
    const page = await read();
    const { first, last } = sequenceWindow(request, page.total, false);
    return page.docs.length === Math.max(0, last - first + 1) && page.docs.every(fits) ? page : 'again';
  });
  if (whole === undefined) throw new ListInUse('the list changed during every read of a page');
  return whole;
};
