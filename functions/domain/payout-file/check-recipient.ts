import type { Recipient } from '../chunk.ts';
import type { Rail } from '../payout.ts';
import { onOneLine } from './check-text.ts';
import { checkWalletAddress } from './check-wallet-address.ts';
import type { FileRow, Problem } from './fields.ts';
import { bankFields } from './fields.ts';

const shapes = {
  /** No spaces, nothing outside ASCII: ids of the provider are handed on as they are. */
  recipientId: { shape: /^[\x21-\x7e]+$/, says: 'may have no spaces and only plain characters' },
  /**
   * Account numbers and IBANs without spaces; some banks print hyphens. A point or plus is a spreadsheet's 1.2E+11, a hyphen in
   * front its negative number. The payment service takes none of less than 4 characters.
   */
  accountNumber: {
    shape: /^[A-Za-z0-9][A-Za-z0-9-]{3,}$/,
    says: 'has 4 or more letters, digits and hyphens, and no hyphen in front',
  },
} as const;

const checkShape = (row: FileRow, column: keyof typeof shapes, problem: Problem): void => {
  const { shape, says } = shapes[column];
  if (row[column] !== '' && !shape.test(row[column])) problem(column, 'value_malformed', `"${column}" ${says}.`);
};

const bankOf = (row: FileRow, problem: Problem): Recipient | undefined => {
  const missing = bankFields.filter((field) => row[field] === '');
  for (const column of missing)
    problem(column, 'value_missing', `"${column}" is empty; bank details need all of ${bankFields.join(', ')}.`);
  if (missing.length > 0) return undefined;
  const { bankCode, accountNumber } = row;
  const bankName = onOneLine(row.bankName);
  const accountName = onOneLine(row.accountName);
  return { kind: 'bank', bankCode, bankName, accountNumber, accountName };
};

/**
 * Who is paid: exactly one of recipientId, bank details and walletAddress, and one that fits the rail. Undefined when there
 * is no one recipient.
 *
 * @param rail undefined when the currency is not known: then what fits it is not judged
 */
export const checkRecipient = (row: FileRow, rail: Rail | undefined, problem: Problem): Recipient | undefined => {
  const { recipientId, walletAddress } = row;
  const hasBank = row.bankCode !== '' || row.bankName !== '' || row.accountNumber !== '' || row.accountName !== '';
  const recipients = Number(hasBank) + Number(recipientId !== '') + Number(walletAddress !== '');
  if (recipients === 0)
    problem('', 'recipient_missing', 'Nobody is named: give recipientId, bank details or walletAddress.');
  if (recipients > 1) {
    const message = 'More than one recipient: give only one of recipientId, bank details and walletAddress.';
    problem('', 'recipient_ambiguous', message);
  }
  if (recipients !== 1) return undefined;
  if (walletAddress !== '') {
    if (rail === 'fiat')
      problem('walletAddress', 'recipient_wrong_rail', 'A wallet cannot be paid in a fiat currency.');
    checkWalletAddress(row, problem);
    return { kind: 'wallet', walletAddress };
  }
  if (rail === 'crypto')
    problem(hasBank ? 'bankCode' : 'recipientId', 'recipient_wrong_rail', 'A token is paid to a walletAddress only.');
  checkShape(row, hasBank ? 'accountNumber' : 'recipientId', problem);
  return hasBank ? bankOf(row, problem) : { kind: 'recipientId', recipientId };
};
