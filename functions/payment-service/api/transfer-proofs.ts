import { serveEndpoints } from '../service-runtime.ts';
import { downloadTransferProof } from './download-transfer-proof.ts';

/** Serves transfer proofs; a function of its own, since making a PDF takes more memory and code than all the rest. */
export const handler = serveEndpoints([downloadTransferProof]);
