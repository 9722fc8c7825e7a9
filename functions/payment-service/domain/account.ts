import { hash } from 'node:crypto';
import * as z from 'zod';

/** All of them, or those listed. */
const enabled = z.union([z.literal('all'), z.array(z.string()).readonly()]).default('all');

/** The features that a merchant's account has enabled. */
export const merchantTerms = z.object({
  /** Whether the merchant may create checkouts. */
  checkout: z.boolean().default(true),
  /** Codes of deposit payment methods. */
  depositMethods: enabled,
  /** Pairs that may be converted in either direction: `usdt-tron/THB`. Deposits also convert `PHP/THB`. */
  conversions: enabled,
});
export type MerchantTerms = z.infer<typeof merchantTerms>;

/** A merchant's account: its ids, its name in records, and its enabled features. */
export const accountSchema = z.object({
  /** The id under which the merchant's data is stored. Resetting the sandbox gives the merchant a new one. */
  accountId: z.string(),
  clientId: z.string(),
  userId: z.string(),
  organizationId: z.string(),
  organizationName: z.string(),
  terms: merchantTerms,
});
export type Account = z.infer<typeof accountSchema>;

const idFrom = (kind: string, clientId: string): string =>
  `${kind}_${hash('sha256', `${kind}\n${clientId}`).slice(0, 24)}`;

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

/** Whether one of a merchant's features is enabled. */
export const isEnabled = (enabled: 'all' | readonly string[], one: string): boolean =>
  enabled === 'all' || enabled.includes(one);

/** Whether a merchant may convert between two currencies, in either direction. */
export const mayConvert = ({ conversions }: Pick<MerchantTerms, 'conversions'>, one: string, other: string): boolean =>
  isEnabled(conversions, `${one}/${other}`) || isEnabled(conversions, `${other}/${one}`);
