import * as z from 'zod';
import { cryptoStatuses } from '../../domain/disbursements/disbursement.ts';
import type { DisbursementFilter } from '../../domain/disbursements/disbursement-filter.ts';
import { tokensAt } from '../../domain/money/currencies.ts';
import { queryEndpoint } from '../../http/endpoint.ts';
import { oneOf } from '../../http/request-fields.ts';
import { enveloped } from '../../http/success.ts';
import { queryAmount } from '../../http/wire-json.ts';
import { readDisbursementPage } from '../../store/disbursements/read-disbursement-page.ts';
import { listQuery, pageOf, readPage } from '../list-query.ts';
import { cryptoDisbursementSchema, cryptoRecord } from './disbursement-record.ts';

/** ISO 8601 allows a time without seconds. One without a zone is in UTC, like all times of the service. */
const withSecondsAndZone = (time: string): string =>
  time.replace(/T(\d\d:\d\d)(?!:)/, 'T$1:00').replace(/(?<!Z|[+-]\d\d:\d\d)$/, 'Z');

const moment = z
  .string()
  .meta({ wire: { type: 'string', format: 'date-time' } })
  .transform(withSecondsAndZone)
  .pipe(z.iso.datetime({ offset: true }));

const date = z.union([z.iso.date(), moment], { error: 'must be an ISO 8601 date' });

/** Later moments have years of six digits, which sort before all others. */
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** The moment in UTC. A date without a time gets this one. */
const momentOf = (given: string, timeOfDay: string): string => {
  const at = Date.parse(given.includes('T') ? given : `${given}T${timeOfDay}Z`);
  return new Date(Math.min(at, latest)).toISOString();
};

const query = z.object({
  ...listQuery,
  status: oneOf(cryptoStatuses).optional(),
  reference: z.string().optional(),
  amount: queryAmount.optional(),
  startDate: date.optional(),
  endDate: date.optional(),
  token: z.string().optional(),
  tokenAddress: z.string().optional(),
  receiverAddress: z.string().optional(),
  txHash: z.string().optional(),
});
type Query = z.output<typeof query>;

/** The tokens that both token filters allow. */
const currencies = ({ token, tokenAddress }: Query): readonly string[] | undefined => {
  const atAddress = tokenAddress === undefined ? undefined : tokensAt(tokenAddress).map(({ code }) => code);
  if (token === undefined) return atAddress;
  return atAddress === undefined || atAddress.includes(token) ? [token] : [];
};

const filterOf = (given: Query): DisbursementFilter => {
  const { startDate, endDate } = given;
  const filter = { ...given, currencies: currencies(given) };
  // The public document says that one date alone does not filter.
  if (startDate === undefined || endDate === undefined) return filter;
  return {
    ...filter,
    created: { from: momentOf(startDate, '00:00:00.000'), to: momentOf(endDate, '23:59:59.999') },
  };
};

/** GET /v1/disbursement/crypto: a page of crypto disbursements. */
export const listCryptoDisbursements = queryEndpoint({
  route: 'GET /v1/disbursement/crypto',
  access: 'signed',
  summary: 'List crypto disbursements, a page at a time',
  answers: enveloped('Crypto disbursements', pageOf(cryptoDisbursementSchema)),
  refuses: [503],
  query,
  work: (context, { account }, given) =>
    readPage(
      context.settings,
      given,
      (wanted) => readDisbursementPage(context, { rail: 'crypto', filter: filterOf(given), ...wanted }),
      (one) => cryptoRecord(account, one),
    ),
});
