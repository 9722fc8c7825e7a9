import { transferProofs } from '../endpoints/by-function.ts';
import { serveEndpoints } from '../serve-endpoints.ts';

/** Serves transfer proofs. It is a separate function, so that no other loads the code that draws a PDF. */
export const handler = serveEndpoints(transferProofs);
