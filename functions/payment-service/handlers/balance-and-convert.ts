import { estimateConversion } from '../api/estimate-conversion.ts';
import { executeConversion } from '../api/execute-conversion.ts';
import { getBalance } from '../api/get-balance.ts';
import { listCryptoReferences } from '../api/list-crypto-references.ts';
import { listCurrencyReferences } from '../api/list-currency-references.ts';
import { serveEndpoints } from '../service-runtime.ts';

/** Serves balance, conversion and references, and answers whatever path no other function has: with 404. */
export const handler = serveEndpoints([
  getBalance,
  estimateConversion,
  executeConversion,
  listCurrencyReferences,
  listCryptoReferences,
]);
