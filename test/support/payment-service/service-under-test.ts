import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { inject } from 'vitest';
import * as z from 'zod';
import type { MerchantCredentials } from './service-in-memory.ts';
import { merchantsInMemory, openServiceInMemory } from './service-in-memory.ts';

/** The payment service that tests send requests to. */
export interface ServiceUnderTest {
  /** Without a trailing slash. */
  readonly url: string;
  readonly merchants: readonly MerchantCredentials[];
}

const secret = z.object({
  clientId: z.string(),
  clientSecret: z.string(),
  apiKey: z.string(),
  webhookSecret: z.string(),
});

/** The service on the local AWS. The names of all merchants' secrets share one prefix. */
const deployedService = async (): Promise<ServiceUnderTest> => {
  const { PaymentService: outputs } = inject('localAws').outputs;
  const output = (name: string): string => z.string().parse(outputs[name]);
  const secrets = new SecretsManagerClient();
  const read = async ({ clientId }: MerchantCredentials) => {
    const SecretId = output('PaymentServiceCredentialsSecret').replace(/[^/]+$/, clientId);
    const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId }));
    return secret.parse(JSON.parse(SecretString));
  };
  return { url: output('PaymentServiceUrl'), merchants: await Promise.all(merchantsInMemory.map(read)) };
};

/** In memory with `PAYMENT_SERVICE_UNDER_TEST=memory`, otherwise on the local AWS. */
export const service: ServiceUnderTest =
  process.env['PAYMENT_SERVICE_UNDER_TEST'] === 'memory' ? await openServiceInMemory() : await deployedService();
