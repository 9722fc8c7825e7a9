import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ILocalBundling } from 'aws-cdk-lib';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { BuildOptions } from 'esbuild';
import { buildSync, version } from 'esbuild';
import { projectRoot } from '../local/paths.ts';
import { keptBundles } from './kept-bundles.ts';

/** How a function's file is bundled. */
export const bundling = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'node',
  target: 'node24',
  // An ES module that imports `node:http` loads all of undici at its start. That is 30 % of the processor time of a bare
  // handler's start. https://github.com/nodejs/node/issues/59686
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

/** The files of all functions, from the repository's root. */
const handlerFiles = (): readonly string[] =>
  readdirSync(path.join(projectRoot, 'functions'), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join('functions', file))
    .filter((file) => file.endsWith('.ts') && isHandlerFile(readFileSync(path.join(projectRoot, file), 'utf8')));

/** True for the text of a file that exports `handler`. */
export const isHandlerFile = (text: string): boolean => /^export const handler\b/m.test(text);

/** The bundles of files, by their paths in esbuild's output, and the files that they were made of. */
const bundle = (files: readonly string[]) => {
  const output = { outbase: projectRoot, outdir: '.', write: false, metafile: true } as const;
  const { outputFiles, metafile } = buildSync({ ...bundling, ...output, entryPoints: [...files] });
  return {
    bundles: new Map(outputFiles.map(({ path: bundled, contents }) => [bundled, contents])),
    inputs: Object.keys(metafile.inputs),
  };
};

type Bundles = ReturnType<typeof bundle>['bundles'];

/** All functions. None when one of them does not build: it must not stop the deployment of a stack that does not use it. */
const bundleTogether = (): Bundles => {
  const files = handlerFiles();
  try {
    return keptBundles({ files, bundling, esbuild: version }, () => bundle(files));
  } catch {
    return new Map();
  }
};

let together: Bundles | undefined;

/**
 * The bundle of a handler's file. All functions are bundled together: esbuild then reads what they share once, and is seven times
 * faster. Any other file is bundled alone.
 *
 * @throws Error of esbuild when the file does not build
 */
export const bundleOf = (file: string): Uint8Array => {
  together ??= bundleTogether();
  const bundled = path.join(projectRoot, file.replace(/\.ts$/, '.js'));
  const contents = together.get(bundled) ?? bundle([file]).bundles.get(bundled);
  if (contents === undefined) throw new Error(`esbuild made no bundle of ${file}`);
  return contents;
};

/** Bundles in this process. */
class Bundling implements ILocalBundling {
  /** The CDK's cache of bundles tells two functions apart by it. */
  readonly entry: string;

  constructor(entry: string) {
    this.entry = entry;
  }

  tryBundle(folder: string): boolean {
    writeFileSync(path.join(folder, 'index.js'), bundleOf(this.entry));
    return true;
  }
}

/** One minified file with a handler's file and everything it imports, including the SDK. */
export const functionCode = (entry: string): Code =>
  Code.fromAsset(path.join(projectRoot, path.dirname(entry)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: { image: DockerImage.fromRegistry('bundled-in-this-process'), local: new Bundling(entry) },
  });
