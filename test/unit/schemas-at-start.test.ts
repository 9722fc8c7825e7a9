import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runProgram } from '../../infra/local/run-program.ts';

const root = new URL('../../', import.meta.url);
const program = fileURLToPath(new URL('../support/schema-makers.ts', import.meta.url));

/** Files whose schemas every start needs, because they parse the event. */
const ofEachStart = ['functions/domain/queued-messages.ts'];

const filesIn = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, root)).flatMap((name) => (name.endsWith('.ts') ? [`${folder}/${name}`] : []));

it('the steps and the functions of webhooks load only the schemas of their input', async () => {
  const handlers = ['functions/steps', 'functions/steps/funding', 'functions/webhooks'].flatMap(filesIn);
  const urls = handlers.map((file) => new URL(file, root).href);
  const makers = (await runProgram(process.execPath, [program, ...urls], 'The functions could not be loaded.')).split(
    '\n',
  );
  expect(makers.filter((file) => !handlers.includes(file)).sort()).toEqual(ofEachStart);
});
