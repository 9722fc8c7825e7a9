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

/** An entry, or a node above entries. */
interface Source {
  /** The number of matching members. */
  readonly count: number;
  /** An entry's matching members. */
  readonly members: readonly ListMember[];
  /** Whether the period begins or ends inside. */
  readonly isCut: boolean;
  /** Reads the children of a node. */
  readonly open?: () => Promise<readonly Source[]>;
}

/** Whether members with this part and status match. */
export const isSelected = (
  { parts, status }: Pick<ListFilter, 'parts' | 'status'>,
  part: string,
  given: string,
): boolean => (parts === undefined || parts.includes(part)) && (status === undefined || status === given);

const entrySource = (filter: ListFilter, { groupId, part, at, positions }: ListEntry): Source => {
  const { from, to } = filter.came ?? { from: at, to: at };
  const places = positions
    .filter(({ status }) => at >= from && at <= to && isSelected(filter, part, status))
    .flatMap((one) => one.positions)
    .toSorted((a, b) => a - b);
  const members = places.map((position) => ({ groupId, position }));
  return { count: members.length, members, isCut: false };
};

const overlaps = (node: ListNode, { from, to }: Period): boolean => node.to >= from && node.from <= to;

const nodeSource = (reader: ListReader, filter: ListFilter, level: NodeLevel, node: ListNode): readonly Source[] => {
  const { from, to } = filter.came ?? node;
  if (!overlaps(node, { from, to })) return [];
  const own = node.counts.filter(({ part, status }) => isSelected(filter, part, status));
  return [
    {
      count: own.reduce((sum, { count }) => sum + count, 0),
      members: [],
      isCut: node.from < from || node.to > to,
      open: async () =>
        level === 1
          ? (await reader.entries(node.index)).map((entry) => entrySource(filter, entry))
          : (await reader.blocks(node.index)).flatMap((block) => nodeSource(reader, filter, 1, block)),
    },
  ];
};

const nodesAtOnce = 10;

/** Replaces some nodes by their children. */
const opened = async (sources: readonly Source[], isOpened: (source: Source) => boolean) => {
  const open = (one: Source) => (isOpened(one) ? one.open?.() : undefined) ?? [one];
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
 * Reads one page of a list of any length. It reads all shelves. Below them it reads only what the page touches,
 * and the nodes that a period cuts: at most two per level.
 */
export const readListPage = async (
  reader: ListReader,
  filter: ListFilter,
  request: PageRequest,
  descending: boolean,
): Promise<ListPage> => {
  let sources = (await reader.shelves()).flatMap((shelf) => nodeSource(reader, filter, 2, shelf));
  for (const _ of nodeLevels) sources = await opened(sources, ({ isCut }) => isCut);
  const total = sources.reduce((sum, one) => sum + one.count, 0);
  const window = sequenceWindow(request, total, descending);
  if (window.last < window.first) return { total, members: [] };
  let { touched, skip } = sourcesOfPage(window, sources);
  const size = window.last - window.first + 1;
  for (const _ of nodeLevels) {
    const below = await opened(touched, () => true);
    ({ touched, skip } = sourcesOfPage({ first: skip + 1, last: skip + size }, below));
  }
  const members = touched.flatMap((one) => one.members).slice(skip, skip + size);
  const distinct = onceEach(members);
  return { total, members: descending ? distinct.toReversed() : distinct };
};

/** The first and the last element, or the only one. */
const ends = <T>(all: readonly T[]): readonly T[] => (all.length < 2 ? all : [...all.slice(0, 1), ...all.slice(-1)]);

/** The first and last number of a period's entries, if it has any. Reads the shelves, and at most two nodes per level. */
export const entriesOfPeriod = async (reader: ListReader, period: Period): Promise<NumberRange | undefined> => {
  const shelves = ends((await reader.shelves()).filter((shelf) => overlaps(shelf, period)));
  const blocks = (await Promise.all(shelves.map(({ index }) => reader.blocks(index)))).flat();
  const outer = ends(blocks.filter((block) => overlaps(block, period)));
  const entries = (await Promise.all(outer.map(({ index }) => reader.entries(index)))).flat();
  const own = entries.filter(({ at }) => at >= period.from && at <= period.to);
  const [first, last] = [own[0], own.at(-1)];
  return first === undefined || last === undefined ? undefined : { first: first.number, last: last.number };
};
