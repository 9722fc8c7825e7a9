import type { Log } from '../../functions/ports/environment.ts';

/** A log that writes nothing. A test that looks at some lines replaces their function. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, alarm: () => undefined };
