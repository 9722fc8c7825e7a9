import { createHash } from 'node:crypto';

/** A merchant: whose money, and the names that records carry. Everything follows from the client id. */
export interface Account {
  readonly accountId: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly organizationName: string;
}

const idFrom = (kind: string, clientId: string): string =>
  `${kind}_${createHash('sha256').update(`${kind}\n${clientId}`).digest('hex').slice(0, 24)}`;

export const accountOf = (clientId: string, organizationName: string): Account => ({
  accountId: clientId,
  userId: idFrom('usr', clientId),
  organizationId: idFrom('org', clientId),
  organizationName,
});

/** The wallet that an account pays from on a network: made up, in the form of the network, always the same. */
export function senderAddress(account: Account, blockchainType: 'evm' | 'tron'): string {
  const digest = createHash('sha256').update(`${blockchainType}\n${account.accountId}`).digest('hex');
  // Hexadecimal digits but 0 are base58 digits too.
  return blockchainType === 'evm' ? `0x${digest.slice(0, 40)}` : `T${digest.replaceAll('0', 'x').slice(0, 33)}`;
}
