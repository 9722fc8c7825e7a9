import * as z from 'zod';
import { credentials, getSigned, send, sendSigned } from '../merchant.ts';

const deposit = z.looseObject({
  depositId: z.string(),
  depositType: z.string(),
  status: z.string(),
  inputAmount: z.number(),
  outputAmount: z.number(),
  fee: z.object({ amount: z.number(), percentage: z.number(), currency: z.string() }),
  reference: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiredAt: z.string(),
  activityHistory: z.array(z.object({ activity: z.string(), status: z.string(), updatedAt: z.string() })),
});
export type ShownDeposit = z.infer<typeof deposit>;

const one = z.object({ data: deposit });
const page = z.object({
  data: z.looseObject({ docs: z.array(deposit), totalDocs: z.number(), hasNextPage: z.boolean(), limit: z.number() }),
});
const checkout = z.object({ data: z.strictObject({ id: z.string(), url: z.string() }) });

type Fields = Readonly<Record<string, unknown>>;

/** 1,000 pesos by bank transfer, with a fee of 15. */
export const postFiatDeposit = (fields: Fields = {}, as = credentials): Promise<Response> =>
  send(
    'POST',
    '/v1/deposit/fiat',
    {
      inputCurrency: 'PHP',
      inputAmount: 1000,
      outputCurrency: 'PHP',
      balanceType: 'fiat',
      paymentMethod: 'BDO',
      ...fields,
    },
    as,
  );

/** 20 USDC on Polygon, with a fee of 0.05. */
export const postCryptoDeposit = (fields: Fields = {}, as = credentials): Promise<Response> =>
  send('POST', '/v1/deposit/crypto', { inputCurrency: 'usdc-polygon', inputAmount: 20, ...fields }, as);

export const postCheckout = (fields: Fields = {}, as = credentials): Promise<Response> =>
  sendSigned('POST', '/v1/checkout', { inputCurrency: 'PHP', outputAmount: 1000, ...fields }, as);

/** The deposit in an answer that must be a success. */
export const depositIn = async (response: Promise<Response>): Promise<ShownDeposit> =>
  one.parse(await (await response).json()).data;

export const checkoutIn = async (response: Promise<Response>) => checkout.parse(await (await response).json()).data;

export const depositAt = (path: string, as = credentials): Promise<ShownDeposit> => depositIn(getSigned(path, { as }));

export const depositPageAt = async (path: string, as = credentials) =>
  page.parse(await (await getSigned(path, { as })).json()).data;

export const fiatPath = (idOrReference: string | undefined) => `/v1/deposit/fiat/${idOrReference}`;
export const cryptoPath = (idOrReference: string | undefined) => `/v1/deposit/crypto/${idOrReference}`;

export const updateDeposit = (depositId: string | undefined, status: unknown, as = credentials): Promise<Response> =>
  send('PATCH', `/v1/deposit/${depositId}`, { status }, as);

export const cancelDeposit = (depositId: string | undefined, as = credentials): Promise<Response> =>
  send('PATCH', `/v1/deposit/${depositId}/cancel`, undefined, as);
