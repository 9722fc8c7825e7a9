import * as z from 'zod';
import { enveloped } from '../../http/answer-schemas.ts';
import { success } from '../../http/answers.ts';
import { openEndpoint } from '../../http/endpoint.ts';
import { oneOf } from '../../http/request-fields.ts';
import { cryptoReferenceSchema, cryptoReferences } from './reference-record.ts';

const query = z.object({
  useSmartContract: oneOf(['true', 'false'])
    .meta({ wire: { type: 'boolean' } })
    .transform((word) => word === 'true')
    .optional(),
  blockchainType: z.string().optional(),
});

/** GET /v1/reference/cryptos: the tokens, filtered. Deprecated. Needs no credentials. */
export const listCryptoReferences = openEndpoint(
  {
    method: 'GET',
    path: '/v1/reference/cryptos',
    summary: 'List tokens',
    answers: enveloped(z.array(cryptoReferenceSchema)),
  },
  query,
  async ({ rates }, { useSmartContract, blockchainType }) =>
    success('Reference cryptos', cryptoReferences(rates, useSmartContract, blockchainType)),
);
