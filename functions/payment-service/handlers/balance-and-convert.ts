import { balanceAndConvert } from '../endpoints/by-function.ts';
import { serveEndpoints } from '../serve-endpoints.ts';

/** Serves balance, conversions, references and the OpenAPI document, and answers 404 for paths of no function. */
export const handler = serveEndpoints(balanceAndConvert);
