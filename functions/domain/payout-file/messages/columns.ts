import type { PayoutField } from '../field-table.ts';
import { fieldTable } from '../field-table.ts';
import { payoutFields } from '../fields.ts';
import { guess } from './guess.ts';

const meantBy: ReadonlyMap<string, PayoutField> = new Map(
  payoutFields.flatMap((field) =>
    (fieldTable[field].otherNames?.split(' ') ?? []).map((name) => [name, field] as const),
  ),
);

/** The column that a name probably means. Undefined when none is close. */
export const columnMeant = (name: string): PayoutField | undefined =>
  meantBy.get(name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')) ?? guess(name, payoutFields);
