import { balanceAndConvert } from '../endpoints/by-function.ts';
import { serveEndpoints } from '../serve-endpoints.ts';

/** Serves balance, conversion, references and the OpenAPI document. Answers 404 for every path that no other function has. */
export const handler = serveEndpoints(balanceAndConvert);
