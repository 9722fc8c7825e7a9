/** A disbursement's id is made of its group's id and its position there. So finding one by id needs no index. */
const groupPattern = /^grp_([0-9a-f]{24})$/;
const disbursementPattern = /^dsb_([0-9a-f]{24})([0-9]{3})$/;

/** @param random 24 hexadecimal digits */
export const groupIdFrom = (random: string): string => `grp_${random}`;

export const disbursementIdAt = (groupId: string, position: number): string => {
  const random = groupPattern.exec(groupId)?.[1];
  if (random === undefined || position < 0 || position > 999) throw new Error('not a position in a group');
  return `dsb_${random}${position.toString().padStart(3, '0')}`;
};

/** A disbursement's group and its position there, from 0. Undefined for text that is no such id: a reference. */
export const placeOf = (disbursementId: string) => {
  const [, random, position] = disbursementPattern.exec(disbursementId) ?? [];
  if (random === undefined || position === undefined) return undefined;
  return { groupId: groupIdFrom(random), position: Number.parseInt(position, 10) };
};
