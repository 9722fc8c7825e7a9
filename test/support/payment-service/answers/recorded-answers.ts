import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { SeenAnswer } from './documented.ts';

const recorded = z.object({
  method: z.string(),
  path: z.string(),
  status: z.number(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string()).transform((all) => all.join(', '))])),
  body: z.base64().transform((text) => Buffer.from(text, 'base64')),
});

/** The environment that makes Node load the recorder into every function of a local AWS. */
export const recordingInto = (file: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import ${new URL('record-answers.ts', import.meta.url).href}`,
  RECORDED_ANSWERS: file,
});

/** Every answer of the payment service that functions have received so far. */
export const recordedAnswers = (file: string): readonly SeenAnswer[] => {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines
    .map((line) => recorded.parse(JSON.parse(line)))
    .map(({ headers, ...answer }) => ({ ...answer, header: (name) => headers[name] }));
};
