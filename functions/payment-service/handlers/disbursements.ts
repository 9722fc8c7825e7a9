import { disbursements } from '../endpoints/by-function.ts';
import { serveEndpoints } from '../serve-endpoints.ts';

/** Serves disbursements of both rails, except the transfer proof. */
export const handler = serveEndpoints(disbursements);
