import { estimateConversion } from '../api/estimate-conversion.ts';
import { executeConversion } from '../api/execute-conversion.ts';
import { getBalance } from '../api/get-balance.ts';
import { getOpenApiDocument } from '../api/get-openapi-document.ts';
import { listCryptoReferences } from '../api/list-crypto-references.ts';
import { listCurrencyReferences } from '../api/list-currency-references.ts';
import type { Service } from '../api/service.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** Balance, conversion and references, and the document that tells of all endpoints. */
export const balanceAndConvert: readonly Endpoint<Service>[] = [
  getBalance,
  estimateConversion,
  executeConversion,
  listCurrencyReferences,
  listCryptoReferences,
  getOpenApiDocument,
];
