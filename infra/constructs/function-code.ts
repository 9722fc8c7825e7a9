import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ILocalBundling } from 'aws-cdk-lib';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { BuildOptions } from 'esbuild';
import { buildSync } from 'esbuild';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** How a function's file is bundled. */
export const bundling = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'node',
  target: 'node24',
  // An ES module that imports `node:http` loads all of undici at its start, which is 30 % of the processor time of a bare handler's
  // start. https://github.com/nodejs/node/issues/59686
  format: 'cjs',
  mainFields: ['module', 'main'],
  // Identifiers are kept, because errors and stack traces name classes and functions. `keepNames` would slow down every start.
  minifySyntax: true,
  minifyWhitespace: true,
  // ES modules are strict, so the bundle stays strict. pdfkit needs `import.meta.url` at its start.
  banner: { js: "'use strict';const bundleUrl=require('node:url').pathToFileURL(__filename).href;" },
  define: { 'import.meta.url': 'bundleUrl' },
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** Bundles in this process, because starting esbuild for each function takes five times as long as all the bundling. */
class Bundling implements ILocalBundling {
  /** The CDK's cache of bundles tells two functions apart by it. */
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

/** One minified file with a handler's file and everything it imports, including the SDK. */
export const functionCode = (entry: string): Code =>
  Code.fromAsset(path.join(projectRoot, path.dirname(entry)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: { image: DockerImage.fromRegistry('bundled-in-this-process'), local: new Bundling(entry) },
  });
