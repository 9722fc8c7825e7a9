import type { RowError } from '../batch.ts';
import type { Recipient } from '../chunk.ts';
import type { Rail } from '../payout.ts';
import { onOneLine } from './check-text.ts';
import type { FileRow, PayoutField } from './fields.ts';
import { bankFields } from './fields.ts';

/** No spaces, nothing outside ASCII: ids of the provider are handed on as they are. */
const recipientIdShape = /^[\x21-\x7e]+$/;
/** Account numbers and IBANs without spaces; some banks print hyphens. A point or plus is a spreadsheet's 1.2E+11. */
const accountNumberShape = /^[A-Za-z0-9][A-Za-z0-9-]*$/;
/** Sane characters and length only: whether an address exists is the network's business. */
const walletAddressShape = /^[A-Za-z0-9][A-Za-z0-9:._-]{9,}$/;

const shapes = {
  recipientId: { shape: recipientIdShape, says: 'may have no spaces and only plain characters' },
  accountNumber: { shape: accountNumberShape, says: 'may have letters, digits and hyphens only' },
  walletAddress: { shape: walletAddressShape, says: 'must have at least 10 letters, digits or : . _ -, and no spaces' },
} as const;

const checkShape = (row: FileRow, column: keyof typeof shapes, problems: RowError[]): void => {
  const value = row[column];
  if (value === '' || shapes[column].shape.test(value)) return;
  problems.push({
    row: row.row,
    column,
    code: 'value_malformed',
    message: `"${column}" ${shapes[column].says}.`,
  });
};

const wrongRail = (row: FileRow, column: PayoutField, message: string): RowError => ({
  row: row.row,
  column,
  code: 'recipient_wrong_rail',
  message,
});

const bankOf = (row: FileRow, problems: RowError[]): Recipient | undefined => {
  const missing = bankFields.filter((field) => row[field] === '');
  for (const column of missing)
    problems.push({
      row: row.row,
      column,
      code: 'value_missing',
      message: `"${column}" is empty; bank details need all of ${bankFields.join(', ')}.`,
    });
  if (missing.length > 0) return undefined;
  return {
    kind: 'bank',
    bankCode: row.bankCode,
    bankName: onOneLine(row.bankName),
    accountNumber: row.accountNumber,
    accountName: onOneLine(row.accountName),
  };
};

/**
 * Who is paid: exactly one of recipientId, bank details and walletAddress, and one that fits the rail. Problems are
 * added to the list; undefined when there is no one recipient.
 *
 * @param rail undefined when the currency is not known: then what fits it is not judged
 */
export const checkRecipient = (row: FileRow, rail: Rail | undefined, problems: RowError[]): Recipient | undefined => {
  const hasBank = row.bankCode !== '' || row.bankName !== '' || row.accountNumber !== '' || row.accountName !== '';
  const hasId = row.recipientId !== '';
  const hasWallet = row.walletAddress !== '';
  const recipients = Number(hasBank) + Number(hasId) + Number(hasWallet);
  if (recipients !== 1) {
    const problem =
      recipients === 0
        ? { code: 'recipient_missing', message: 'Nobody is named: give recipientId, bank details or walletAddress.' }
        : {
            code: 'recipient_ambiguous',
            message: 'More than one recipient: give only one of recipientId, bank details and walletAddress.',
          };
    problems.push({ row: row.row, column: '', ...problem });
    return undefined;
  }
  if (hasWallet) {
    if (rail === 'fiat') problems.push(wrongRail(row, 'walletAddress', 'A wallet cannot be paid in a fiat currency.'));
    checkShape(row, 'walletAddress', problems);
    return { kind: 'wallet', walletAddress: row.walletAddress };
  }
  const column = hasId ? 'recipientId' : 'bankCode';
  if (rail === 'crypto') problems.push(wrongRail(row, column, 'A token is paid to a walletAddress only.'));
  if (hasId) {
    checkShape(row, 'recipientId', problems);
    return { kind: 'recipientId', recipientId: row.recipientId };
  }
  checkShape(row, 'accountNumber', problems);
  return bankOf(row, problems);
};
