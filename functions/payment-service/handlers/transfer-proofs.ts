import { transferProofs } from '../endpoints/transfer-proofs.ts';
import { serveEndpoints } from '../service-runtime.ts';

/** Serves transfer proofs; a function of its own, since making a PDF takes more memory and code than all the rest. */
export const handler = serveEndpoints(transferProofs);
