import { disbursements } from '../endpoints/disbursements.ts';
import { serveEndpoints } from '../service-runtime.ts';

/** Serves disbursements of both rails but for the transfer proof. */
export const handler = serveEndpoints(disbursements);
