import type { PaymentMethod } from '../../ports/provider.ts';
import type { RowError } from '../batch.ts';
import type { PlannedPayout, Recipient } from '../chunk.ts';
import { fractionDigits, parseAmount, toMinorUnits } from '../money.ts';
import type { Rail } from '../payout.ts';
import { checkRecipient } from './check-recipient.ts';
import { checkText, cutToLimits, onOneLine } from './check-text.ts';
import type { CurrencyTerms, MethodTerms } from './currency-terms.ts';
import { termsByCurrency } from './currency-terms.ts';
import type { FileRow, Problem } from './fields.ts';

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

/** Safe in a path of the provider and of the operator API without escaping: no slash, no space, never only points. */
const referenceShape = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

/** References made from a batch's id (`b-` and 26 characters, Crockford base 32) and a row. */
const generatedShape = /^(b-)?[0-9A-HJKMNP-TV-Z]{26}-\d+$/i;

/** Words that stand where the provider's paths have a reference: a lookup of one would ask for something else. */
const pathWords: ReadonlySet<string> = new Set(['estimate', 'payment-method', 'report']);

const looksGenerated = (reference: string, batchId: string): boolean =>
  generatedShape.test(reference) ||
  (reference.startsWith(`${batchId}-`) && /^\d+$/.test(reference.slice(batchId.length + 1)));

/** A file's own reference: its characters, and that it cannot be taken for one made for another row. */
const checkReference = ({ reference }: FileRow, batchId: string, problem: Problem): void => {
  if (reference === '') return;
  if (!referenceShape.test(reference)) {
    const message = '"reference" may have letters, digits and . _ : - only, and begins with a letter or digit.';
    problem('reference', 'reference_malformed', message);
  } else if (looksGenerated(reference, batchId) || pathWords.has(reference)) {
    const message = 'The reference has a form that is reserved; give another one, or leave it empty.';
    problem('reference', 'reference_reserved', message);
  }
};

const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Why a text is not an amount, in the words of the file's rules. */
const amountProblem = (text: string): readonly [code: string, message: string] => {
  if (text === '') return ['value_missing', '"amount" is empty.'];
  if (parseAmount(text) !== undefined) return ['amount_zero', 'The amount is zero.'];
  if (text.includes(',')) return ['amount_comma', 'The amount has a comma; write digits and a point, such as 1250.50.'];
  if (/^-\d+(\.\d+)?$/.test(text)) return ['amount_negative', 'The amount is negative.'];
  if (/^[+-]?\d+(\.\d+)?e[+-]?\d+$/i.test(text))
    return ['amount_exponent', 'The amount has an exponent; write all its digits.'];
  return ['amount_not_a_number', 'The amount is not a number; write digits and a point.'];
};

const readAmount = (row: FileRow, problem: Problem): string | undefined => {
  const amount = parseAmount(row.amount);
  if (amount !== undefined && /[1-9]/.test(amount)) return amount;
  problem('amount', ...amountProblem(row.amount));
  return undefined;
};

const currencyProblem = (currency: string, rail: Rail | undefined): readonly [code: string, message: string] => {
  if (currency === '') return ['value_missing', '"currency" is empty.'];
  return rail === undefined
    ? ['currency_unknown', 'The currency is not known; write a code such as IDR, or a token such as usdt-tron.']
    : ['currency_not_offered', `The provider has no payment method for ${currency}.`];
};

const methodOf = (row: FileRow, terms: CurrencyTerms, problem: Problem): MethodTerms | undefined => {
  if (terms.rail === 'crypto' || row.bankCode === '') return terms.any;
  const method = terms.banks.get(row.bankCode);
  if (method === undefined)
    problem('bankCode', 'bank_code_unknown', `The provider has no bank of this code for ${terms.currency}.`);
  return method;
};

/** Amount and method of a row of a known currency; undefined where one of them is not good. */
const judgeAmount = (
  row: FileRow,
  amount: string | undefined,
  terms: CurrencyTerms,
  problem: Problem,
): { readonly amountMinor: bigint; readonly method: MethodTerms } | undefined => {
  const { currency, decimals } = terms;
  const method = methodOf(row, terms, problem);
  if (amount === undefined) return undefined;
  const digits = fractionDigits(amount);
  if (digits > decimals) {
    problem('amount', 'amount_too_many_decimals', `The amount has ${digits} decimals; ${currency} has ${decimals}.`);
    return undefined;
  }
  if (method === undefined) return undefined;
  const amountMinor = toMinorUnits(amount, decimals);
  const verdict = method.judge(amountMinor);
  if (verdict === 'below') {
    const message = `The amount is below ${method.minAmount} ${currency}, the least this payment method takes.`;
    problem('amount', 'amount_below_minimum', message);
  } else if (verdict === 'above') {
    const message = `The amount is above ${method.maxAmount} ${currency}, the most this payment method takes.`;
    problem('amount', 'amount_above_maximum', message);
  }
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

/**
 * Makes the check of one row, with every rule that needs no other row and no lookup. All problems of a row are found at
 * once; messages never carry a recipient's value.
 */
export const rowCheck = (batchId: string, methods: readonly PaymentMethod[]): ((row: FileRow) => CheckedRow) => {
  const lookUp = termsByCurrency(methods);
  return (read) => {
    const problems: RowError[] = [...read.problems];
    const problem: Problem = (column, code, message) => problems.push({ row: read.row, column, code, message });
    // A row that was not read as one has nothing to judge: its values may stand in each other's columns.
    if (problems.some(({ column }) => column === '')) return { kind: 'invalid', row: read.row, errors: problems };
    checkText(read, problem);
    const row = problems.length === 0 ? read : cutToLimits(read);
    checkReference(row, batchId, problem);
    const { rail, terms } = lookUp(row.currency);
    if (terms === undefined) problem('currency', ...currencyProblem(row.currency, rail));
    const recipient = checkRecipient(row, rail, problem);
    const amount = readAmount(row, problem);
    if (row.email !== '' && !emailShape.test(row.email))
      problem('email', 'email_malformed', '"email" is not a mail address.');
    const judged = terms === undefined ? undefined : judgeAmount(row, amount, terms, problem);
    const isValid = problems.length === 0 && terms !== undefined;
    if (!isValid || judged === undefined || recipient === undefined || amount === undefined)
      return { kind: 'invalid', row: row.row, errors: onePerColumn(problems) };
    const { amountMinor, method } = judged;
    return {
      kind: 'valid',
      row: row.row,
      payout: plannedPayout(row, batchId, amount, recipient),
      terms,
      method: method.method,
      amountMinor,
      feeMinor: method.fee(amountMinor),
      ownReference: row.reference !== '',
    };
  };
};
