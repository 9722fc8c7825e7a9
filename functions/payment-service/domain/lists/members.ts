import type { ListOrder, PageRequest } from './page.ts';
import { sequenceWindow } from './page.ts';
import type { ListFilter } from './tree.ts';

/** A member's entry number and position in one number that sorts by creation. A group has at most 100 members. */
export type MemberNumber = number;

const membersOfEntry = 1000;

export const memberNumber = (entryNumber: number, position: number): MemberNumber =>
  entryNumber * membersOfEntry + position;

export const entryOf = (member: MemberNumber): number => Math.floor(member / membersOfEntry);
export const positionOf = (member: MemberNumber): number => member % membersOfEntry;

/** A named value that members can share, such as `amount=10`. Lists do not know the names. */
export type ValuePath = `${string}=${string}`;

/** A member's data for filtering and sorting, known without reading its record. */
export interface ListLine {
  readonly member: MemberNumber;
  readonly part: string;
  readonly status: string;
  /** Its position in the order of last changes. */
  readonly changeNumber: number;
}

/** Undefined fields do not restrict. */
interface LineFilter extends Pick<ListFilter, 'parts' | 'status'> {
  readonly among?: ReadonlySet<MemberNumber> | undefined;
}

const fitsLine = ({ parts, status, among }: LineFilter, line: ListLine): boolean =>
  (parts === undefined || parts.includes(line.part)) &&
  (status === undefined || line.status === status) &&
  (among === undefined || among.has(line.member));

const byCreation = (a: ListLine, b: ListLine): number => a.member - b.member;
const byLastChange = (a: ListLine, b: ListLine): number =>
  a.changeNumber - b.changeNumber || positionOf(a.member) - positionOf(b.member);

/** The matching members, in ascending order. */
export const sortedLines = (
  lines: readonly ListLine[],
  filter: LineFilter,
  order: ListOrder,
): readonly MemberNumber[] =>
  lines
    .filter((line) => fitsLine(filter, line))
    .sort(order === 'created' ? byCreation : byLastChange)
    .map(({ member }) => member);

/** The elements that all sets share. */
export const inAll = <T>([first, ...others]: readonly ReadonlySet<T>[]): ReadonlySet<T> =>
  others.reduce((shared, own) => shared.intersection(own), first ?? new Set());

/** One page of members that are given in ascending order. */
export const pageOfMembers = (
  ascending: readonly MemberNumber[],
  page: PageRequest,
  descending: boolean,
): readonly MemberNumber[] => {
  const { first, last } = sequenceWindow(page, ascending.length, descending);
  const own = ascending.slice(first - 1, Math.max(first - 1, last));
  return descending ? own.toReversed() : own;
};
