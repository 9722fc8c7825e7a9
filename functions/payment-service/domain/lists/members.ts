import type { PageRequest } from './page.ts';
import { sequenceWindow } from './page.ts';

/**
 * A member of a list by its entry and its place in the entry's group, as one number that sorts in order of creation. A
 * group has 100 members at most.
 */
export type MemberNumber = number;

const membersOfEntry = 1000;

export const memberNumber = (entryNumber: number, position: number): MemberNumber =>
  entryNumber * membersOfEntry + position;

export const entryOf = (member: MemberNumber): number => Math.floor(member / membersOfEntry);
export const positionOf = (member: MemberNumber): number => member % membersOfEntry;

/** A value that members can have in common, with its name, as `amount=10`. Which names there are is no concern of lists. */
export type ValuePath = `${string}=${string}`;

/** What is known of a member without reading its record: what lists are filtered and sorted by. */
export interface ListLine {
  readonly member: MemberNumber;
  readonly part: string;
  readonly status: string;
  /** Where it is in the order of last changes. */
  readonly changeNumber: number;
}

/** What is undefined does not restrict. */
export interface LineFilter {
  readonly parts?: readonly string[] | undefined;
  readonly status?: string | undefined;
  readonly among?: ReadonlySet<MemberNumber> | undefined;
}

const fitsLine = ({ parts, status, among }: LineFilter, line: ListLine): boolean =>
  (parts === undefined || parts.includes(line.part)) &&
  (status === undefined || line.status === status) &&
  (among === undefined || among.has(line.member));

const byCreation = (a: ListLine, b: ListLine): number => a.member - b.member;
const byLastChange = (a: ListLine, b: ListLine): number =>
  a.changeNumber - b.changeNumber || positionOf(a.member) - positionOf(b.member);

/** The lines that fit, in ascending order. */
export const sortedLines = (
  lines: readonly ListLine[],
  filter: LineFilter,
  order: 'created' | 'changed',
): readonly MemberNumber[] =>
  lines
    .filter((line) => fitsLine(filter, line))
    .sort(order === 'created' ? byCreation : byLastChange)
    .map(({ member }) => member);

/** What all sets have in common. */
export const inAll = <T>([first, ...others]: readonly ReadonlySet<T>[]): ReadonlySet<T> =>
  others.reduce((shared, own) => shared.intersection(own), first ?? new Set());

/** A page of what is given in ascending order. */
export const pageOfMembers = (
  ascending: readonly MemberNumber[],
  page: PageRequest,
  descending: boolean,
): readonly MemberNumber[] => {
  const { first, last } = sequenceWindow(page, ascending.length, descending);
  const own = ascending.slice(first - 1, Math.max(first - 1, last));
  return descending ? own.toReversed() : own;
};
