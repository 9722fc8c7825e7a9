import type { MemberNumber, ValuePath } from '../../domain/lists/members.ts';
import { compareLines, entryOf, positionOf } from '../../domain/lists/members.ts';
import type { NumberRange, PageRequest, SortOrder } from '../../domain/lists/page.ts';
import { cutPage } from '../../domain/lists/page.ts';
import type { ListFilter, ListPage, Period } from '../../domain/lists/tree.ts';
import { entriesOfPeriod, isSelected } from '../../domain/lists/tree.ts';
import { keys } from '../keys.ts';
import { getAll } from '../many-items.ts';
import type { StoredList } from './list-changes.ts';
import { readListCount } from './list-changes.ts';
import { readLines } from './list-lines.ts';
import { readValue } from './list-values.ts';
import { readEntry, readerOf } from './read-list.ts';

interface ListSearch extends SortOrder, Pick<ListFilter, 'parts' | 'status'> {
  readonly values: readonly ValuePath[];
  readonly created?: Period | undefined;
  readonly page: PageRequest;
}

const searchedEntries = async (list: StoredList, created: Period | undefined): Promise<NumberRange | undefined> => {
  if (created !== undefined) return await entriesOfPeriod(readerOf(list, 'created'), created);
  const { created: last } = await readListCount(list);
  return last === 0 ? undefined : { first: 1, last };
};

/** All members that match, ascending. */
const searched = async (
  list: StoredList,
  run: NumberRange,
  { values, order, ...filter }: ListSearch,
): Promise<readonly MemberNumber[]> => {
  const isWithin = (member: MemberNumber): boolean => entryOf(member) >= run.first && entryOf(member) <= run.last;
  const [first, ...others] = await Promise.all(values.map((path) => readValue(list, path, run)));
  const among = first && others.reduce((shared, own) => shared.intersection(own), first);
  if (among !== undefined && filter.parts === undefined && filter.status === undefined && order === 'created')
    return [...among].filter(isWithin).sort((a, b) => a - b);
  if (among?.size === 0) return [];
  return (await readLines(list, run))
    .filter(({ member, part, status }) => isWithin(member) && isSelected(filter, part, status))
    .filter(({ member }) => among === undefined || among.has(member))
    .sort((a, b) => compareLines(order, a, b))
    .map(({ member }) => member);
};

/**
 * A page that the counts cannot find: members that share values, or that were created in a period and are sorted by
 * their last change. It reads numbers and short lines, never records: about ten requests for 100,000 members.
 */
export const searchList = async (list: StoredList, search: ListSearch): Promise<ListPage> => {
  const run = await searchedEntries(list, search.created);
  if (run === undefined) return { total: 0, members: [] };
  const all = await searched(list, run, search);
  const page = cutPage(search.descending ? all.toReversed() : all, search.page);
  const wanted = [...new Set(page.map(entryOf))].map((number) => keys.listEntry(list, 'created', number));
  const entries = (await getAll(list, wanted)).map(readEntry);
  const groups = new Map(entries.map(({ number, groupId }) => [number, groupId]));
  const members = page.flatMap((member) => {
    const groupId = groups.get(entryOf(member));
    return groupId === undefined ? [] : [{ groupId, position: positionOf(member) }];
  });
  return { total: all.length, members };
};
