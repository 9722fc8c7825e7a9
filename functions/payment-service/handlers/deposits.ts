import { deposits } from '../endpoints/deposits.ts';
import { serveEndpoints } from '../service-runtime.ts';

/** Serves deposits of both types and the creation of checkouts. */
export const handler = serveEndpoints(deposits);
