import { byWord } from '../../by-word.ts';
import type { PayoutField } from '../field-table.ts';
import { fieldTable } from '../field-table.ts';
import { payoutFields } from '../fields.ts';
import { didYouMean, guess } from './guess.ts';

const meantBy = byWord(payoutFields.map((field) => [field, fieldTable[field].otherNames ?? '']));

/** Advice about a name that means no column. `meant` is the column that it probably means. */
export const nameAdvice = (meant: PayoutField | undefined): string => {
  if (meant !== undefined) return didYouMean(meant);
  return ` If it is your own, let its name begin with x-. Otherwise remove it, or name it as one of: ${payoutFields.join(', ')}.`;
};

/** The column that a name probably means. Undefined when none is close. */
export const columnMeant = (name: string): PayoutField | undefined =>
  meantBy.get(name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')) ?? guess(name, payoutFields);
