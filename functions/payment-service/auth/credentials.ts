import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';

const credentials = z.object({
  clientId: z.string().min(1),
  /** The key of request signatures. */
  clientSecret: z.string().min(16),
  /** The bearer token. */
  apiKey: z.string().min(16),
  /** Signs webhooks. Base64, without the `whsec_` prefix of Standard Webhooks. */
  webhookSecret: z.string().min(16),
});

export type Credentials = z.infer<typeof credentials>;

/** The credentials of every merchant. */
export type ReadCredentials = () => Promise<readonly Credentials[]>;

/** Short enough to pick up a rotated secret soon, long enough to spare most requests the read. */
const keptMilliseconds = 5 * 60 * 1000;

/** Reads the merchants' secrets, and caches them for five minutes. */
export const credentialsFromSecrets = (
  client: SecretsManagerClient,
  secretNames: readonly string[],
  now: () => Date,
): ReadCredentials => {
  const read = async (secretName: string): Promise<Credentials> => {
    const answer = await client.send(new GetSecretValueCommand({ SecretId: secretName }));
    return credentials.parse(JSON.parse(answer.SecretString ?? '{}'));
  };
  let kept: { readonly until: number; readonly all: readonly Credentials[] } | undefined;
  return async () => {
    if (kept !== undefined && now().getTime() < kept.until) return kept.all;
    const all = await Promise.all(secretNames.map(read));
    kept = { until: now().getTime() + keptMilliseconds, all };
    return all;
  };
};

/**
 * The credentials of one merchant.
 *
 * @throws Error when there is no such merchant
 */
export const credentialsOf = async (readCredentials: ReadCredentials, clientId: string): Promise<Credentials> => {
  const found = (await readCredentials()).find((one) => one.clientId === clientId);
  if (found === undefined) throw new Error(`there is no merchant ${clientId}`);
  return found;
};
