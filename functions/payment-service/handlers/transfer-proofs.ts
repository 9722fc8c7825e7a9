import { transferProofs } from '../endpoints/by-function.ts';
import { serveEndpoints } from '../serve-endpoints.ts';

/** Serves transfer proofs. A function of its own, because a PDF takes more memory and code than everything else. */
export const handler = serveEndpoints(transferProofs);
