import { createPaymentProvider } from '../../../functions/provider/payment-provider.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { createTransport } from '../../../functions/provider/transport/transport.ts';
import { credentials } from '../../support/payment-service/merchant.ts';
import { service } from '../../support/payment-service/service-under-test.ts';
import { createWholeClient } from '../../support/service-client/whole-client.ts';
import { silentLog } from '../../support/silent-log.ts';

export const merchantCredentials = async () => credentials;

export const connection = (readCredentials: typeof merchantCredentials) => ({
  baseUrl: service.url,
  signing: 'hmac-sha256',
  traits: documentedTraits(),
  credentials: readCredentials,
  clock: () => Date.now(),
  random: () => Math.random(),
  timeoutMs: 25_000,
});

/** A client for the payment service on the local AWS. */
export const deployedClient = (readCredentials = merchantCredentials) =>
  createWholeClient(createTransport(connection(readCredentials)));

/** The provider port, as the steps use it, for the same service. */
export const deployedProvider = () => createPaymentProvider({ ...connection(merchantCredentials), log: silentLog });
