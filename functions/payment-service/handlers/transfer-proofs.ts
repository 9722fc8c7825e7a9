import { transferProofs } from '../endpoints/by-function.ts';
import { serveEndpoints } from '../serve-endpoints.ts';

/** Serves transfer proofs. It is a separate function because a PDF needs more memory and code than everything else. */
export const handler = serveEndpoints(transferProofs);
