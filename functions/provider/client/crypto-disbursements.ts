import * as z from 'zod';
import { once } from '../../domain/once.ts';
import type { Transport, Urgency } from '../transport/transport.ts';
import { get, pathSegment, post } from '../transport/transport.ts';
import { amount, optional, queryAmount, received, sent, sentAmount, text } from '../wire-values.ts';
import { disbursementFields, pageOf, pageQuery, readableOf } from './page.ts';

const cryptoDisbursement = received(() => ({
  ...disbursementFields(),
  receiverAddress: optional(z.string()),
  token: z.string().min(1),
  network: optional(z.string()),
}));

/** A crypto disbursement as the service returns it. */
export type CryptoDisbursement = z.infer<ReturnType<typeof cryptoDisbursement>>;

const disbursementPage = once(() => pageOf(cryptoDisbursement()));

const listQuery = sent(() => ({
  ...pageQuery(),
  status: z.string().optional(),
  reference: z.string().optional(),
  disbursementId: z.string().optional(),
  amount: queryAmount().optional(),
  /** The filter works only when both dates are given. */
  startDate: z.string().optional(),
  endDate: z.string().optional(),
  token: z.string().optional(),
  receiverAddress: z.string().optional(),
  txHash: z.string().optional(),
}));

const createRequest = sent(() => ({
  token: z.string(),
  receivers: z.array(
    z.strictObject({
      amount: sentAmount(),
      receiverWalletAddress: z.string(),
      reference: z.string().optional(),
      note: z.string().optional(),
    }),
  ),
}));
const created = received(() => ({ disburseData: z.array(cryptoDisbursement()) }));

/**
 * The body of POST /v1/disbursement/crypto. Composed before the call, because its hash is recorded first. Keys are in the
 * schema's order, so equal requests are equal text.
 */
export const composeCryptoDisbursements = (request: z.input<ReturnType<typeof createRequest>>): string =>
  JSON.stringify(createRequest().parse(request));

const paymentMethod = received(() => ({
  /** `<token>-<network>`: what a disbursement is created with as `token`. */
  currency: z.string().min(1),
  name: text(),
  minimumAmount: amount(),
  maximumAmount: amount(),
  feeFlat: amount(),
  feePercentage: amount(),
}));

const paymentMethods = once(() => readableOf(paymentMethod()));

/** The document types this amount as an integer, although every other amount is a decimal. */
const estimateQuery = sent(() => ({ token: z.string(), amount: queryAmount() }));
const estimate = received(() => ({ fee: amount() }));

/** Disbursements to wallets. */
export const cryptoDisbursementEndpoints = (transport: Transport) => ({
  list: (query: z.input<ReturnType<typeof listQuery>>, urgency: Urgency = {}) =>
    transport.send(
      get('/v1/disbursement/crypto', 'signed', { query: listQuery().parse(query), ...urgency }),
      disbursementPage(),
    ),
  find: (idOrReference: string, urgency: Urgency = {}) =>
    transport.send(
      get(`/v1/disbursement/crypto/${pathSegment(idOrReference)}`, 'signed', urgency),
      cryptoDisbursement(),
    ),
  /** Moves money. `body` comes from composeCryptoDisbursements. */
  create: (body: string) => transport.send(post('/v1/disbursement/crypto', 'authorization', body), created()),
  paymentMethods: () =>
    transport.send(get('/v1/disbursement/crypto/payment-method', 'authorization'), paymentMethods()),
  estimate: (query: z.input<ReturnType<typeof estimateQuery>>) =>
    transport.send(
      get('/v1/disbursement/crypto/estimate', 'signed', { query: estimateQuery().parse(query) }),
      estimate(),
    ),
});
