import * as z from 'zod';
import { openEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { currencyReferenceSchema, currencyReferences } from './reference-record.ts';

/** GET /v1/reference/currencies: every fiat currency. Deprecated. Needs no credentials. */
export const listCurrencyReferences = openEndpoint({
  route: 'GET /v1/reference/currencies',
  summary: 'List fiat currencies',
  answers: enveloped('Reference currencies', z.array(currencyReferenceSchema)),
  query: z.object({}),
  work: async () => currencyReferences(),
});
