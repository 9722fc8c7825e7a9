import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import type { CheckDependencies } from '../../functions/provider/check/check-provider.ts';
import { checkProvider } from '../../functions/provider/check/check-provider.ts';
import type { InfraSettings } from '../settings.ts';
import { contextOf, localSettingsOf } from './aws/local-settings.ts';
import { describeFindings } from './describe-findings.ts';
import { PlainError } from './plain-error.ts';
import { runCommand } from './run-command.ts';

type Account = Pick<CheckDependencies, 'baseUrl' | 'signing' | 'traits' | 'credentials'>;

/** Environment of a terminal that uses `npm run local`: see aws/terminal-lines.ts. */
const localSandbox = z.object({
  PAYMENT_SERVICE_URL: z.string(),
  PAYMENT_SERVICE_CLIENT_ID: z.string(),
  PAYMENT_SERVICE_CLIENT_SECRET: z.string(),
  PAYMENT_SERVICE_API_KEY: z.string(),
});

/** The provider in the settings. Its secrets come from the environment, or else from Secrets Manager, as for the functions. */
const accountOf = ({ provider, region }: InfraSettings): Account => {
  if (provider.kind === 'sandbox') {
    const found = localSandbox.safeParse(process.env).data;
    if (found === undefined)
      throw new PlainError(
        'The provider is the sandbox. First paste the lines of "npm run local", or set -c provider=…',
      );
    const { PAYMENT_SERVICE_URL: baseUrl, ...keys } = found;
    const credentials = {
      clientId: keys.PAYMENT_SERVICE_CLIENT_ID,
      clientSecret: keys.PAYMENT_SERVICE_CLIENT_SECRET,
      apiKey: keys.PAYMENT_SERVICE_API_KEY,
    };
    return { baseUrl, signing: 'hmac-sha256', traits: provider.traits, credentials: async () => credentials };
  }
  const client = new SecretsManagerClient({ region });
  const read = async (variable: string, SecretId: string): Promise<unknown> => {
    const given = process.env[variable];
    const text = given ?? (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString;
    return JSON.parse(text ?? '');
  };
  return {
    ...provider,
    credentials: (convention) =>
      convention === 'signed'
        ? read('PROVIDER_SIGNING_SECRET', provider.signingSecretName)
        : read('PROVIDER_AUTHORIZATION_SECRET', provider.authorizationSecretName),
  };
};

/**
 * `npm run check-provider`: finds out how the provider behaves where its document is silent. It never pays. Returns whether all
 * is right.
 */
const check = async (): Promise<boolean> => {
  const { values } = parseArgs({ options: { context: { type: 'string', short: 'c', multiple: true } } });
  const settings = localSettingsOf(contextOf(values.context ?? []));
  const { conversionSources, httpTimeoutSeconds } = settings.orchestrator;
  const account = accountOf(settings);
  console.log(`Asking ${account.baseUrl}. Nothing is paid.\n`);
  const findings = await checkProvider({
    ...account,
    unusedReference: `check-${randomUUID()}`,
    conversionSources,
    timeoutMs: httpTimeoutSeconds * 1000,
    clock: () => Date.now(),
    random: () => Math.random(),
  });
  console.log(describeFindings(findings, settings.provider.traits));
  return !findings.some(({ verdict }) => verdict === 'wrong');
};

await runCommand(check);
