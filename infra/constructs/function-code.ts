import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

const exported = '\nexport const handler = ';

/** The files of all functions, from the repository's root. */
const handlerFiles = (): readonly string[] =>
  readdirSync(path.join(projectRoot, 'functions'), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join('functions', file))
    .filter((file) => file.endsWith('.ts') && readFileSync(path.join(projectRoot, file), 'utf8').includes(exported));

/** The bundle of each function's file. All are made together: esbuild then reads what they share once, and is seven times faster. */
const bundleAll = (): ReadonlyMap<string, Uint8Array> => {
  const { outputFiles } = buildSync({
    ...bundling,
    entryPoints: [...handlerFiles()],
    outbase: projectRoot,
    outdir: '.',
    write: false,
  });
  return new Map(outputFiles.map(({ path: file, contents }) => [path.relative(projectRoot, file), contents]));
};

let bundles: ReadonlyMap<string, Uint8Array> | undefined;

/** Bundles in this process, when the CDK needs the first bundle. */
class Bundling implements ILocalBundling {
  /** The CDK's cache of bundles tells two functions apart by it. */
  readonly entry: string;

  constructor(entry: string) {
    this.entry = entry;
  }

  tryBundle(folder: string): boolean {
    bundles ??= bundleAll();
    const bundle = bundles.get(this.entry.replace(/\.ts$/, '.js'));
    if (bundle === undefined) throw new Error(`${this.entry} does not say "${exported.trim()}"`);
    writeFileSync(path.join(folder, 'index.js'), bundle);
    return true;
  }
}

/** One minified file with a handler's file and everything it imports, including the SDK. */
export const functionCode = (entry: string): Code =>
  Code.fromAsset(path.join(projectRoot, path.dirname(entry)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: { image: DockerImage.fromRegistry('bundled-in-this-process'), local: new Bundling(entry) },
  });
