import { hash } from 'node:crypto';
import type { PlannedPayout, Recipient } from '../batch/chunk-file.ts';
import { evmAddress } from './evm-address.ts';
import { otherSpelling, usualSpelling } from './wallet-spelling.ts';

/** A payment's destination, in the form that anyone who sees payouts may see. */
export interface ShownDestination {
  readonly bankCode?: string;
  /** The end of the account number, wallet address or recipient id: `***5678`. */
  readonly account: string;
}

/** Prefix of the visible end of an account. */
export const mask = '***';

const mostShown = 4;

/** Returns the last four characters. Of a text with fewer than eight, at most half. */
export const maskedAccount = (account: string): string => {
  const characters = [...account];
  const shown = Math.min(mostShown, Math.floor(characters.length / 2));
  return `${mask}${shown === 0 ? '' : characters.slice(-shown).join('')}`;
};

/** The account number, wallet address or recipient id. */
export const accountOf = (recipient: Recipient): string => {
  switch (recipient.kind) {
    case 'recipientId':
      return recipient.recipientId;
    case 'bank':
      return recipient.accountNumber;
    case 'wallet':
      return recipient.walletAddress;
  }
};

/** Returns the parts of a recipient that do not identify them. */
export const shownDestination = (recipient: Recipient): ShownDestination => ({
  ...(recipient.kind === 'bank' ? { bankCode: recipient.bankCode } : {}),
  account: maskedAccount(accountOf(recipient)),
});

/** Returns the recipient's name in the file. */
export const nameOf = ({ name, recipient }: Pick<PlannedPayout, 'name' | 'recipient'>): string | undefined =>
  recipient.kind === 'bank' ? recipient.accountName : name;

/**
 * Hashes a destination (SHA-256, hex). The provider's answer can then be compared with the file, and the ledger holds no account
 * number. A bank destination is its code and account number, because the provider may write names differently. A wallet address
 * is hashed in its usual spelling, because the provider may write it in another. The ledger keeps hashes for months: a
 * recipient's `kind` is part of them and cannot be renamed.
 */
export const hashDestination = (recipient: Recipient): string => {
  const account = accountOf(recipient);
  return hashAs(recipient, recipient.kind === 'wallet' ? usualSpelling(account) : account);
};

const hashAs = (recipient: Recipient, account: string): string => {
  const bank = recipient.kind === 'bank' ? [recipient.bankCode] : [];
  return hash('sha256', [recipient.kind, ...bank, account].join('\n'));
};

/**
 * The other hash that payouts to a segwit or TON address may have. They were registered before such addresses were hashed in one way.
 * Undefined for all other destinations.
 */
export const formerHash = (recipient: Recipient): string | undefined => {
  if (recipient.kind !== 'wallet' || evmAddress.test(recipient.walletAddress)) return undefined;
  const other = otherSpelling(recipient.walletAddress);
  return other === undefined ? undefined : hashAs(recipient, other);
};

/** True when a payout with this hash goes to this destination. */
export const isHashOf = (destinationHash: string, recipient: Recipient): boolean =>
  destinationHash === hashDestination(recipient) || destinationHash === formerHash(recipient);
