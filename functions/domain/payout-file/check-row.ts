import type { PaymentMethod } from '../../ports/provider.ts';
import type { PlannedPayout, Recipient } from '../batch/chunk-file.ts';
import type { RowError } from '../batch/plan.ts';
import type { RowSummary } from '../batch/skipped-rows.ts';
import { given } from '../given.ts';
import { currencyCode } from '../money/currency.ts';
import { fractionDigits, parseAmount, toMinorUnits } from '../money/decimal.ts';
import { isTooLong, ownReferenceLimit } from '../payout/retries.ts';
import { checkRecipient } from './check-recipient.ts';
import { checkText, cutToLimits, onOneLine } from './check-text.ts';
import type { CurrencyTerms } from './currency-terms.ts';
import { payableRail, termsByCurrency } from './currency-terms.ts';
import { givenExtras } from './extra-columns.ts';
import { fieldTable } from './field-table.ts';
import type { FileRow, Problem } from './fields.ts';
import { shownName } from './fields.ts';
import { emailProblem, referenceProblem } from './messages/account.ts';
import { amountProblem, tooManyDecimals } from './messages/amount.ts';
import { bankCodeProblem, currencyProblem, twoBanksProblem } from './messages/codes.ts';
import { shownAmount } from './messages/shown-value.ts';

export type CheckedRow = ReturnType<ReturnType<typeof rowCheck>>;

/** A row that may be paid, with the sums that the plan adds up by currency. */
export type ValidRow = Extract<CheckedRow, { readonly kind: 'valid' }>;

/** Summary of a row without any sound value, and of an error of the whole file. */
export const emptySummary: RowSummary = { reference: '', currency: '', amount: '' };

/** Safe unescaped in paths of the provider and of the operator API: no slash, no space, never only points. */
export const referenceShape = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

/** References made from a batch's id (`b-` and 26 characters in Crockford base 32) and a row. */
const generatedShape = /^(b-)?[0-9A-HJKMNP-TV-Z]{26}-\d+$/i;

/** The shortest such reference. Length is tested first, because most references are shorter. */
const generatedLength = 28;

/** Words that the provider's paths use where a reference may come: looking one up would call another endpoint. */
const pathWord = /^(cancel|crypto|estimate|fiat|payment-method|report)$/i;

const looksGenerated = (reference: string, ownPrefix: string): boolean =>
  (reference.length >= generatedLength && generatedShape.test(reference)) ||
  (reference.startsWith(ownPrefix) && /^\d+$/.test(reference.slice(ownPrefix.length)));

/**
 * Checks the characters of the file's own reference, and that it cannot equal one made for another row.
 *
 * @param ownPrefix prefix of the references made for this batch
 */
const checkReference = ({ reference }: FileRow, ownPrefix: string, problem: Problem): void => {
  if (reference === '') return;
  if (isTooLong(reference) && reference.length <= fieldTable.reference.most)
    problem('reference', 'value_too_long', `"reference" has more than ${ownReferenceLimit} characters.`);
  if (!referenceShape.test(reference)) {
    problem('reference', 'reference_malformed', referenceProblem(reference));
  } else if (looksGenerated(reference, ownPrefix) || pathWord.test(reference)) {
    const message = 'The reference has a reserved form. Write another one, or leave it empty.';
    problem('reference', 'reference_reserved', message);
  }
};

const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const readAmount = (row: FileRow, terms: CurrencyTerms | undefined, problem: Problem): string | undefined => {
  const amount = parseAmount(row.amount);
  if (amount !== undefined && /[1-9]/.test(amount)) return amount;
  problem('amount', ...amountProblem(row.amount, terms?.decimals));
  return undefined;
};

const methodNamed = (method: string): string => (method === 'recipientId' ? 'any bank' : method);

/**
 * Checks the amount against its method. Returns what the plan adds up; undefined when the amount or the method is
 * invalid.
 */
const judgeAmount = (row: FileRow, amount: string | undefined, terms: CurrencyTerms, problem: Problem) => {
  const { rail, currency, decimals } = terms;
  const hasBank = rail === 'fiat' && row.bankCode !== '';
  const method = hasBank ? terms.banks.get(row.bankCode) : terms.any;
  if (method === undefined) problem('bankCode', 'bank_code_unknown', bankCodeProblem(row.bankCode, terms));
  const twoBanks = hasBank ? terms.twoBanks(row.bankCode, row.bankName) : undefined;
  if (twoBanks !== undefined) problem('bankName', 'bank_name_of_another', twoBanksProblem(twoBanks));
  if (amount === undefined) return undefined;
  const digits = fractionDigits(amount);
  if (digits > decimals) problem('amount', 'amount_too_many_decimals', tooManyDecimals(amount, currency, decimals));
  if (digits > decimals || method === undefined) return undefined;
  const amountMinor = toMinorUnits(amount, decimals);
  if (amountMinor < method.least) {
    const what = shownAmount(amount) ?? 'The amount';
    const message = `${what} is below ${method.minAmount.amount} ${currency}, the least that ${methodNamed(method.method)} takes.`;
    problem('amount', 'amount_below_minimum', message);
  }
  if (amountMinor > method.most) {
    // Not shown: so many digits may be an account number.
    const message = `The amount is above ${method.maxAmount.amount} ${currency}, the most that ${methodNamed(method.method)} takes.`;
    problem('amount', 'amount_above_maximum', message);
  }
  return { terms, method: method.method, amountMinor, feeMinor: method.fee(amountMinor) };
};

/** Fields are added one by one: a spread or a loop costs too much for a million rows. A test finds a field that is left out. */
const plannedPayout = (row: FileRow, ownPrefix: string, amount: string, recipient: Recipient): PlannedPayout => {
  const reference = row.reference === '' ? `${ownPrefix}${row.row}` : row.reference;
  const payout: { -readonly [Field in keyof PlannedPayout]: PlannedPayout[Field] } = {
    row: row.row,
    reference,
    amount,
    recipient,
  };
  if (row.name !== '') payout.name = onOneLine(row, 'name');
  if (row.email !== '') payout.email = onOneLine(row, 'email');
  if (row.note !== '') payout.note = onOneLine(row, 'note');
  const extras = givenExtras(row.extras);
  if (extras !== undefined) payout.extras = extras;
  return payout;
};

/** The row with its currency as the provider spells it. Everything after reading uses that code. */
const withCode = (row: FileRow, offered: ReadonlyMap<string, unknown>): FileRow => {
  if (offered.has(row.currency)) return row;
  const currency = currencyCode(row.currency);
  return currency === row.currency ? row : { ...row, currency };
};

/** The values of an invalid row that have no problem, for its reports. */
const summaryOf = (
  row: FileRow,
  problems: readonly RowError[],
  terms: CurrencyTerms | undefined,
  amount = '',
): RowSummary => {
  if (terms === undefined) return emptySummary;
  const isSound = (column: string): boolean => problems.every((other) => other.column !== column);
  const sound = (column: string, value: string): string => (isSound(column) ? value : '');
  const extras = Object.entries(row.extras).filter(([name]) => isSound(shownName(name)));
  return {
    reference: sound('reference', row.reference),
    currency: sound('currency', row.currency),
    amount: sound('amount', amount),
    ...given({ extras: givenExtras(Object.fromEntries(extras)) }),
  };
};

/**
 * Applies every rule that needs neither another row nor a lookup. Finds the first problem of each column of a row; no
 * message contains a recipient's value.
 */
export const rowCheck = (batchId: string, methods: readonly PaymentMethod[]) => {
  const termsOf = termsByCurrency(methods);
  const offered = [...termsOf.keys()];
  const ownPrefix = `${batchId}-`;
  // All rows share the list and the function, because one of each per row would be slow for a million.
  let number = 0;
  let problems: RowError[] = [];
  // Only the first problem of a column is kept: a field with unreadable text needs no second reason.
  const problem: Problem = (column, code, message) => {
    const isFirst = column === '' || problems.every((other) => other.column !== column);
    if (isFirst) problems.push({ row: number, column, code, message });
  };
  return (read: FileRow) => {
    // A row that could not be parsed is not checked: its values may be in the wrong columns.
    if (read.problems.some(({ column }) => column === ''))
      return { kind: 'invalid', row: read.row, line: read.line, errors: read.problems, summary: emptySummary } as const;
    number = read.row;
    if (problems.length > 0) problems = [];
    for (const { column, code, message } of read.problems) problem(column, code, message);
    checkText(read, problem);
    const row = withCode(problems.length === 0 ? read : cutToLimits(read), termsOf);
    checkReference(row, ownPrefix, problem);
    const terms = termsOf.get(row.currency);
    const rail = terms?.rail ?? payableRail(row.currency);
    if (terms === undefined) problem('currency', ...currencyProblem(row.currency, rail !== undefined, offered));
    const recipient = checkRecipient(row, rail, problem);
    const amount = readAmount(row, terms, problem);
    if (row.email !== '' && !emailShape.test(row.email)) problem('email', 'email_malformed', emailProblem(row.email));
    const judged = terms === undefined ? undefined : judgeAmount(row, amount, terms, problem);
    if (problems.length > 0 || judged === undefined || recipient === undefined || amount === undefined) {
      // Only an amount that passed `judgeAmount` was compared with its method's limits.
      const summary = summaryOf(row, problems, terms, judged && amount);
      return { kind: 'invalid', row: row.row, line: row.line, errors: problems, summary } as const;
    }
    return {
      kind: 'valid',
      row: row.row,
      line: row.line,
      payout: plannedPayout(row, ownPrefix, amount, recipient),
      terms: judged.terms,
      method: judged.method,
      amountMinor: judged.amountMinor,
      feeMinor: judged.feeMinor,
      /** True when the file gives the reference; false when it is made from the batch and the row. */
      ownReference: row.reference !== '',
    } as const;
  };
};
