import { sandboxControls } from '../endpoints/by-function.ts';
import { serveEndpoints } from '../serve-endpoints.ts';

/** Serves the sandbox controls. Deployed only with a sandbox. */
export const handler = serveEndpoints(sandboxControls);
