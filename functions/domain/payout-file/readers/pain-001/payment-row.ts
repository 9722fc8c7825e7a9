import type { RowError } from '../../../batch/plan.ts';
import { referenceShape } from '../../check-row.ts';
import type { PayoutField } from '../../field-table.ts';
import type { FileRow } from '../../fields.ts';
import { fileRow } from '../../fields.ts';
import { payoutAmount } from './decimals.ts';
import type { TextName } from './schema.ts';

export interface RowOptions {
  /** The provider's bank codes by BIC: eight characters for all branches, or eleven for one. */
  readonly bankCodesByBic: ReadonlyMap<string, string>;
}

/** The payer's way to say "none" in a required element. */
const notProvided = 'NOTPROVIDED';

/**
 * Makes a transaction's row, by the table in PAIN-001.md. Adds only the problems that the row's fields cannot show.
 *
 * @param texts values of the transaction's elements
 * @param method PmtMtd of its payment
 */
export const paymentRow = (
  row: number,
  line: number,
  texts: ReadonlyMap<TextName, string>,
  method: string,
  { bankCodesByBic }: RowOptions,
): FileRow => {
  const problems: RowError[] = [];
  const problem = (column: PayoutField | '', code: string, message: string) =>
    problems.push({ row, column, code, message });
  const textOf = (name: TextName): string => texts.get(name)?.trim() ?? '';

  if (method === 'CHK') problem('', 'check_not_offered', 'PmtMtd is CHK: no check is sent. Use TRF.');
  if (texts.has('equivalentAmount')) {
    const message = 'EqvtAmt has no amount in the currency that is paid. Give InstdAmt.';
    problem('amount', 'amount_not_instructed', message);
  }
  const currency = textOf('currency');
  const isProvided = textOf('endToEndId') !== notProvided;
  const reference = textOf(isProvided ? 'endToEndId' : 'instructionId');
  if (reference !== '' && !referenceShape.test(reference)) {
    const element = isProvided ? 'EndToEndId' : 'InstrId';
    const message = `${element} is the reference: it may have letters, digits and . _ : - only, and begins with a letter or digit.`;
    problem('reference', 'reference_malformed', message);
  }
  const bic = textOf('bic');
  const ownCode = textOf('memberId') || textOf('bankId');
  const bankCode = ownCode || (bankCodesByBic.get(bic) ?? bankCodesByBic.get(bic.slice(0, 8)) ?? '');
  if (bankCode === '' && bic !== '') {
    const message = `The bank is named by its BIC alone, and the setting bankCodesByBic does not have ${bic}. Give its code in ClrSysMmbId/MmbId.`;
    problem('bankCode', 'bank_code_unknown', message);
  }
  const values: Partial<Record<PayoutField, string>> = {
    reference,
    amount: payoutAmount(textOf('amount'), currency),
    currency,
    bankCode,
    bankName: textOf('bankName') || bankCode || bic,
    accountNumber: textOf('accountId') || textOf('iban'),
    accountName: textOf('accountName') || textOf('name'),
    name: textOf('name'),
    email: textOf('email'),
    note: textOf('note'),
  };
  return fileRow(row, line, (field) => values[field] ?? '', problems);
};
