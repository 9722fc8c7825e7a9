import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ILocalBundling } from 'aws-cdk-lib';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { BuildOptions } from 'esbuild';
import { buildSync } from 'esbuild';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** How a function's file becomes its bundle. */
export const bundling = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'node',
  target: 'node24',
  // An ES module that imports `node:http` reads its every member as it starts, and with WebSocket all of undici: 30 %
  // of the processor time of a bare handler's start. https://github.com/nodejs/node/issues/59686
  format: 'cjs',
  mainFields: ['module', 'main'],
  // Identifiers stay: errors and frames of stacks name classes and functions. keepNames calls one more function for each of them
  // as a function starts.
  minifySyntax: true,
  minifyWhitespace: true,
  // What was written as ES modules goes on in strict mode. pdfkit asks where its module is, as it starts.
  banner: { js: "'use strict';const bundleUrl=require('node:url').pathToFileURL(__filename).href;" },
  define: { 'import.meta.url': 'bundleUrl' },
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
      outfile: path.join(folder, 'index.js'),
    });
    return true;
  }
}

/** One handler's file with everything it imports, the SDK too, as one minified file. */
export const functionCode = (entry: string): Code =>
  Code.fromAsset(path.join(projectRoot, path.dirname(entry)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: { image: DockerImage.fromRegistry('bundled-in-this-process'), local: new Bundling(entry) },
  });
