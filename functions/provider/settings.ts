import * as z from 'zod';

/** What a deployment says of its provider, and what its two secrets hold. The infra validates the one, who reads a secret the other. */

/** The names that the setting `signing` takes. */
export const signingSchemes = ['hmac-sha256'] as const;

const headerValue = z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'printable ASCII without spaces');

/** What signs requests: all look-ups, lists, quotes and proofs. It moves nothing. */
export const signingCredentials = z.object({ clientId: headerValue, clientSecret: z.string().min(1) });
export type SigningCredentials = z.infer<typeof signingCredentials>;

/** What authorizes requests: every one that moves money, and the few reads that the document puts beside them. */
export const authorizationCredential = z.object({ apiKey: headerValue });
export type AuthorizationCredential = z.infer<typeof authorizationCredential>;
