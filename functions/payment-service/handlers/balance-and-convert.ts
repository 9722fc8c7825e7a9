import { estimateConversion } from '../api/estimate-conversion.ts';
import { executeConversion } from '../api/execute-conversion.ts';
import { getBalance } from '../api/get-balance.ts';
import { serveEndpoints } from '../service-runtime.ts';

/** Serves balance and conversion, and answers whatever path no other function has: with 404. */
export const handler = serveEndpoints([getBalance, estimateConversion, executeConversion]);
