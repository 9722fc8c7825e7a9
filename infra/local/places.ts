import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Everything local lives in here, ignored by git and safe to delete while nothing runs. */
export const localFolder = path.join(projectRoot, '.local');

/** `node` and the other programs that package.json pins; first on the PATH of everything started here. */
export const binaries = path.join(projectRoot, 'node_modules', '.bin');

/** The account that the local AWS takes itself for. */
export const account = '000000000000';

/** The payout file that is paid when no other is named. */
export const exampleFile = path.join(projectRoot, 'infra', 'local', 'example-payouts.csv');
