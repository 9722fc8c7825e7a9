import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import * as z from 'zod';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files whose schemas every start needs, because they parse the event. */
const ofEachStart = ['functions/domain/queued-messages.ts'];

/** The innermost file of functions/ on the stack, where a schema is made. */
const makerOf = (stack: string): string | undefined => /functions\/[\w/-]+\.ts/.exec(stack)?.[0];

/** Runs `work` and returns the files that make schemas during it. zod calls the hook for each new schema. */
const makersDuring = async (work: () => unknown): Promise<ReadonlySet<string | undefined>> => {
  const makers = new Set<string | undefined>();
  z.config({ postProcessor: () => makers.add(makerOf(new Error('made here').stack ?? '')) });
  try {
    await work();
    return makers;
  } finally {
    z.config({ postProcessor: undefined });
  }
};

const filesIn = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder)).flatMap((name) => (name.endsWith('.ts') ? [`${folder}/${name}`] : []));

it('a function that moves money loads only the schemas of its input', async () => {
  expect(await makersDuring(() => z.string())).toEqual(new Set([undefined]));
  // Files that other tests loaded have already made their schemas.
  vi.resetModules();
  const handlers = ['functions/steps', 'functions/steps/funding', 'functions/webhooks'].flatMap(filesIn);
  const makers = await makersDuring(() => Promise.all(handlers.map((file) => import(path.join(root, file)))));
  const others = [...makers].filter((file) => file === undefined || !handlers.includes(file));
  expect(others.sort()).toEqual(ofEachStart);
});
