import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import * as z from 'zod';

type Bundles = Map<string, Uint8Array>;

const kept = z.object({
  made: z.string(),
  /** The SHA-256 of each file that the bundles were made of, by its path from the repository's root. */
  inputs: z.map(z.string(), z.string()),
  bundles: z.map(z.string(), z.instanceof(Uint8Array)),
});

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
const keptFile = path.join(projectRoot, '.local', 'bundles');

/** Which packages npm has installed. A bundle may find another file of a package when it changes. */
const installed = path.join('node_modules', '.package-lock.json');

const hashOf = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(path.resolve(projectRoot, file)))
    .digest('hex');

/** The kept bundles. Undefined when there are none, or something that they were made of has changed. */
const read = (at: string, made: string): Bundles | undefined => {
  try {
    const { inputs, bundles, ...of } = kept.parse(deserialize(readFileSync(at)));
    return of.made === made && [...inputs].every(([file, hash]) => hashOf(file) === hash) ? bundles : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Returns the bundles that an earlier process made of the same files, and otherwise makes and keeps them. Deployments, their tests
 * and `cdk diff` each run the app, and making the bundles takes most of its time.
 *
 * @param from what they are made from, besides the files that esbuild reads
 * @param make also returns the files that it read, from the repository's root
 */
export const keptBundles = (
  from: unknown,
  make: () => { readonly bundles: Bundles; readonly inputs: readonly string[] },
  at: string = keptFile,
): Bundles => {
  const made = JSON.stringify(from);
  const earlier = read(at, made);
  if (earlier !== undefined) return earlier;
  const began = Date.now();
  const { bundles, inputs } = make();
  const files = [installed, 'tsconfig.json', 'package.json', ...inputs];
  // A file that was saved meanwhile may differ from what esbuild read.
  if (files.some((file) => statSync(path.resolve(projectRoot, file)).mtimeMs >= began)) return bundles;
  mkdirSync(path.dirname(at), { recursive: true });
  // Another process may read or write it now: a rename replaces it whole.
  const written = `${at}-${randomUUID()}`;
  writeFileSync(written, serialize({ made, inputs: new Map(files.map((file) => [file, hashOf(file)])), bundles }));
  renameSync(written, at);
  return bundles;
};
