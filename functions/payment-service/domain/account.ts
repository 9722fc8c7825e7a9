import { createHash } from 'node:crypto';
import type { BlockchainType } from './money/currencies.ts';
import { walletAddress } from './wallet-address.ts';

/** The features that a merchant's account has enabled. */
export interface MerchantTerms {
  /** Whether the merchant may create checkouts. */
  readonly checkout: boolean;
  /** Codes of deposit payment methods. */
  readonly depositMethods: 'all' | readonly string[];
  /**
   * Pairs that may be converted in either direction, as `<token>/<fiat>`. Deposits also convert pairs of two tokens or
   * two fiat currencies.
   */
  readonly conversions: 'all' | readonly string[];
}

/** A merchant's account: its ids, its name in records, and its enabled features. */
export interface Account {
  /** The id under which the merchant's data is stored. Resetting the sandbox gives the merchant a new one. */
  readonly accountId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly terms: MerchantTerms;
}

const idFrom = (kind: string, clientId: string): string =>
  `${kind}_${createHash('sha256').update(`${kind}\n${clientId}`).digest('hex').slice(0, 24)}`;

/** Does not occur in any client id. */
const generationMark = '~';

/**
 * The id under which a merchant's data is stored. Each sandbox reset starts a new generation and leaves the older data
 * in place.
 */
export const accountIdOf = (clientId: string, generation: number): string =>
  generation === 0 ? clientId : `${clientId}${generationMark}${generation}`;

/** The client id of the account's merchant. */
export const clientIdOf = (accountId: string): string => accountId.split(generationMark)[0] ?? accountId;

/** @param generation how often the merchant's sandbox was reset */
export const accountOf = (
  merchant: MerchantTerms & { readonly clientId: string; readonly organizationName: string },
  generation: number,
): Account => {
  const { clientId, organizationName, checkout, depositMethods, conversions } = merchant;
  return {
    accountId: accountIdOf(clientId, generation),
    clientId,
    userId: idFrom('usr', clientId),
    organizationId: idFrom('org', clientId),
    organizationName,
    terms: { checkout, depositMethods, conversions },
  };
};

const includes = (enabled: 'all' | readonly string[], one: string): boolean =>
  enabled === 'all' || enabled.includes(one);

export const hasDepositMethod = ({ depositMethods }: Pick<MerchantTerms, 'depositMethods'>, code: string): boolean =>
  includes(depositMethods, code);

/** Whether a merchant may convert between two currencies, in either direction. */
export const mayConvert = ({ conversions }: Pick<MerchantTerms, 'conversions'>, one: string, other: string): boolean =>
  includes(conversions, `${one}/${other}`) || includes(conversions, `${other}/${one}`);

/** The wallet from which an account pays on a network. It never changes. */
export const senderAddress = (account: Account, blockchainType: BlockchainType): string =>
  walletAddress(blockchainType, account.clientId);
