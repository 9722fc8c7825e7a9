import type { NumberRange, PageRequest } from './page.ts';
import { sequenceWindow, sourcesOfPage } from './page.ts';

/**
 * A list of any length, read page by page without reading all of it. Its entries are numbered from 1 in order of
 * arrival. Every hundred entries share a block, and every hundred blocks share a shelf. Blocks and shelves count the
 * members below them by part and status. So a page reads the shelves, the blocks of the shelves it touches, and the
 * entries of those blocks.
 */

/** The maximum number of children per node. */
const fanOut = 100;

/** 1 is a block of entries, 2 a shelf of blocks. */
export const nodeLevels = [1, 2] as const;
export type NodeLevel = (typeof nodeLevels)[number];

/** The node of a level that contains an entry, from 0. */
export const nodeIndex = (level: NodeLevel, entryNumber: number): number =>
  Math.floor((entryNumber - 1) / fanOut ** level);

/** The shelf that contains a block, from 0. */
export const parentIndex = (block: number): number => Math.floor(block / fanOut);

/** The number of a block's first entry. */
export const firstEntry = (block: number): number => block * fanOut + 1;

/** The index of a shelf's first block. */
export const firstBlock = (shelf: number): number => shelf * fanOut;

export interface ListNode {
  readonly index: number;
  /** When its first and its last entry arrived, in ISO 8601 UTC. */
  readonly from: string;
  readonly to: string;
  readonly counts: readonly { readonly part: string; readonly status: string; readonly count: number }[];
}

/**
 * Members of one group that share a part and entered the list together. A member can later change status, or move to
 * another entry.
 */
export interface ListEntry {
  readonly number: number;
  readonly groupId: string;
  readonly part: string;
  readonly at: string;
  /** Positions in the group, by status. */
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

/** Selects the members to page through. Undefined fields do not restrict. */
export interface ListFilter {
  readonly parts?: readonly string[] | undefined;
  readonly status?: string | undefined;
  /** When they entered the list. */
  readonly came?: Period | undefined;
}

/** Reads the children of a node, in order. */
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

/** The positions of an entry's matching members. */
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

/** Replaces some nodes of a level by their children. */
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

/** A member that moves to another entry during the read appears in both. */
const onceEach = (members: readonly ListMember[]): readonly ListMember[] => [
  ...new Map(members.map((member) => [`${member.groupId} ${member.position}`, member])).values(),
];

/**
 * Reads one page of a list of any length. It reads all shelves. It reads blocks and entries only below the nodes that
 * the page touches or a period cuts, which is at most two per level.
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

/** The first and the last element, or the only one. */
const ends = <T>(all: readonly T[]): readonly T[] => (all.length < 2 ? all : [...all.slice(0, 1), ...all.slice(-1)]);

/** The first and last number of a period's entries. Reads the shelves, and at most two nodes per level. */
export const entriesOfPeriod = async (reader: ListReader, period: Period): Promise<NumberRange | undefined> => {
  const shelves = ends((await reader.shelves()).filter(overlaps(period)));
  const blocks = (await Promise.all(shelves.map(({ index }) => reader.blocks(index)))).flat();
  const outer = ends(blocks.filter(overlaps(period)));
  const entries = (await Promise.all(outer.map(({ index }) => reader.entries(index)))).flat();
  const own = entries.filter(({ at }) => at >= period.from && at <= period.to);
  const [first, last] = [own[0], own.at(-1)];
  return first === undefined || last === undefined ? undefined : { first: first.number, last: last.number };
};
