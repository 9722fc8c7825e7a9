import { createHash } from 'node:crypto';
import type { Recipient } from './chunk.ts';

/**
 * SHA-256 (hex) of a destination, so that what the provider says can be compared with the file without the ledger
 * knowing an account number. A bank is told by its code and account number: the provider may write names its own way.
 * Wallet addresses keep their letter case, since on some networks it carries meaning; where it carries none but a checksum
 * (`0x` and 40 hexadecimal digits, ERC-55) the provider may write it its own way too.
 */
export const hashDestination = (recipient: Recipient): string => {
  const hash = createHash('sha256');
  switch (recipient.kind) {
    case 'recipientId':
      return hash.update(`recipientId\n${recipient.recipientId}`).digest('hex');
    case 'bank':
      return hash.update(`bank\n${recipient.bankCode}\n${recipient.accountNumber}`).digest('hex');
    case 'wallet':
      return hash.update(`wallet\n${sameLetterCase(recipient.walletAddress)}`).digest('hex');
  }
};

const sameLetterCase = (walletAddress: string): string =>
  /^0x[0-9a-f]{40}$/i.test(walletAddress) ? walletAddress.toLowerCase() : walletAddress;
