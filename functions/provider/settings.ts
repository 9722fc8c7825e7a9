import * as z from 'zod';
import { once } from '../domain/once.ts';

/** What a deployment says of its provider, and what its two secrets hold. The infra validates the one, who reads a secret the other. */

/** The names that the setting `signing` takes. */
export const signingSchemes = ['hmac-sha256'] as const;

const headerValue = once(() => z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'printable ASCII without spaces'));

/** What signs requests: all look-ups, lists, quotes and proofs. It moves nothing. */
export const signingCredentials = once(() => z.object({ clientId: headerValue(), clientSecret: z.string().min(1) }));
export type SigningCredentials = z.infer<ReturnType<typeof signingCredentials>>;

/** What authorizes requests: every one that moves money, and the few reads that the document puts beside them. */
export const authorizationCredential = once(() => z.object({ apiKey: headerValue() }));
export type AuthorizationCredential = z.infer<ReturnType<typeof authorizationCredential>>;

/** A header's name, as HTTP spells it. */
const headerName = once(() => z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "letters, digits and dashes: a header's name"));

/** Part of a message: whole words in any letter case, `*` for at most 20 characters. */
const phrases = once(() =>
  z.array(z.string().regex(/^(?=.*\p{L}{3})[\p{L}\p{N}][^\p{C}]{1,98}[\p{L}\p{N}]$/u, 'words of a message')),
);

const hours = once(() => z.number().positive().max(8760));

/** What the provider chose where its document is silent, with the documented provider as default: infra/SETTINGS.md. */
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
     * Payouts in one call, and so in one chunk. A claim moves its payouts in one DynamoDB transaction of at most 100 items, two of
     * which are the call itself and the check of the batch: hence 98.
     */
    payoutsPerCall: z.int().min(1).max(98).default(98),
    /** Records asked for on a page of its lists; their maximum is not documented. 0: it has no lists. */
    pageLimit: z.int().min(0).max(100).default(100),
    /** Hours from its first use for which it refuses to take a fiat reference again. 0: it promises nothing. */
    fiatReferenceUniqueHours: z.union([z.literal('forever'), z.number().min(0).max(87_600)]).default('forever'),
    /** Whether it gives proofs of bank transfers. */
    hasProofs: z.boolean().default(true),
    /** Hours for which look-ups may hide what was made, by rail. */
    hiddenHours: z.strictObject({ fiat: hours().default(24), crypto: hours().default(24) }).prefault({}),
    /** Before the key, its space included; empty for none. */
    authorizationPrefix: z
      .string()
      .regex(/^([\x21-\x7e][\x20-\x7e]{0,38})?$/, 'printable ASCII')
      .default('Bearer '),
    words: z
      .strictObject({
        /** Of a 404 to a look-up: there is no such disbursement. They prove absence, so nothing else may say them. */
        absent: phrases().min(1).default(['disbursement not found']),
        /** Of a 400: the batch lacks money, and the row is not at fault. */
        balanceTooLow: phrases().default(['insufficient*balance']),
        /** Of a 400: something of the reference is there. Besides those that refusal.ts knows. */
        taken: phrases().default([]),
      })
      .prefault({}),
  }),
);
export type ProviderTraits = z.infer<ReturnType<typeof providerTraits>>;

/** The provider of the document. */
export const documentedTraits = once((): ProviderTraits => providerTraits().parse({}));
