import { sandboxControls } from '../endpoints/by-function.ts';
import { serveEndpoints } from '../serve-endpoints.ts';

/** Serves what steers a merchant’s sandbox. Deployed with a sandbox only. */
export const handler = serveEndpoints(sandboxControls);
