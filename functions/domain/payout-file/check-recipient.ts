import type { Recipient } from '../batch/chunk-file.ts';
import type { Rail } from '../payout/payout.ts';
import { onOneLine } from './check-text.ts';
import { checkWalletAddress } from './check-wallet-address.ts';
import type { FileRow, Problem } from './fields.ts';
import { bankFields } from './fields.ts';
import { accountProblem } from './messages/account.ts';
import { oddCharacter } from './messages/shown-value.ts';

/** ASCII without spaces. The provider's ids are passed on unchanged. */
const recipientIdShape = /^[\x21-\x7e]+$/;
/**
 * Account numbers and IBANs, without spaces; some banks print hyphens. A point or plus comes from a spreadsheet's
 * 1.2E+11, a leading hyphen from a negative number. The payment service requires at least 4 characters.
 */
const accountShape = /^[A-Za-z0-9][A-Za-z0-9-]{3,}$/;

const bankOf = (row: FileRow, problem: Problem): Recipient | undefined => {
  const { bankCode, accountNumber } = row;
  if (accountNumber !== '' && !accountShape.test(accountNumber))
    problem('accountNumber', 'value_malformed', accountProblem(accountNumber));
  const missing = bankFields.filter((column) => row[column] === '');
  for (const column of missing)
    problem(column, 'value_missing', `"${column}" is empty. Bank details need all of ${bankFields.join(', ')}.`);
  if (missing.length > 0) return undefined;
  const bankName = onOneLine(row, 'bankName');
  const accountName = onOneLine(row, 'accountName');
  return { kind: 'bank', bankCode, bankName, accountNumber, accountName };
};

const noRecipient = 'No recipient is named. Fill in recipientId, or the four bank columns, or walletAddress.';
const severalRecipients =
  'More than one recipient. Keep recipientId, the four bank columns or walletAddress, and empty the others.';

/**
 * Reads a row's recipient: exactly one of recipientId, bank details and walletAddress, suited to the rail. Undefined
 * when the row names none, several, or incomplete bank details.
 *
 * @param rail undefined when the currency is unknown; the match between recipient and rail is then not checked
 */
export const checkRecipient = (row: FileRow, rail: Rail | undefined, problem: Problem): Recipient | undefined => {
  const { recipientId, walletAddress } = row;
  const hasBank = row.bankCode !== '' || row.bankName !== '' || row.accountNumber !== '' || row.accountName !== '';
  const recipients = Number(hasBank) + Number(recipientId !== '') + Number(walletAddress !== '');
  if (recipients === 0) problem('', 'recipient_missing', noRecipient);
  if (recipients > 1) problem('', 'recipient_ambiguous', severalRecipients);
  if (recipients !== 1) return undefined;
  if (walletAddress !== '') {
    if (rail === 'fiat') {
      const message = `A wallet cannot be paid in ${row.currency}. Write a token such as usdt-tron, or a bank account.`;
      problem('walletAddress', 'recipient_wrong_rail', message);
    }
    checkWalletAddress(row, problem);
    return { kind: 'wallet', walletAddress };
  }
  if (rail === 'crypto') {
    const message = `${row.currency} is paid to a walletAddress only. Write one, or a currency such as IDR.`;
    problem(hasBank ? 'bankCode' : 'recipientId', 'recipient_wrong_rail', message);
  }
  if (!hasBank && !recipientIdShape.test(recipientId)) {
    const odd = oddCharacter(recipientId, /[\x21-\x7e]/);
    problem('recipientId', 'value_malformed', `"recipientId" has ${odd}. Write it exactly as the provider gave it.`);
  }
  return hasBank ? bankOf(row, problem) : { kind: 'recipientId', recipientId };
};
