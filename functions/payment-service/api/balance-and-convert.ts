import { serveEndpoints } from '../service-runtime.ts';
import { estimateConversion } from './estimate-conversion.ts';
import { executeConversion } from './execute-conversion.ts';
import { getBalance } from './get-balance.ts';

/** Serves balance and conversion, and answers whatever path no other function has: with 404. */
export const handler = serveEndpoints([getBalance, estimateConversion, executeConversion]);
