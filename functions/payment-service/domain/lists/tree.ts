import type { PageRequest } from './page.ts';
import { sequenceWindow, sourcesOfPage } from './page.ts';

/**
 * A list of any length, read in pages without reading all of it. Its entries are numbered from 1 as they come. Every
 * hundred entries share a block, and every hundred blocks a shelf, which know how many members are below them by part
 * and status. So a page reads the shelves, the blocks of the shelves it touches, and the entries of those blocks.
 */

/** Children of a node. */
const fanOut = 100;

/** 1 is a block of entries, 2 a shelf of blocks. */
export const nodeLevels = [1, 2] as const;
export type NodeLevel = (typeof nodeLevels)[number];

/** In which node of a level an entry is, from 0. */
export const nodeIndex = (level: NodeLevel, entryNumber: number): number =>
  Math.floor((entryNumber - 1) / fanOut ** level);

/** On which shelf a block is, from 0. */
export const parentIndex = (block: number): number => Math.floor(block / fanOut);

/** The number of a block's first entry. */
export const firstEntry = (block: number): number => block * fanOut + 1;

/** The index of a shelf's first block. */
export const firstBlock = (shelf: number): number => shelf * fanOut;

export interface MemberCount {
  readonly part: string;
  readonly status: string;
  readonly count: number;
}

export interface ListNode {
  readonly index: number;
  /** When its first and its last entry came, ISO 8601 UTC. */
  readonly from: string;
  readonly to: string;
  readonly counts: readonly MemberCount[];
}

/** What came into the list at once: members of one group that share a part. Members can leave, and change status. */
export interface ListEntry {
  readonly number: number;
  readonly groupId: string;
  readonly part: string;
  readonly at: string;
  /** Places in the group, by status. */
  readonly positions: readonly { readonly status: string; readonly positions: readonly number[] }[];
}

export interface ListMember {
  readonly groupId: string;
  readonly position: number;
}

export interface Period {
  /** ISO 8601 UTC, both ends included. */
  readonly from: string;
  readonly to: string;
}

/** Which members a page is of. What is undefined does not restrict. */
export interface ListFilter {
  readonly parts?: readonly string[] | undefined;
  readonly status?: string | undefined;
  /** When they came into the list. */
  readonly came?: Period | undefined;
}

/** Reads what is below one node of a list, in order. */
export interface ListReader {
  readonly shelves: () => Promise<readonly ListNode[]>;
  readonly blocks: (shelf: number) => Promise<readonly ListNode[]>;
  readonly entries: (block: number) => Promise<readonly ListEntry[]>;
}

export interface ListPage {
  readonly members: readonly ListMember[];
  readonly total: number;
}

type Source =
  | { readonly level: NodeLevel; readonly node: ListNode; readonly count: number; readonly isCut: boolean }
  | { readonly level: 0; readonly entry: ListEntry; readonly count: number };

const hasPart = ({ parts }: ListFilter, part: string): boolean => parts === undefined || parts.includes(part);
const hasStatus = ({ status }: ListFilter, given: string): boolean => status === undefined || status === given;

const nodeSource = (filter: ListFilter, level: NodeLevel, node: ListNode): readonly Source[] => {
  const { came } = filter;
  if (came !== undefined && (node.to < came.from || node.from > came.to)) return [];
  const isCut = came !== undefined && (node.from < came.from || node.to > came.to);
  const count = node.counts
    .filter(({ part, status }) => hasPart(filter, part) && hasStatus(filter, status))
    .reduce((total, one) => total + one.count, 0);
  return [{ level, node, count, isCut }];
};

/** The places of an entry's members that fit. */
const fittingPlaces = (filter: ListFilter, { part, at, positions }: ListEntry): readonly number[] => {
  const { came } = filter;
  if (!hasPart(filter, part) || (came !== undefined && (at < came.from || at > came.to))) return [];
  return positions
    .filter(({ status }) => hasStatus(filter, status))
    .flatMap((one) => one.positions)
    .toSorted((a, b) => a - b);
};

const entrySource = (filter: ListFilter, entry: ListEntry): Source => ({
  level: 0,
  entry,
  count: fittingPlaces(filter, entry).length,
});

const nodesAtOnce = 10;

const childrenOf = async (
  reader: ListReader,
  filter: ListFilter,
  level: NodeLevel,
  index: number,
): Promise<readonly Source[]> =>
  level === 1
    ? (await reader.entries(index)).map((entry) => entrySource(filter, entry))
    : (await reader.blocks(index)).flatMap((node) => nodeSource(filter, 1, node));

/** Puts, in place of some nodes of a level, what is below them. */
const opened = async (
  reader: ListReader,
  filter: ListFilter,
  level: NodeLevel,
  sources: readonly Source[],
  isOpened: (source: Source) => boolean,
): Promise<readonly Source[]> => {
  const open = (one: Source): Promise<readonly Source[]> | readonly Source[] =>
    one.level === level && isOpened(one) ? childrenOf(reader, filter, level, one.node.index) : [one];
  const below: Source[] = [];
  for (let start = 0; start < sources.length; start += nodesAtOnce) {
    below.push(...(await Promise.all(sources.slice(start, start + nodesAtOnce).map(open))).flat());
  }
  return below;
};

/** A member that moves to another entry while they are read is met in both. */
const onceEach = (members: readonly ListMember[]): readonly ListMember[] => [
  ...new Map(members.map((member) => [`${member.groupId} ${member.position}`, member])).values(),
];

/**
 * Reads one page. However long the list is, that takes its shelves, and of blocks and entries only those below what the
 * page touches, or below what a period of time cuts: two a level.
 */
export const readListPage = async (
  reader: ListReader,
  filter: ListFilter,
  request: PageRequest,
  descending: boolean,
): Promise<ListPage> => {
  const shelves = await reader.shelves();
  let sources = shelves.flatMap((node) => nodeSource(filter, 2, node));
  const isCut = (one: Source): boolean => one.level !== 0 && one.isCut;
  sources = [...(await opened(reader, filter, 2, sources, isCut))];
  sources = [...(await opened(reader, filter, 1, sources, isCut))];
  const total = sources.reduce((sum, one) => sum + one.count, 0);
  const window = sequenceWindow(request, total, descending);
  if (window.last < window.first) return { total, members: [] };
  let { touched, skip } = sourcesOfPage(window, sources, ({ count }) => count);
  const size = window.last - window.first + 1;
  for (const level of [2, 1] as const) {
    const below = await opened(reader, filter, level, touched, () => true);
    ({ touched, skip } = sourcesOfPage({ first: skip + 1, last: skip + size }, below, ({ count }) => count));
  }
  const members = touched
    .flatMap((one) =>
      one.level === 0
        ? fittingPlaces(filter, one.entry).map((position) => ({ groupId: one.entry.groupId, position }))
        : [],
    )
    .slice(skip, skip + size);
  const distinct = onceEach(members);
  return { total, members: descending ? distinct.toReversed() : distinct };
};

const overlaps =
  (period: Period) =>
  ({ from, to }: ListNode): boolean =>
    to >= period.from && from <= period.to;

/** The first and the last, or the only one. */
const ends = <T>(all: readonly T[]): readonly T[] => (all.length < 2 ? all : [...all.slice(0, 1), ...all.slice(-1)]);

/** Which entries came in a period, as first and last number. Reads the shelves, and two nodes a level at most. */
export const entriesOfPeriod = async (
  reader: ListReader,
  period: Period,
): Promise<{ readonly first: number; readonly last: number } | undefined> => {
  const shelves = ends((await reader.shelves()).filter(overlaps(period)));
  const blocks = (await Promise.all(shelves.map(({ index }) => reader.blocks(index)))).flat();
  const outer = ends(blocks.filter(overlaps(period)));
  const entries = (await Promise.all(outer.map(({ index }) => reader.entries(index)))).flat();
  const own = entries.filter(({ at }) => at >= period.from && at <= period.to);
  const [first, last] = [own[0], own.at(-1)];
  return first === undefined || last === undefined ? undefined : { first: first.number, last: last.number };
};
