import * as z from 'zod';
import { once } from '../../domain/once.ts';
import type { Transport, Urgency } from '../transport/transport.ts';
import { get, pathSegment, post } from '../transport/transport.ts';
import { amount, decimal, informative, optional, received, sent, sentAmount, text } from '../wire-values.ts';
import { disbursementFields, pageOf, pageQuery, readableOf } from './page.ts';

const bank = received(() => ({
  accountName: text(),
  /** Must be a string: a number would have lost its leading zeros. */
  accountNumber: optional(z.string()),
  bankCode: optional(z.string()),
}));

const recipient = received(() => ({
  recipientId: optional(z.string()),
  email: text(),
  name: text(),
  bank: optional(bank()),
  verification: informative(z.object({ suppliedName: text() })),
}));

/** A record as lists, lookups and the answer to a POST hold it. */
export const fiatDisbursement = received(() => ({
  ...disbursementFields(),
  recipient: optional(recipient()),
  currency: z.string().min(1),
  feePercentage: informative(decimal()),
}));

/** A fiat disbursement as the service returns it. */
export type FiatDisbursement = z.infer<ReturnType<typeof fiatDisbursement>>;

const disbursementPage = once(() => pageOf(fiatDisbursement()));

const listQuery = sent(() => ({
  ...pageQuery(),
  disbursementId: z.string().optional(),
  status: z.string().optional(),
  currency: z.string().optional(),
}));

const directRecipient = sent(() => ({
  name: z.string().optional(),
  email: z.string().optional(),
  bank: z.strictObject({
    bankName: z.string(),
    accountName: z.string(),
    accountNumber: z.string(),
    bankCode: z.string(),
  }),
}));
const createRequest = sent(() => ({
  currency: z.string(),
  disburseData: z.array(
    z
      .strictObject({
        recipientId: z.string().optional(),
        recipient: directRecipient().optional(),
        amount: sentAmount(),
        reference: z.string().optional(),
        note: z.string().optional(),
      })
      .refine((item) => (item.recipientId === undefined) !== (item.recipient === undefined), 'one recipient'),
  ),
}));
const created = received(() => ({ disburseData: z.array(fiatDisbursement()) }));

/**
 * The body of POST /v2/disbursement/fiat. Composed before the call, because its hash is recorded first. Keys are in the schema's
 * order, so equal requests are equal text.
 */
export const composeFiatDisbursements = (request: z.input<ReturnType<typeof createRequest>>): string =>
  JSON.stringify(createRequest().parse(request));

const methodsQuery = sent(() => ({ currency: z.string().optional() }));
const paymentMethod = received(() => ({
  currency: z.string().min(1),
  bankCode: z.string().min(1),
  bankName: z.string(),
  minAmount: amount(),
  maxAmount: amount(),
  feeFlat: amount(),
  feePercentage: amount(),
}));

const paymentMethods = once(() => readableOf(paymentMethod()));

/** Disbursements to bank accounts. */
export const fiatDisbursementEndpoints = (transport: Transport) => ({
  list: (query: z.input<ReturnType<typeof listQuery>>, urgency: Urgency = {}) =>
    transport.send(
      get('/v1/disbursement/fiat', 'signed', { query: listQuery().parse(query), ...urgency }),
      disbursementPage(),
    ),
  find: (idOrReference: string, urgency: Urgency = {}) =>
    transport.send(get(`/v1/disbursement/fiat/${pathSegment(idOrReference)}`, 'signed', urgency), fiatDisbursement()),
  /** Moves money. `body` comes from composeFiatDisbursements. */
  create: (body: string) => transport.send(post('/v2/disbursement/fiat', 'authorization', body), created()),
  paymentMethods: (query: z.input<ReturnType<typeof methodsQuery>>) =>
    transport.send(
      get('/v1/disbursement/fiat/payment-method', 'authorization', { query: methodsQuery().parse(query) }),
      paymentMethods(),
    ),
  /** The PDF that shows a completed transfer. */
  proof: (disbursementId: string) =>
    transport.sendForPdf(
      get(`/v1/disbursement/fiat/${pathSegment(disbursementId)}/report`, 'signed', { isSpare: true }),
    ),
});
