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

export type ReadCredentials = () => Promise<Credentials>;

/** Short enough for a rotated secret to be taken up soon, long enough for the secret not to be read by every request. */
const keptMilliseconds = 5 * 60 * 1000;

/** Reads the secret, and keeps it for five minutes. */
export function credentialsFromSecret(
  client: SecretsManagerClient,
  secretName: string,
  now: () => Date,
): ReadCredentials {
  let kept: { readonly until: number; readonly value: Credentials } | undefined;
  return async () => {
    if (kept !== undefined && now().getTime() < kept.until) return kept.value;
    const answer = await client.send(new GetSecretValueCommand({ SecretId: secretName }));
    const value = credentials.parse(JSON.parse(answer.SecretString ?? '{}'));
    kept = { until: now().getTime() + keptMilliseconds, value };
    return value;
  };
}
