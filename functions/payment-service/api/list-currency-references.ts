import * as z from 'zod';
import { success } from '../http/answers.ts';
import { openEndpoint } from '../http/endpoint.ts';
import { currencyReferences } from './reference-record.ts';

const query = z.object({});

/** GET /v1/reference/currencies: every fiat currency. Deprecated, and open to anybody. */
export const listCurrencyReferences = openEndpoint<object, typeof query>(
  { method: 'GET', path: '/v1/reference/currencies' },
  query,
  async () => success('Reference currencies', currencyReferences()),
);
