import * as z from 'zod';
import { pageOf, pageQuery } from '../../../functions/provider/client/page.ts';
import type { Transport } from '../../../functions/provider/transport/transport.ts';
import { get, pathSegment, post } from '../../../functions/provider/transport/transport.ts';
import { sentAmount } from '../../../functions/provider/wire-values.ts';
import { depositPaymentMethod, depositRecord } from './deposit-record.ts';
import { noData } from './no-data.ts';

const status = z.string().optional();
const fiatListQuery = z.strictObject({ ...pageQuery(), status, depositBulkId: z.string().optional() });
const cryptoListQuery = z.strictObject({ ...pageQuery(), status });
const anyListQuery = z.strictObject({ ...pageQuery(), status, depositType: z.enum(['fiat', 'crypto']).optional() });
const depositPage = pageOf(depositRecord);

const outputAmount = z.union([z.strictObject({ fiat: sentAmount() }), z.strictObject({ crypto: sentAmount() })]);
const fiatDepositRequest = z
  .strictObject({
    inputCurrency: z.string(),
    inputAmount: sentAmount().optional(),
    outputCurrency: z.string(),
    outputAmount: outputAmount.optional(),
    balanceType: z.string(),
    /** The bank code of a deposit payment method. */
    paymentMethod: z.string(),
    reference: z.string().optional(),
    note: z.string().optional(),
    quoteId: z.string().optional(),
  })
  .refine((request) => request.inputAmount !== undefined || request.outputAmount !== undefined, 'no amount');

const cryptoDepositRequest = z.strictObject({
  inputCurrency: z.string(),
  inputAmount: sentAmount(),
  outputCurrency: z.string().optional(),
  reference: z.string().optional(),
  note: z.string().optional(),
  quoteId: z.string().optional(),
});

const methodsQuery = z.strictObject({ currency: z.string().optional() });

/** Deposits in fiat and crypto, and the two deprecated reads of both types. */
export const depositEndpoints = (transport: Transport) => ({
  listFiat: (query: z.input<typeof fiatListQuery>) =>
    transport.send(get('/v1/deposit/fiat', 'signed', { query: fiatListQuery.parse(query) }), depositPage),
  findFiat: (idOrReference: string) =>
    transport.send(get(`/v1/deposit/fiat/${pathSegment(idOrReference)}`, 'signed'), depositRecord),
  listCrypto: (query: z.input<typeof cryptoListQuery>) =>
    transport.send(get('/v1/deposit/crypto', 'signed', { query: cryptoListQuery.parse(query) }), depositPage),
  findCrypto: (idOrReference: string) =>
    transport.send(get(`/v1/deposit/crypto/${pathSegment(idOrReference)}`, 'signed'), depositRecord),
  /** Deprecated: the service removes it on 13 October 2026. */
  listAny: (query: z.input<typeof anyListQuery>) =>
    transport.send(get('/v1/deposit', 'signed', { query: anyListQuery.parse(query) }), depositPage),
  /** Deprecated: the service removes it on 13 October 2026. */
  findAny: (idOrReference: string) =>
    transport.send(get(`/v1/deposit/${pathSegment(idOrReference)}`, 'signed'), depositRecord),
  createFiat: (request: z.input<typeof fiatDepositRequest>) =>
    transport.send(
      post('/v1/deposit/fiat', 'authorization', JSON.stringify(fiatDepositRequest.parse(request))),
      depositRecord,
    ),
  createCrypto: (request: z.input<typeof cryptoDepositRequest>) =>
    transport.send(
      post('/v1/deposit/crypto', 'authorization', JSON.stringify(cryptoDepositRequest.parse(request))),
      depositRecord,
    ),
  cancel: (depositId: string) =>
    transport.send(
      { method: 'PATCH', path: `/v1/deposit/${pathSegment(depositId)}/cancel`, auth: 'authorization' },
      noData,
    ),
  paymentMethods: (query: z.input<typeof methodsQuery>) =>
    transport.send(
      get('/v1/deposit/payment-method', 'authorization', { query: methodsQuery.parse(query) }),
      z.array(depositPaymentMethod),
    ),
});
