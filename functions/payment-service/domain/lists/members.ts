import type { ListOrder } from './page.ts';

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

/** Whether a line comes before another: below 0 if so. */
export const compareLines = (order: ListOrder, a: ListLine, b: ListLine): number =>
  order === 'created'
    ? a.member - b.member
    : a.changeNumber - b.changeNumber || positionOf(a.member) - positionOf(b.member);
