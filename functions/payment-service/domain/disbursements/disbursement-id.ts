/** A disbursement's id is made of its group's id and its position there. So finding one by id needs no index. */
const groupPattern = /^grp_([0-9a-f]{24})$/;
const disbursementPattern = /^dsb_([0-9a-f]{24})([0-9]{3})$/;

interface DisbursementPlace {
  readonly groupId: string;
  /** From 0. */
  readonly position: number;
}

/** @param random 24 hexadecimal digits */
export const groupIdFrom = (random: string): string => `grp_${random}`;

export const disbursementIdAt = (groupId: string, position: number): string => {
  const random = groupPattern.exec(groupId)?.[1];
  if (random === undefined || position < 0 || position > 999) throw new Error('not a position in a group');
  return `dsb_${random}${position.toString().padStart(3, '0')}`;
};

/** Undefined for text that is not a disbursement id, such as a reference. */
export const placeOf = (disbursementId: string): DisbursementPlace | undefined => {
  const parts = disbursementPattern.exec(disbursementId);
  const [, random, position] = parts ?? [];
  if (random === undefined || position === undefined) return undefined;
  return { groupId: groupIdFrom(random), position: Number.parseInt(position, 10) };
};
