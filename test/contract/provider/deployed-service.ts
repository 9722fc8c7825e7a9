import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { inject } from 'vitest';
import { z } from 'zod';
import { createPaymentProvider } from '../../../functions/provider/payment-provider.ts';
import { createTransport } from '../../../functions/provider/transport/transport.ts';
import { createWholeClient } from '../../support/service-client/whole-client.ts';

const credentialsSecret = z.object({ clientId: z.string(), clientSecret: z.string(), apiKey: z.string() });

type Credentials = z.infer<typeof credentialsSecret>;

/** The sandbox merchant's credentials. */
export const merchantCredentials = async (): Promise<Credentials> => {
  const SecretId = inject('localAws').outputs.PaymentService['PaymentServiceCredentialsSecret'];
  const secret = await new SecretsManagerClient().send(new GetSecretValueCommand({ SecretId }));
  return credentialsSecret.parse(JSON.parse(secret.SecretString ?? '{}'));
};

export const connection = (credentials: () => Promise<Credentials>) => ({
  baseUrl: z.url().parse(inject('localAws').outputs.PaymentService['PaymentServiceUrl']),
  signing: 'hmac-sha256',
  credentials,
  clock: () => Date.now(),
  random: () => Math.random(),
  timeoutMs: 25_000,
});

/** A client for the payment service on the local AWS. */
export const deployedClient = (credentials = merchantCredentials) =>
  createWholeClient(createTransport(connection(credentials)));

/** The provider port, as the steps use it, for the same service. */
export const deployedProvider = () =>
  createPaymentProvider({ ...connection(merchantCredentials), log: { warn: () => undefined } });
