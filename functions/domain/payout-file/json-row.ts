import type { RowError } from '../batch.ts';
import type { FileRow, PayoutField } from './fields.ts';
import { fieldNamed, noProblems, payoutFields, shownName } from './fields.ts';

/** A value of a JSON object: numbers by their source text, so that no digit is lost. */
export type JsonValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'null' }
  /** true, false, an object or an array. */
  | { readonly kind: 'other' };

const readValue = (row: number, field: PayoutField, value: JsonValue, problems: RowError[]): string => {
  switch (value.kind) {
    case 'text':
      return value.text.trim();
    case 'null':
      return '';
    case 'number':
      if (field === 'amount') return value.text;
      problems.push({
        row,
        column: field,
        code: 'number_not_text',
        message: `"${field}" must be text in quotes: a number loses leading zeros.`,
      });
      return '';
    case 'other':
      problems.push({ row, column: field, code: 'value_not_text', message: `"${field}" must be text.` });
      return '';
  }
};

/** The row of a JSON object's keys and values. */
export const jsonRow = (
  row: number,
  entries: readonly (readonly [key: string, value: JsonValue])[],
  found: readonly RowError[],
): FileRow => {
  const problems: RowError[] = [...found];
  const values = new Map<PayoutField, string>();
  for (const [key, value] of entries) {
    const field = fieldNamed(key);
    const shown = shownName(key);
    if (field === undefined)
      problems.push({
        row,
        column: shown,
        code: 'field_unknown',
        message: `"${shown}" is not one of: ${payoutFields.join(', ')}.`,
      });
    else if (values.has(field))
      problems.push({ row, column: field, code: 'field_repeated', message: `"${field}" stands in the object twice.` });
    else values.set(field, readValue(row, field, value, problems));
  }
  const text = (field: PayoutField): string => values.get(field) ?? '';
  return {
    row,
    reference: text('reference'),
    amount: text('amount'),
    currency: text('currency'),
    recipientId: text('recipientId'),
    bankCode: text('bankCode'),
    bankName: text('bankName'),
    accountNumber: text('accountNumber'),
    accountName: text('accountName'),
    walletAddress: text('walletAddress'),
    name: text('name'),
    email: text('email'),
    note: text('note'),
    problems: problems.length === 0 ? noProblems : problems,
  };
};
