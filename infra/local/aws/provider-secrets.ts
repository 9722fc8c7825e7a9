import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type * as z from 'zod';
import { authorizationCredential, signingCredentials } from '../../../functions/provider/settings.ts';
import type { InfraSettings } from '../../settings.ts';
import { jsonIn } from '../json-in.ts';
import { PlainError } from '../plain-error.ts';

interface SecretToCreate {
  readonly name: string;
  /** JSON. */
  readonly value: string;
}

const secretFrom = (
  environment: Readonly<Record<string, string | undefined>>,
  variable: string,
  name: string,
  shape: z.ZodType,
): SecretToCreate => {
  const value = environment[variable];
  if (value === undefined) {
    throw new PlainError(
      `The local AWS does not have the provider's secret "${name}": put its content into the variable ${variable}, as functions/provider/SIGNING.md shows it.`,
    );
  }
  // A parser's own message may repeat the secret.
  const problem = `${variable} does not hold what functions/provider/SIGNING.md shows`;
  const read = jsonIn(value);
  if (read === undefined) throw new PlainError(`${problem}: it is not JSON.`);
  const wrong = shape.safeParse(read).error?.issues.map((issue) => issue.path.join('.'));
  if (wrong !== undefined) throw new PlainError(`${problem}: ${wrong.filter(Boolean).join(', ') || 'not an object'}.`);
  return { name, value };
};

/**
 * The secrets that a provider of kind `service` needs on the local AWS, which starts without any. The sandbox needs none.
 *
 * @throws PlainError when a secret is missing or malformed
 */
export const providerSecrets = (
  { provider }: Pick<InfraSettings, 'provider'>,
  environment: Readonly<Record<string, string | undefined>>,
): readonly SecretToCreate[] => {
  if (provider.kind === 'sandbox') return [];
  const { signingSecretName, authorizationSecretName } = provider;
  return [
    secretFrom(environment, 'PROVIDER_SIGNING_SECRET', signingSecretName, signingCredentials()),
    secretFrom(environment, 'PROVIDER_AUTHORIZATION_SECRET', authorizationSecretName, authorizationCredential()),
  ];
};

export const createSecrets = async (secrets: readonly SecretToCreate[]): Promise<void> => {
  const client = new SecretsManagerClient();
  for (const { name, value } of secrets) {
    await client.send(new CreateSecretCommand({ Name: name, SecretString: value }));
  }
};
