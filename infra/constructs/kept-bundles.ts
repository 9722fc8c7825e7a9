import { hash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import * as z from 'zod';
import { localFolder, projectRoot } from '../local/paths.ts';

type Bundles = Map<string, Uint8Array>;

interface Made {
  readonly bundles: Bundles;
  /** The files that esbuild read, from the repository's root. */
  readonly inputs: readonly string[];
}

const kept = z.object({
  /** What they were made from, besides these files. */
  source: z.string(),
  /** The SHA-256 of each file that the bundles were made of, by its path from the repository's root. */
  inputs: z.map(z.string(), z.string()),
  bundles: z.map(z.string(), z.instanceof(Uint8Array)),
});

const keptFile = path.join(localFolder, 'bundles');

/** Which packages npm has installed. A bundle may find another file of a package when it changes. */
const installed = path.join('node_modules', '.package-lock.json');

const hashOf = (file: string): string => hash('sha256', readFileSync(path.resolve(projectRoot, file)));

/** The kept bundles. Undefined when there are none, or something that they were made of has changed. */
const read = (at: string, source: string): Bundles | undefined => {
  try {
    const found = kept.parse(deserialize(readFileSync(at)));
    const { inputs, bundles } = found;
    return found.source === source && [...inputs].every(([file, hash]) => hashOf(file) === hash) ? bundles : undefined;
  } catch {
    return undefined;
  }
};

/** Keeps what was made since then, unless a file was saved meanwhile: it may differ from what esbuild read. */
const keep = (at: string, source: string, since: number, { bundles, inputs }: Made): void => {
  const files = [installed, 'tsconfig.json', 'package.json', ...inputs];
  if (files.some((file) => statSync(path.resolve(projectRoot, file)).mtimeMs >= since)) return;
  mkdirSync(path.dirname(at), { recursive: true });
  // Another process may read or write it now: a rename replaces it whole.
  const written = `${at}-${randomUUID()}`;
  writeFileSync(written, serialize({ source, inputs: new Map(files.map((file) => [file, hashOf(file)])), bundles }));
  renameSync(written, at);
};

/**
 * Returns the bundles that an earlier process made of the same files, and otherwise makes and keeps them. Deployments, their tests
 * and `cdk diff` each run the app, and making the bundles takes most of its time.
 *
 * @param from what they are made from, besides the files that esbuild reads
 */
export const keptBundles = (from: unknown, make: () => Made, at: string = keptFile): Bundles => {
  const source = JSON.stringify(from);
  const earlier = read(at, source);
  if (earlier !== undefined) return earlier;
  const since = Date.now();
  const fresh = make();
  try {
    keep(at, source, since, fresh);
  } catch {
    // They are made again next time, which only takes longer.
  }
  return fresh.bundles;
};
