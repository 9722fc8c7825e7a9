import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { projectRoot } from '../../infra/local/paths.ts';
import type { PythonProgram } from '../../infra/local/python-packages.ts';
import { installedPackages } from '../../infra/local/python-packages.ts';
import { tryProgram } from '../../infra/local/run-program.ts';

export const installedSchemathesis = (): Promise<PythonProgram> =>
  installedPackages(
    {
      folder: 'schemathesis',
      what: 'schemathesis',
      requirements: new URL('requirements.txt', import.meta.url),
    },
    (line) => process.stdout.write(`${line}\n`),
  );

const summary = z.object({
  complete: z.boolean(),
  running_time: z.number(),
  test_cases: z.object({ generated: z.int() }),
  /** The number of failures that hooks.py explains. */
  filtered: z.int(),
  failures: z.array(z.object({ title: z.string(), count: z.int(), operations: z.array(z.string()) })),
  errors: z.array(z.unknown()),
});

const scenario = z.object({
  ScenarioFinished: z.object({
    recorder: z.object({
      cases: z
        .record(
          z.string(),
          z.object({ is_transition_applied: z.boolean(), transition: z.object({ id: z.string() }).nullish() }),
        )
        .default({}),
    }),
  }),
});

export interface SchemathesisRun {
  readonly exitCode: number | undefined;
  /** Its printed text: failures with the requests that show them. */
  readonly output: string;
  readonly summary: z.infer<typeof summary>;
  /** How often each link was followed: `POST /v1/checkout -> [200] getCheckoutState -> GET /checkout/{checkoutId}/state`. */
  readonly followed: ReadonlyMap<string, number>;
}

const followedIn = (events: string): ReadonlyMap<string, number> => {
  const scenarios = events.split('\n').flatMap((line) => {
    const parsed = line.startsWith('{"ScenarioFinished"') ? scenario.safeParse(JSON.parse(line)) : undefined;
    return parsed?.success ? [parsed.data.ScenarioFinished] : [];
  });
  const links = scenarios
    .flatMap(({ recorder }) => Object.values(recorder.cases))
    .flatMap(({ is_transition_applied, transition }) => (is_transition_applied && transition ? [transition.id] : []));
  return new Map([...Map.groupBy(links, (link) => link)].map(([link, times]) => [link, times.length]));
};

export interface RunOptions {
  readonly program: PythonProgram;
  /** Path in the repository, such as `functions/api/openapi.json`. */
  readonly document: string;
  readonly url: string;
  /** The credentials for signing.py. */
  readonly callers: object;
  /** The time of the first signature, in milliseconds since 1970. */
  readonly clockMs: number;
}

/**
 * Runs schemathesis once over all operations of a document. The same seed sends the same requests. `SCHEMATHESIS_SEED` changes
 * the seed. `SCHEMATHESIS_EXAMPLES` is the number of generated requests for each operation, and of request chains.
 */
export const runSchemathesis = async ({
  program,
  document,
  url,
  callers,
  clockMs,
}: RunOptions): Promise<SchemathesisRun> => {
  const here = fileURLToPath(new URL('.', import.meta.url));
  // It stores findings in its working folder and starts the next run with them, so each run gets a new folder.
  const folder = await mkdtemp(path.join(tmpdir(), 'schemathesis-'));
  const { SCHEMATHESIS_SEED: seed = '1', SCHEMATHESIS_EXAMPLES: examples = '25' } = process.env;
  const reports = { summary: path.join(folder, 'summary.json'), events: path.join(folder, 'events.ndjson') };
  try {
    const { code, output } = await tryProgram(
      program.python,
      [
        ...['-c', 'from schemathesis.cli import schemathesis; schemathesis()'],
        ...[
          '--config-file',
          path.join(here, 'schemathesis.toml'),
          'run',
          path.join(projectRoot, document),
          '--url',
          url,
        ],
        ...['--seed', seed, '--max-examples', examples, '--no-color', '--warnings', 'off'],
        ...['--report-json-path', reports.summary, '--report-ndjson-path', reports.events],
      ],
      {
        folder,
        environment: {
          PYTHONPATH: [here, program.environment['PYTHONPATH'] ?? ''].join(path.delimiter),
          PYTHONDONTWRITEBYTECODE: '1',
          // Otherwise the order of Python's sets changes with every run.
          PYTHONHASHSEED: '0',
          COLUMNS: '160',
          SCHEMATHESIS_CALLERS: JSON.stringify(callers),
          SCHEMATHESIS_CLOCK_MS: `${clockMs}`,
        },
      },
    );
    const read = (file: string): Promise<string> =>
      readFile(file, 'utf8').catch(() => {
        throw new Error(`schemathesis did not run (${code}):\n${output}`);
      });
    return {
      exitCode: code,
      output,
      summary: summary.parse(JSON.parse(await read(reports.summary))),
      followed: followedIn(await read(reports.events)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
