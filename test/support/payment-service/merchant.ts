import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod';
import type { MerchantCredentials } from './service-in-memory.ts';
import { service } from './service-under-test.ts';
import { uniqueWord } from './unique-word.ts';

/** A merchant's credentials. */
export const credentialsOf = (clientId: string): MerchantCredentials => {
  const found = service.merchants.find((one) => one.clientId === clientId);
  if (found === undefined) throw new Error(`the service has no merchant ${clientId}`);
  return found;
};

export const credentials = credentialsOf('sandbox-merchant');

/** Nanoseconds, so that two equal requests in the same millisecond have different signatures. */
const timestampNow = (): string =>
  `${Date.now()}${Math.floor(Math.random() * 1e6)
    .toString()
    .padStart(6, '0')}`;

interface SignedWith {
  readonly body?: string | Buffer;
  readonly timestamp?: string;
  readonly as?: typeof credentials;
}

/** The three headers of a signed request. */
export const signedHeaders = (
  method: string,
  path: string,
  { body = '', timestamp = timestampNow(), as = credentials }: SignedWith = {},
): Record<string, string> => {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const signature = createHmac('sha256', as.clientSecret)
    .update(`${timestamp}.${method}.${path}.${bodyHash}`)
    .digest('hex');
  return { 'X-Signature': signature, 'X-Timestamp': timestamp, 'X-Client-ID': as.clientId };
};

/** A GET with exactly these headers. */
export const getWith = (path: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${service.url}${path}`, { headers });

export const getSigned = (path: string, options: { timestamp?: string; as?: typeof credentials } = {}) =>
  getWith(path, signedHeaders('GET', path, options));

/** A request with the API key. A string as body is sent unchanged. */
export const send = (method: string, path: string, body?: unknown, as = credentials): Promise<Response> =>
  fetch(`${service.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${as.apiKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

/** A request with a body and the three headers of a signed request. */
export const sendSigned = (method: string, path: string, body: unknown, as = credentials): Promise<Response> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${service.url}${path}`, {
    method,
    headers: { ...signedHeaders(method, path, { body: text, as }), 'Content-Type': 'application/json' },
    body: text,
  });
};

export const sendWithoutKey = (method: string, path: string): Promise<Response> =>
  fetch(`${service.url}${path}`, { method });

const envelope = z.looseObject({ statusCode: z.number(), message: z.string(), error: z.string().optional() });

/** An answer's envelope. Its status is the HTTP status. */
export const envelopeOf = async (response: Response | Promise<Response>) => {
  const given = await response;
  const parsed = envelope.parse(await given.json());
  if (parsed.statusCode !== given.status) throw new Error(`${given.status} in HTTP, ${parsed.statusCode} in the body`);
  return parsed;
};

const disbursement = z.looseObject({
  disbursementId: z.string(),
  groupId: z.string(),
  status: z.string(),
  amount: z.number(),
  feeAmount: z.number(),
  reference: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  activityHistory: z.array(z.object({ activity: z.string(), status: z.string(), updatedAt: z.string() })),
});
export type ShownDisbursement = z.infer<typeof disbursement>;

const created = z.object({ data: z.looseObject({ disburseData: z.array(disbursement) }) });
const page = z.object({
  data: z.looseObject({ docs: z.array(disbursement), totalDocs: z.number(), hasNextPage: z.boolean() }),
});
const detail = z.object({ data: disbursement });

/** The disbursements of a POST that must succeed. */
export const createdBy = async (response: Promise<Response>): Promise<readonly ShownDisbursement[]> =>
  created.parse(await (await response).json()).data.disburseData;

export const pageOf = async (path: string, as = credentials) =>
  page.parse(await (await getSigned(path, { as })).json()).data;

export const detailOf = async (path: string, as = credentials) =>
  detail.parse(await (await getSigned(path, { as })).json()).data;

const balances = z.array(z.object({ amount: z.number(), assetCode: z.string() }));
const balance = z.object({ assets: z.object({ fiat: z.object({ balances }), crypto: z.object({ balances }) }) });

/** The balance in a currency. Test amounts are small enough for JavaScript numbers. */
export const balanceOf = async (currency: string, as = credentials): Promise<number> => {
  const { assets } = balance.parse(await (await send('GET', '/v1/balance', undefined, as)).json());
  const found = [...assets.fiat.balances, ...assets.crypto.balances].find((one) => one.assetCode === currency);
  if (found === undefined) throw new Error(`no balance in ${currency}`);
  return found.amount;
};

/** Items of a fiat POST to bank accounts in the Philippines, with the standard outcome. */
export const fiatItems = (count: number, word = uniqueWord()) =>
  Array.from({ length: count }, (_, index) => ({
    recipient: {
      bank: {
        bankName: 'BDO Unibank',
        bankCode: 'BDO',
        accountName: 'Maria Reyes',
        accountNumber: `00123${index.toString().padStart(4, '0')}00`,
      },
    },
    amount: 100 + index,
    reference: `${word}-${index}`,
  }));

export const postFiat = (items: readonly object[], currency = 'PHP') =>
  send('POST', '/v2/disbursement/fiat', { currency, disburseData: items });

/** Items of a crypto POST to wallets with these endings. */
export const cryptoItems = (endings: readonly string[], word = uniqueWord()) =>
  endings.map((ending, index) => ({
    receiverWalletAddress: `0x${ending.padStart(40, '1')}`,
    amount: 10 + index,
    reference: `${word}-${index}`,
  }));

export const postCrypto = (items: readonly object[], token = 'usdc-polygon') =>
  send('POST', '/v1/disbursement/crypto', { token, receivers: items });
