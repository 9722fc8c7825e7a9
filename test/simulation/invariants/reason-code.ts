import type { Item } from '../../support/memory-table/expressions.ts';

/** The code of an item's reason, if it has one. */
export const reasonCode = ({ reason }: Item): string | undefined =>
  typeof reason === 'object' && reason !== null && 'code' in reason ? String(reason.code) : undefined;
