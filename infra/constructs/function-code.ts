import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ILocalBundling } from 'aws-cdk-lib';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { BuildOptions } from 'esbuild';
import { buildSync } from 'esbuild';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** CommonJS packages inside an ES module bundle still call `require`; esbuild leaves that name undefined. */
const requireInModules =
  "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);";

/** How a function's file becomes its bundle. */
export const bundling = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  // An error is matched in the state machine by its name, which may be its class's: minified it would match nothing.
  keepNames: true,
  banner: { js: requireInModules },
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** Bundles in this process: starting esbuild once a function takes five times as long as all the bundling. */
class Bundling implements ILocalBundling {
  /** Read by the CDK's cache of bundles, which tells two functions apart by it. */
  readonly entry: string;

  constructor(entry: string) {
    this.entry = entry;
  }

  tryBundle(folder: string): boolean {
    buildSync({
      ...bundling,
      entryPoints: [path.join(projectRoot, this.entry)],
      outfile: path.join(folder, 'index.mjs'),
    });
    return true;
  }
}

/** One handler's file with everything it imports, the SDK too, as one minified ES module. */
export function functionCode(entry: string): Code {
  return Code.fromAsset(path.join(projectRoot, path.dirname(entry)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: { image: DockerImage.fromRegistry('bundled-in-this-process'), local: new Bundling(entry) },
  });
}
