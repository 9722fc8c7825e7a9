import type { PaymentMethod } from '../../ports/provider.ts';
import type { RowError } from '../batch.ts';
import type { PlannedPayout, Recipient } from '../chunk.ts';
import { parseAmount, toMinorUnits } from '../money.ts';
import type { Rail } from '../payout.ts';
import { checkRecipient } from './check-recipient.ts';
import { checkText, cutToLimits, onOneLine } from './check-text.ts';
import type { CurrencyTerms, MethodTerms, TermsLookup } from './currency-terms.ts';
import { termsByCurrency } from './currency-terms.ts';
import type { FileRow, PayoutField } from './fields.ts';
import { checkReference } from './reference.ts';

/** A row that may be paid, with what its currency's plan adds up. */
export interface ValidRow {
  readonly kind: 'valid';
  readonly row: number;
  readonly payout: PlannedPayout;
  readonly terms: CurrencyTerms;
  readonly method: string;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  /** The reference is the file's own, not made from batch and row. */
  readonly ownReference: boolean;
}

export type CheckedRow =
  | ValidRow
  | { readonly kind: 'invalid'; readonly row: number; readonly errors: readonly RowError[] };

const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Why a text is not an amount, in the words of the file's rules. */
const amountProblem = (text: string): { readonly code: string; readonly message: string } => {
  if (text === '') return { code: 'value_missing', message: '"amount" is empty.' };
  if (text.includes(','))
    return { code: 'amount_comma', message: 'The amount has a comma; write digits and a point, such as 1250.50.' };
  if (/^-\d+(\.\d+)?$/.test(text)) return { code: 'amount_negative', message: 'The amount is negative.' };
  if (/^[+-]?\d+(\.\d+)?e[+-]?\d+$/i.test(text))
    return { code: 'amount_exponent', message: 'The amount has an exponent; write all its digits.' };
  return { code: 'amount_not_a_number', message: 'The amount is not a number; write digits and a point.' };
};

const readAmount = (row: FileRow, problems: RowError[]): string | undefined => {
  const amount = parseAmount(row.amount);
  if (amount === undefined) {
    problems.push({ row: row.row, column: 'amount', ...amountProblem(row.amount) });
    return undefined;
  }
  if (/[1-9]/.test(amount)) return amount;
  problems.push({ row: row.row, column: 'amount', code: 'amount_zero', message: 'The amount is zero.' });
  return undefined;
};

const inMinorUnits = (row: FileRow, amount: string, terms: CurrencyTerms, problems: RowError[]): bigint | undefined => {
  const point = amount.indexOf('.');
  const decimals = point < 0 ? 0 : amount.length - point - 1;
  if (decimals <= terms.decimals) return toMinorUnits(amount, terms.decimals);
  const message = `The amount has ${decimals} decimals; ${terms.currency} has ${terms.decimals}.`;
  problems.push({ row: row.row, column: 'amount', code: 'amount_too_many_decimals', message });
  return undefined;
};

const readTerms = (row: FileRow, lookUp: ReturnType<typeof termsByCurrency>, problems: RowError[]): TermsLookup => {
  const found = lookUp(row.currency);
  if (row.currency === '')
    problems.push({ row: row.row, column: 'currency', code: 'value_missing', message: '"currency" is empty.' });
  else if (found.kind === 'unknown') {
    const message = 'The currency is not known; write a code such as IDR, or a token such as usdt-tron.';
    problems.push({ row: row.row, column: 'currency', code: 'currency_unknown', message });
  } else if (found.kind === 'not_offered') {
    const message = `The provider has no payment method for ${row.currency}.`;
    problems.push({ row: row.row, column: 'currency', code: 'currency_not_offered', message });
  }
  return found;
};

const methodOf = (row: FileRow, terms: CurrencyTerms, problems: RowError[]): MethodTerms | undefined => {
  if (terms.rail === 'crypto' || row.bankCode === '') return terms.any;
  const method = terms.banks.get(row.bankCode);
  if (method === undefined)
    problems.push({
      row: row.row,
      column: 'bankCode',
      code: 'bank_code_unknown',
      message: `The provider has no bank of this code for ${terms.currency}.`,
    });
  return method;
};

const checkLimits = (
  row: FileRow,
  currency: string,
  amountMinor: bigint,
  method: MethodTerms,
  problems: RowError[],
): void => {
  switch (method.judge(amountMinor)) {
    case 'within':
      return;
    case 'below': {
      const message = `The amount is below ${method.minAmount} ${currency}, the least this payment method takes.`;
      problems.push({ row: row.row, column: 'amount', code: 'amount_below_minimum', message });
      return;
    }
    case 'above': {
      const message = `The amount is above ${method.maxAmount} ${currency}, the most this payment method takes.`;
      problems.push({ row: row.row, column: 'amount', code: 'amount_above_maximum', message });
      return;
    }
  }
};

const checkEmail = (row: FileRow, problems: RowError[]): void => {
  if (row.email === '' || emailShape.test(row.email)) return;
  const column: PayoutField = 'email';
  problems.push({ row: row.row, column, code: 'email_malformed', message: '"email" is not a mail address.' });
};

/** Amount and method of a row of a known currency; undefined where a problem was added. */
const judgeAmount = (
  row: FileRow,
  amount: string | undefined,
  terms: CurrencyTerms,
  problems: RowError[],
): { readonly amountMinor: bigint; readonly method: MethodTerms } | undefined => {
  const method = methodOf(row, terms, problems);
  const amountMinor = amount === undefined ? undefined : inMinorUnits(row, amount, terms, problems);
  if (method === undefined || amountMinor === undefined) return undefined;
  checkLimits(row, terms.currency, amountMinor, method, problems);
  return { amountMinor, method };
};

const plannedPayout = (row: FileRow, batchId: string, amount: string, recipient: Recipient): PlannedPayout => ({
  row: row.row,
  reference: row.reference === '' ? `${batchId}-${row.row}` : row.reference,
  amount,
  recipient,
  ...(row.name === '' ? undefined : { name: onOneLine(row.name) }),
  ...(row.email === '' ? undefined : { email: row.email }),
  ...(row.note === '' ? undefined : { note: row.note }),
});

/** A field whose text is unreadable needs no second reason: the first of a column is the one to mend. */
const onePerColumn = (problems: readonly RowError[]): readonly RowError[] => {
  const seen = new Set<string>();
  return problems.filter(({ column }) => column === '' || (!seen.has(column) && seen.add(column)));
};

const railOfTerms = (found: TermsLookup): Rail | undefined => {
  switch (found.kind) {
    case 'known':
      return found.terms.rail;
    case 'not_offered':
      return found.rail;
    case 'unknown':
      return undefined;
  }
};

/**
 * Makes the check of one row, with every rule that needs no other row and no lookup. All problems of a row are found at
 * once; messages never carry a recipient's value.
 */
export const rowCheck = (batchId: string, methods: readonly PaymentMethod[]): ((row: FileRow) => CheckedRow) => {
  const lookUp = termsByCurrency(methods);
  return (read) => {
    const problems: RowError[] = [...read.problems];
    // A row that was not read as one has nothing to judge: its values may stand in each other's columns.
    if (problems.some((problem) => problem.column === '')) return { kind: 'invalid', row: read.row, errors: problems };
    checkText(read, problems);
    const row = problems.length === 0 ? read : cutToLimits(read);
    checkReference(row, batchId, problems);
    const found = readTerms(row, lookUp, problems);
    const recipient = checkRecipient(row, railOfTerms(found), problems);
    const amount = readAmount(row, problems);
    checkEmail(row, problems);
    const judged = found.kind === 'known' ? judgeAmount(row, amount, found.terms, problems) : undefined;
    const isValid = problems.length === 0 && found.kind === 'known';
    if (!isValid || judged === undefined || recipient === undefined || amount === undefined)
      return { kind: 'invalid', row: row.row, errors: onePerColumn(problems) };
    return {
      kind: 'valid',
      row: row.row,
      payout: plannedPayout(row, batchId, amount, recipient),
      terms: found.terms,
      method: judged.method.method,
      amountMinor: judged.amountMinor,
      feeMinor: judged.method.fee(judged.amountMinor),
      ownReference: row.reference !== '',
    };
  };
};
