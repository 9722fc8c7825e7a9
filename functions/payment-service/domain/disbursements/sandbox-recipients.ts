import { hash } from 'node:crypto';
import type { BankAccount } from './disbursement.ts';
import { fiatPaymentMethods } from './payment-methods.ts';

const names = [
  'Ana Santoso',
  'Budi Hartono',
  'Chai Suksan',
  'Dewi Lestari',
  'Linh Nguyen',
  'Maria Reyes',
  'Ravi Menon',
];

/**
 * The account of a recipient id. The sandbox keeps no list of recipients. Every id of the form `rcp_` plus 4 to 32
 * lower-case letters and digits exists, except those that begin with `rcp_unknown`. An id always means the same account
 * in a currency. Undefined when there is no such recipient, or no bank in the currency.
 */
export const recipientAccount = (recipientId: string, currency: string): BankAccount | undefined => {
  if (!/^rcp_[a-z0-9]{4,32}$/.test(recipientId) || recipientId.startsWith('rcp_unknown')) return undefined;
  const methods = fiatPaymentMethods.filter((method) => method.currency === currency);
  const digest = hash('sha256', `${recipientId}\n${currency}`, 'buffer');
  const bank = methods[digest.readUInt16BE(0) % Math.max(methods.length, 1)];
  const accountName = names[digest.readUInt16BE(2) % names.length];
  if (bank === undefined || accountName === undefined) return undefined;
  // Ends in 00, so that it is never a magic account number.
  const accountNumber = `${digest.readUInt32BE(4).toString().padStart(10, '0').slice(0, 10)}00`;
  return { bankName: bank.bankName, bankCode: bank.bankCode, accountName, accountNumber };
};
