import type { Account, CryptoMethod, Disbursement, FiatMethod } from './account.ts';
import { Refused, statusAt } from './account.ts';
import type { Priced } from './orders.ts';
import { cryptoOrders, fiatOrders } from './orders.ts';
import { pageOf, recordOf } from './records.ts';

export type Methods = { fiat: FiatMethod[]; crypto: CryptoMethod[] };

export type Asked = { method: string; path: string; query: URLSearchParams; body: unknown; now: number };

/** The document: "Maximum page size of disbursement lists: not shown." Here it is 50, and `limit` is the size used. */
const largestPage = 50;

const proof = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n');

const ok = (data: unknown, message = 'OK') => ({ statusCode: 200, message, data });

const sum = (numbers: number[]): number => Number(numbers.reduce((total, one) => total + one, 0).toFixed(6));

const created = (made: Disbursement[], count: string, message: string, now: number) =>
  ok(
    {
      [count]: made.length,
      disburseData: made.map((one) => recordOf(one, now)),
      sumFees: sum(made.map(({ fee }) => fee.toNumber())),
      sumAmount: sum(made.map(({ amount }) => amount)),
    },
    message,
  );

/** True when a record matches every filter of the query. Dates only filter when both are given. */
const matches = (one: Disbursement, query: URLSearchParams, at: number): boolean => {
  const [from, to] = [query.get('startDate'), query.get('endDate')];
  if (from !== null && to !== null && (one.createdAt < Date.parse(from) || one.createdAt > Date.parse(to)))
    return false;
  const fields = {
    disbursementId: one.disbursementId,
    status: statusAt(one, at),
    ...(one.rail === 'fiat'
      ? { currency: one.currency }
      : { token: one.currency, reference: one.reference, receiverAddress: one.to['receiverAddress'] }),
  };
  if (one.rail === 'crypto' && query.get('amount') && Number(query.get('amount')) !== one.amount) return false;
  return Object.entries(fields).every(([name, value]) => !query.get(name) || query.get(name) === value);
};

const listed = (all: Disbursement[], query: URLSearchParams, at: number) => {
  const backwards = query.get('sort')?.startsWith('-') ?? false;
  const byUpdate = query.get('sort')?.endsWith('updatedAt') ?? false;
  const sortTime = (one: Disbursement) =>
    byUpdate ? (one.course.filter((step) => step.at <= at).at(-1)?.at ?? one.createdAt) : one.createdAt;
  const sorted = all.filter((one) => matches(one, query, at)).toSorted((a, b) => sortTime(a) - sortTime(b));
  const docs = (backwards ? sorted.toReversed() : sorted).map((one) => recordOf(one, at));
  const limit = Math.min(Number(query.get('limit') ?? 10), largestPage);
  return pageOf(docs, Number(query.get('page') ?? 1), limit);
};

/**
 * Answers requests for disbursements, the balance and methods as the document says. Throws `Refused` for an error body.
 * Lists and lookups show the state of `lag` milliseconds ago.
 */
export const answer = (
  account: Account,
  methods: Methods,
  lag: number,
  { method, path, query, body, now }: Asked,
): object | Uint8Array => {
  const at = now - lag;
  const known = (rail: string) => account.disbursements.filter((one) => one.rail === rail && one.createdAt <= at);
  const disburse = (rail: 'fiat' | 'crypto', { currency, orders }: { currency: string; orders: Priced[] }) =>
    account.disburse(rail, currency, orders, now);

  switch (`${method} ${path}`) {
    case 'GET /v1/balance': {
      const balances = account.balances(now);
      const lastUpdated = new Date(now).toISOString();
      const isCrypto = ({ assetCode }: { assetCode: string }) => assetCode.includes('-');
      const fiat = { balances: balances.filter((one) => !isCrypto(one)), lastUpdated };
      return { userId: 'user-1', assets: { fiat, crypto: { balances: balances.filter(isCrypto), lastUpdated } } };
    }
    case 'GET /v1/disbursement/fiat/payment-method':
      return ok(methods.fiat.filter(({ currency }) => [null, currency].includes(query.get('currency'))));
    case 'GET /v1/disbursement/crypto/payment-method':
      return ok(methods.crypto);
    case 'GET /v1/disbursement/crypto/estimate': {
      const token = query.get('token');
      const amount = Number(query.get('amount'));
      const one = methods.crypto.find(({ currency }) => currency === token);
      if (!one) throw new Refused(400, 'Crypto not found');
      return ok({ token, amount, fee: one.feeFlat + (amount * one.feePercentage) / 100 });
    }
    case 'POST /v2/disbursement/fiat':
      return created(
        disburse('fiat', fiatOrders(methods.fiat, body)),
        'totalRecipient',
        'Disbursement created successfully',
        now,
      );
    case 'POST /v1/disbursement/crypto':
      return created(
        disburse('crypto', cryptoOrders(methods.crypto, body)),
        'totalReceiver',
        'Crypto disbursement created',
        now,
      );
    case 'GET /v1/disbursement/fiat': {
      const page = listed(known('fiat'), query, at);
      return ok({ ...page, totalItems: 'totalDocs' in page ? page.totalDocs : 0 });
    }
    case 'GET /v1/disbursement/crypto':
      return ok(listed(known('crypto'), query, at));
  }

  const [, rail = '', key = '', report] = /^\/v1\/disbursement\/(fiat|crypto)\/([^/]+)(\/report)?$/.exec(path) ?? [];
  const name = decodeURIComponent(key);
  const found = known(rail).find((one) => one.disbursementId === name || (!report && one.reference === name));
  if (method !== 'GET' || !rail || (report && rail === 'crypto')) throw new Refused(404, `Cannot ${method} ${path}`);
  if (!found) throw new Refused(404, rail === 'crypto' ? 'Crypto disbursement not found' : 'Disbursement not found');
  if (!report) return ok(recordOf(found, at));
  if (statusAt(found, at) !== 'completed') throw new Refused(400, 'Disbursement is not completed');
  return proof;
};
