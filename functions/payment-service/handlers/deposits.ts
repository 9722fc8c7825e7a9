import { deposits } from '../endpoints/by-function.ts';
import { serveEndpoints } from '../serve-endpoints.ts';

/** Serves deposits of both types and the creation of checkouts. */
export const handler = serveEndpoints(deposits);
