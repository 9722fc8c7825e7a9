import { estimateConversion } from '../api/conversions/estimate-conversion.ts';
import { executeConversion } from '../api/conversions/execute-conversion.ts';
import { getBalance } from '../api/get-balance.ts';
import { getOpenApiDocument } from '../api/get-openapi-document.ts';
import { listCryptoReferences } from '../api/references/list-crypto-references.ts';
import { listCurrencyReferences } from '../api/references/list-currency-references.ts';
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
