import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';

const credentials = z.object({
  clientId: z.string().min(1),
  /** Keys the signatures of requests. */
  clientSecret: z.string().min(16),
  /** The bearer token. */
  apiKey: z.string().min(16),
  /** Signs webhooks: base64, as the Standard Webhooks scheme has it after its `whsec_`. */
  webhookSecret: z.string().min(16),
});

export type Credentials = z.infer<typeof credentials>;

/** The credentials of every merchant. */
export type ReadCredentials = () => Promise<readonly Credentials[]>;

/** Short enough for a rotated secret to be taken up soon, long enough for the secrets not to be read by every request. */
const keptMilliseconds = 5 * 60 * 1000;

/** Reads the merchants' secrets, and keeps them for five minutes. */
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
