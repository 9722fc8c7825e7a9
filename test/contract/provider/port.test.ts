import { randomUUID } from 'node:crypto';
import { createPaymentProvider } from '../../../functions/provider/payment-provider.ts';
import { describeProviderPort } from '../../support/provider-port/port-contract.ts';
import { referencesOf } from '../../support/provider-port/port-scene.ts';
import { silentLog } from '../../support/silent-log.ts';
import { tronAddress } from '../../support/wallet-addresses.ts';
import { connection, deployedClient, deployedProvider, merchantCredentials } from './deployed-service.ts';

const bank = { kind: 'bank', bankName: 'Bank Central Asia', accountName: 'Contract Test' } as const;
let drawn = 0;

describeProviderPort('the documented client, of the deployed sandbox', ['fiat', 'crypto'], async () => {
  const client = deployedClient();
  const provider = deployedProvider();
  const wrong = async () => ({
    ...(await merchantCredentials()),
    clientSecret: 'x'.repeat(32),
    apiKey: 'y'.repeat(32),
  });
  const adapter = (otherwise: object = {}, credentials = merchantCredentials) =>
    createPaymentProvider({ ...connection(credentials), log: silentLog, ...otherwise });
  return {
    adapter,
    newReference: referencesOf(randomUUID()),
    stranger: () => adapter({}, wrong),
    errorBody: (status) => JSON.stringify({ statusCode: status, error: 'Error', message: 'Something went wrong' }),
    currency: { fiat: 'IDR', crypto: 'usdt-tron' },
    recipient: (rail) =>
      rail === 'fiat'
        ? { ...bank, bankCode: 'BCA', accountNumber: '0001234567890' }
        : { kind: 'wallet', walletAddress: tronAddress(randomUUID()) },
    refusedRecipient: (rail) =>
      rail === 'fiat'
        ? { ...bank, bankCode: 'NOBANK', accountNumber: '1' }
        : { kind: 'wallet', walletAddress: 'not-an-address' },
    amount: (rail) => {
      drawn += 1;
      return rail === 'fiat' ? `${20_000 + drawn}.25` : `${10 + drawn}.000001`;
    },
    made: async (rail, reference) => {
      if (rail === 'crypto') return (await provider.listByReference(rail, reference))?.length ?? 0;
      return (await provider.lookUp(rail, reference)).kind === 'found' ? 1 : 0;
    },
    settle: async ({ disbursementId }) => {
      await client.sandbox.updateDisbursement(disbursementId, { status: 'completed' });
    },
  };
});
