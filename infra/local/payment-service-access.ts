import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { paysFromSandbox } from './deploy.ts';
import type { DeployedAws } from './deployed-aws.ts';
import { PlainError } from './plain-error.ts';

const credentials = z.object({ clientId: z.string(), clientSecret: z.string(), apiKey: z.string() });

/**
 * Where the payment service is, and the first merchant's credentials, by the names that a terminal shall know them by. None
 * where another provider pays.
 */
export const paymentServiceAccess = async ({ outputs }: DeployedAws): Promise<Readonly<Record<string, string>>> => {
  if (!paysFromSandbox(outputs)) return {};
  const { PaymentServiceUrl: url, PaymentServiceCredentialsSecret: secretName } = outputs.PaymentService;
  if (url === undefined || secretName === undefined) throw new PlainError('The payment service is not deployed.');
  const secret = await new SecretsManagerClient().send(new GetSecretValueCommand({ SecretId: secretName }));
  const { clientId, clientSecret, apiKey } = credentials.parse(JSON.parse(secret.SecretString ?? '{}'));
  return {
    PAYMENT_SERVICE_URL: url,
    PAYMENT_SERVICE_CLIENT_ID: clientId,
    PAYMENT_SERVICE_CLIENT_SECRET: clientSecret,
    PAYMENT_SERVICE_API_KEY: apiKey,
  };
};
