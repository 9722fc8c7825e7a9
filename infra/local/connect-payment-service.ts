import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import type { StackOutputs } from './deploy.ts';
import { paysFromSandbox } from './deploy.ts';
import { PlainError } from './plain-error.ts';

const webhookSecret = z.object({ token: z.string() });

/**
 * Tells the payment service where to send webhooks, as a merchant does in its dashboard. The address is a secret. Another
 * provider is told by hand.
 */
export const connectPaymentService = async (outputs: StackOutputs): Promise<void> => {
  const { ApiUrl, WebhookSecretName } = outputs.PayoutOrchestrator;
  if (!paysFromSandbox(outputs)) return;
  const register = outputs.PaymentService['RegisterWebhookFunction'];
  if (register === undefined) throw new PlainError('The payment service has no function to register a webhook with.');
  const secret = await new SecretsManagerClient().send(new GetSecretValueCommand({ SecretId: WebhookSecretName }));
  const { token } = webhookSecret.parse(JSON.parse(secret.SecretString ?? '{}'));
  const answer = await new LambdaClient().send(
    new InvokeCommand({ FunctionName: register, Payload: JSON.stringify({ url: `${ApiUrl}/webhooks/${token}` }) }),
  );
  if (answer.FunctionError !== undefined) {
    const said = Buffer.from(answer.Payload ?? []).toString();
    throw new PlainError(`The payment service did not take the webhook address: ${said}`);
  }
};
