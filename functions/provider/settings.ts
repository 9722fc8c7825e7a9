import * as z from 'zod';
import { once } from '../domain/once.ts';

/**
 * The settings of a deployment's provider, and the contents of its two secrets. The infra validates the settings; the reader of a
 * secret validates the secret.
 */

/** The allowed values of the setting `signing`. */
export const signingSchemes = ['hmac-sha256'] as const;

const headerValue = once(() => z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'printable ASCII without spaces'));

/** Signs requests: all lookups, lists, quotes, crypto fees and proofs. It cannot move money. */
export const signingCredentials = once(() => z.object({ clientId: headerValue(), clientSecret: z.string().min(1) }));
export type SigningCredentials = z.infer<ReturnType<typeof signingCredentials>>;

/** Authorizes every request that moves money, and the few reads that the document groups with them. */
export const authorizationCredential = once(() => z.object({ apiKey: headerValue() }));
export type AuthorizationCredential = z.infer<ReturnType<typeof authorizationCredential>>;

/** A header name, as HTTP spells it. */
const headerName = once(() => z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "letters, digits and dashes: a header's name"));

/** Part of a message: whole words, or their plural, in any letter case. `*` matches at most 20 characters. */
const phrases = once(() =>
  z.array(z.string().regex(/^(?=.*\p{L}{3})[\p{L}\p{N}][^\p{C}]{1,98}[\p{L}\p{N}]$/u, 'words of a message')),
);

const hours = once(() => z.number().positive().max(8760));

const fiatTraits = once(() =>
  z.strictObject({
    referenceUniqueHours: z.union([z.literal('forever'), z.number().min(0).max(87_600)]).default('forever'),
    hiddenHours: hours().default(24),
    hasProofs: z.boolean().default(true),
  }),
);

/** The document lets a crypto reference be used twice, and has no proofs of crypto payouts. */
const cryptoTraits = once(() =>
  z.strictObject({
    referenceUniqueHours: z.literal(0, 'must be 0: the document lets a crypto reference be used twice').default(0),
    hiddenHours: hours().default(24),
    hasProofs: z.literal(false, 'must be false: the document has no proofs of crypto payouts').default(false),
  }),
);

/** The provider's choices where its document is silent. Defaults are those of the documented provider: infra/SETTINGS.md. */
export const providerTraits = once(() =>
  z.strictObject({
    headers: z
      .strictObject({
        authorization: headerName().default('Authorization'),
        signature: headerName().default('X-Signature'),
        timestamp: headerName().default('X-Timestamp'),
        clientId: headerName().default('X-Client-ID'),
      })
      .refine((names) => new Set(Object.values(names).map((name) => name.toLowerCase())).size === 4, 'one name twice')
      .prefault({}),
    /**
     * Payouts per call, and so per chunk. A claim moves its payouts in one DynamoDB transaction of at most 100 items. Two of
     * those are the call itself and the check of the batch, which leaves 98.
     */
    payoutsPerCall: z.int().min(1).max(98).default(98),
    /** Records requested per list page; the document gives no maximum. 0: the provider has no lists. */
    pageLimit: z.int().min(0).max(100).default(100),
    /** What it promises by rail: see RailTraits of the port. */
    rails: z.strictObject({ fiat: fiatTraits().prefault({}), crypto: cryptoTraits().prefault({}) }).prefault({}),
    /** Text before the key, including its space. Empty for none. */
    authorizationPrefix: z
      .string()
      .regex(/^([\x21-\x7e][\x20-\x7e]{0,38})?$/, 'printable ASCII')
      .default('Bearer '),
    words: z
      .strictObject({
        /**
         * Phrases of a 404 to a lookup: there is no such disbursement. They prove absence, so no other message may contain them.
         */
        absent: phrases().min(1).default(['disbursement not found']),
        /** Phrases of a 400: the balance is too low, and the row is not at fault. */
        balanceTooLow: phrases().default(['insufficient*balance']),
        /** Phrases of a 400: the reference is already used. Adds to those in refusal.ts. */
        taken: phrases().default([]),
      })
      .prefault({}),
  }),
);
export type ProviderTraits = z.infer<ReturnType<typeof providerTraits>>;

/** The traits of the documented provider. */
export const documentedTraits = once((): ProviderTraits => providerTraits().parse({}));
