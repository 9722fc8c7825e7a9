import { balanceAndConvert } from '../endpoints/balance-and-convert.ts';
import { serveEndpoints } from '../service-runtime.ts';

/** Serves balance, conversion, references and the OpenAPI document, and answers whatever path no other function has: with 404. */
export const handler = serveEndpoints(balanceAndConvert);
