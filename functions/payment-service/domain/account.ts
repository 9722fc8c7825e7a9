import { createHash } from 'node:crypto';
import type { BlockchainType } from './money/currencies.ts';
import { walletAddress } from './wallet-address.ts';

/** What a merchant's account has enabled. */
export interface MerchantTerms {
  /** Whether checkouts can be created. */
  readonly checkout: boolean;
  /** Codes of deposit payment methods. */
  readonly depositMethods: 'all' | readonly string[];
  /** Pairs that may be converted, in either direction: `<token>/<fiat>`, and for deposits also two of a kind. */
  readonly conversions: 'all' | readonly string[];
}

/** A merchant: whose money, the names that records carry, and what is enabled. */
export interface Account {
  /** What the merchant's data is filed under. A reset of the sandbox gives a merchant a new one. */
  readonly accountId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly terms: MerchantTerms;
}

const idFrom = (kind: string, clientId: string): string =>
  `${kind}_${createHash('sha256').update(`${kind}\n${clientId}`).digest('hex').slice(0, 24)}`;

/** Stands in no client id. */
const generationMark = '~';

/** What a merchant's data is filed under. Each reset of the sandbox begins a generation, and leaves what was before it. */
export const accountIdOf = (clientId: string, generation: number): string =>
  generation === 0 ? clientId : `${clientId}${generationMark}${generation}`;

/** Whose account it is. */
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

/** The wallet that an account pays from on a network: always the same. */
export const senderAddress = (account: Account, blockchainType: BlockchainType): string =>
  walletAddress(blockchainType, account.clientId);
