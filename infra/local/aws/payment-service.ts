import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { PlainError } from '../plain-error.ts';
import type { StackOutputs } from './deploy.ts';
import { paysFromSandbox } from './deploy.ts';

const readSecret = async <Held>(SecretId: string, shape: z.ZodType<Held>): Promise<Held> => {
  const { SecretString = '{}' } = await new SecretsManagerClient().send(new GetSecretValueCommand({ SecretId }));
  return shape.parse(JSON.parse(SecretString));
};

const webhookSecret = z.object({ token: z.string() });

/**
 * Registers the webhook's secret address with the payment service, as a merchant does in its dashboard. Does nothing for any other
 * provider: a person registers the address there.
 *
 * @throws PlainError when the payment service rejects the address, or has no function for it
 */
export const connectPaymentService = async (outputs: StackOutputs): Promise<void> => {
  const { ApiUrl, WebhookSecretName } = outputs.PayoutOrchestrator;
  if (!paysFromSandbox(outputs)) return;
  const register = outputs.PaymentService['RegisterWebhookFunction'];
  if (register === undefined) throw new PlainError('The payment service has no function that registers a webhook.');
  const { token } = await readSecret(WebhookSecretName, webhookSecret);
  const answer = await new LambdaClient().send(
    new InvokeCommand({ FunctionName: register, Payload: JSON.stringify({ url: `${ApiUrl}/webhooks/${token}` }) }),
  );
  if (answer.FunctionError !== undefined) {
    const body = Buffer.from(answer.Payload ?? []).toString();
    throw new PlainError(`The payment service rejected the webhook address: ${body}`);
  }
};

const credentials = z.object({ clientId: z.string(), clientSecret: z.string(), apiKey: z.string() });

/**
 * The payment service's address and the first merchant's credentials, as environment variables for a terminal. Empty when another
 * provider pays.
 */
export const paymentServiceAccess = async (outputs: StackOutputs): Promise<Readonly<Record<string, string>>> => {
  if (!paysFromSandbox(outputs)) return {};
  const { PaymentServiceUrl: url, PaymentServiceCredentialsSecret: secretName } = outputs.PaymentService;
  if (url === undefined || secretName === undefined) throw new PlainError('The payment service is not deployed.');
  const { clientId, clientSecret, apiKey } = await readSecret(secretName, credentials);
  return {
    PAYMENT_SERVICE_URL: url,
    PAYMENT_SERVICE_CLIENT_ID: clientId,
    PAYMENT_SERVICE_CLIENT_SECRET: clientSecret,
    PAYMENT_SERVICE_API_KEY: apiKey,
  };
};
