import * as z from 'zod';
import { enveloped } from '../../http/answer-schemas.ts';
import { success } from '../../http/answers.ts';
import { openEndpoint } from '../../http/endpoint.ts';
import { currencyReferenceSchema, currencyReferences } from './reference-record.ts';

const query = z.object({});

/** GET /v1/reference/currencies: every fiat currency. Deprecated. Needs no credentials. */
export const listCurrencyReferences = openEndpoint(
  {
    method: 'GET',
    path: '/v1/reference/currencies',
    summary: 'List fiat currencies',
    answers: enveloped(z.array(currencyReferenceSchema)),
  },
  query,
  async () => success('Reference currencies', currencyReferences()),
);
