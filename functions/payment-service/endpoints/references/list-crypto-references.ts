import * as z from 'zod';
import { openEndpoint } from '../../http/endpoint.ts';
import { oneOf } from '../../http/request-fields.ts';
import { enveloped } from '../../http/success.ts';
import { cryptoReferenceSchema, cryptoReferences } from './reference-record.ts';

/** GET /v1/reference/cryptos: the tokens, filtered. Deprecated. Needs no credentials. */
export const listCryptoReferences = openEndpoint({
  route: 'GET /v1/reference/cryptos',
  summary: 'List tokens',
  answers: enveloped('Reference cryptos', z.array(cryptoReferenceSchema)),
  query: z.object({
    useSmartContract: oneOf(['true', 'false'])
      .meta({ wire: { type: 'boolean' } })
      .transform((word) => word === 'true')
      .optional(),
    blockchainType: z.string().optional(),
  }),
  work: async ({ settings: { rates } }, { useSmartContract, blockchainType }) =>
    cryptoReferences(rates, useSmartContract, blockchainType),
});
