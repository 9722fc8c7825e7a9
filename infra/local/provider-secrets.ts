import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { authorizationCredential, signingCredentials } from '../../functions/provider/settings.ts';
import type { InfraSettings } from '../settings.ts';
import { settingsFrom, WrongSettings } from '../settings.ts';
import { localStage } from './deploy.ts';
import { localAwsHost } from './emulator.ts';
import { projectRoot } from './places.ts';
import { PlainError } from './plain-error.ts';

const cdkJson = z.object({ context: z.record(z.string(), z.unknown()).default({}) });

/** Settings of the command line, `key=value` each, as the CDK takes them. */
export const contextOf = (pairs: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new PlainError(`-c ${pair}: a setting is given as key=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

interface SecretToMake {
  readonly name: string;
  /** JSON. */
  readonly value: string;
}

const secretFrom = (
  environment: Readonly<Record<string, string | undefined>>,
  variable: string,
  name: string,
  shape: z.ZodType,
): SecretToMake => {
  const value = environment[variable];
  if (value === undefined) {
    throw new PlainError(
      `The provider's secret "${name}" is not on a local AWS: put what it holds into the variable ${variable}, as functions/provider/SIGNING.md shows it.`,
    );
  }
  // A parser's own message may repeat the secret.
  const problem = `${variable} does not hold what functions/provider/SIGNING.md shows`;
  let read: unknown;
  try {
    read = JSON.parse(value);
  } catch {
    throw new PlainError(`${problem}: it is no JSON.`);
  }
  const wrong = shape.safeParse(read).error?.issues.map((issue) => issue.path.join('.'));
  if (wrong !== undefined) throw new PlainError(`${problem}: ${wrong.filter(Boolean).join(', ') || 'no object'}.`);
  return { name, value };
};

/**
 * The settings of a deployment to the local AWS.
 *
 * @param given settings of the command line, on top of cdk.json's
 * @throws PlainError for wrong ones
 */
export const localSettingsOf = (given: Readonly<Record<string, string>>): InfraSettings => {
  const { context } = cdkJson.parse(JSON.parse(readFileSync(path.join(projectRoot, 'cdk.json'), 'utf8')));
  try {
    return settingsFrom((key) => ({ ...context, stage: localStage, ...given })[key], localAwsHost);
  } catch (error) {
    throw error instanceof WrongSettings ? new PlainError(error.message) : error;
  }
};

/**
 * The secrets that a provider of kind `service` needs on the local AWS, whose memory begins empty. None for the sandbox.
 *
 * @throws PlainError for a secret that is missing or malformed
 */
export const providerSecrets = (
  { provider }: Pick<InfraSettings, 'provider'>,
  environment: Readonly<Record<string, string | undefined>>,
): readonly SecretToMake[] => {
  if (provider.kind === 'sandbox') return [];
  return [
    secretFrom(environment, 'PROVIDER_SIGNING_SECRET', provider.signingSecretName, signingCredentials()),
    secretFrom(
      environment,
      'PROVIDER_AUTHORIZATION_SECRET',
      provider.authorizationSecretName,
      authorizationCredential(),
    ),
  ];
};

/** Puts them into the local AWS. */
export const makeSecrets = async (secrets: readonly SecretToMake[]): Promise<void> => {
  const client = new SecretsManagerClient();
  for (const { name, value } of secrets) {
    await client.send(new CreateSecretCommand({ Name: name, SecretString: value }));
  }
};
