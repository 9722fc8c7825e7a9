import { sandboxControls } from '../endpoints/sandbox.ts';
import { serveEndpoints } from '../service-runtime.ts';

/** Serves what steers a merchant's sandbox. Deployed with a sandbox only. */
export const handler = serveEndpoints(sandboxControls);
