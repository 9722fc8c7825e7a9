import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import * as z from 'zod';
import type { SeenAnswer } from './documented.ts';

const recorded = z.object({
  method: z.string(),
  path: z.string(),
  status: z.number(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string()).transform((all) => all.join(', '))])),
  body: z.base64().transform((text) => Buffer.from(text, 'base64')),
});

/**
 * The environment that makes Node load the recorder into every function of a local AWS, as JavaScript: loading TypeScript would
 * more than double the time in which Node starts.
 */
export const recordingInto = (file: string): Readonly<Record<'NODE_OPTIONS' | 'RECORDED_ANSWERS', string>> => {
  const outfile = path.join(mkdtempSync(path.join(tmpdir(), 'recorder-')), 'record-answers.mjs');
  buildSync({ entryPoints: [fileURLToPath(new URL('record-answers.ts', import.meta.url))], format: 'esm', outfile });
  return { NODE_OPTIONS: `--import ${pathToFileURL(outfile).href}`, RECORDED_ANSWERS: file };
};

/** Every answer of the payment service that functions have received so far. */
export const recordedAnswers = (file: string): readonly SeenAnswer[] => {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines
    .map((line) => recorded.parse(JSON.parse(line)))
    .map(({ headers, ...answer }) => ({ ...answer, header: (name) => headers[name] }));
};
