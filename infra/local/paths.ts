import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Holds everything local. Git ignores it, and it is safe to delete while nothing runs. */
export const localFolder = path.join(projectRoot, '.local');

/** `node` and the other programs that package.json pins. First on the PATH of everything started here. */
export const binaries = path.join(projectRoot, 'node_modules', '.bin');

/** The payout file that is paid unless you name another. */
export const exampleFile = path.join(projectRoot, 'infra', 'local', 'example-payouts.csv');
