import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { projectRoot } from '../../infra/local/paths.ts';
import type { PythonProgram } from '../../infra/local/python-packages.ts';
import { merchantsInMemory } from '../support/payment-service/service-in-memory.ts';
import type { Lambda } from '../support/servers/loopback-gateway.ts';
import { openGateway } from '../support/servers/loopback-gateway.ts';
import { operatorApi, principals } from './operator-api.ts';
import { paymentService } from './payment-service.ts';
import type { SchemathesisRun } from './run-schemathesis.ts';
import { installedSchemathesis, runSchemathesis } from './run-schemathesis.ts';

/** Before the deprecated endpoints are removed. */
const startedAt = Date.parse('2026-01-05T09:00:00Z');

interface Api {
  readonly document: string;
  readonly open: (clock: () => number) => Lambda | Promise<Lambda>;
  readonly callers: object;
}

const [starter, decider] = principals.keys();
// The second merchant makes only the sandbox control requests, so that its faults and resets do not affect the first.
const [merchant, steering] = merchantsInMemory;

const apis: readonly Api[] = [
  { document: 'functions/api/openapi.json', open: operatorApi, callers: { starter, decider } },
  {
    document: 'functions/payment-service/openapi.json',
    open: paymentService,
    callers: { merchant, steering },
  },
];

const schema = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** Returns operations such as `GET /v1/deposit/fiat/{idOrReference}`. */
const operationsOf = async (document: string): Promise<readonly string[]> => {
  const { paths } = schema.parse(JSON.parse(await readFile(path.join(projectRoot, document), 'utf8')));
  return Object.entries(paths).flatMap(([place, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${place}`),
  );
};

/** Returns the start of the failures. The whole output has several thousand lines. */
const failuresOf = ({ output }: SchemathesisRun): string => {
  const [, failures = output] = output.split(/^=+ (?:FAILURES|ERRORS) =+$/m);
  return failures.slice(0, 6000);
};

let program: PythonProgram;

beforeAll(async () => {
  program = await installedSchemathesis();
}, 600_000);

describe('schemathesis finds nothing', () => {
  it.concurrent.each(apis)('in $document', async ({ document, open, callers }) => {
    let now = startedAt;
    const clock = () => {
      now += 1;
      return now;
    };
    const operations = await operationsOf(document);
    const gateway = await openGateway(await open(clock), operations);
    try {
      const run = await runSchemathesis({ program, document, url: gateway.url, callers, clockMs: startedAt });
      const { exitCode, summary } = run;
      const { complete, failures, errors } = summary;
      expect({ exitCode, complete, failures, errors }, failuresOf(run)).toEqual({
        exitCode: 0,
        complete: true,
        failures: [],
        errors: [],
      });
      // Every operation must succeed at least once, because an API that refuses everything would match its document.
      expect(operations.filter((operation) => gateway.successes.get(operation) === 0)).toEqual([]);
      // It also made chains of requests, each from the answer to the one before.
      expect(run.followed.size).toBeGreaterThan(5);
      const { test_cases, filtered, running_time } = summary;
      const followed = [...run.followed.values()].reduce((sum, times) => sum + times, 0);
      process.stdout.write(
        `schemathesis, ${document}: ${test_cases.generated} requests, ${filtered} explained failures, ` +
          `${followed} steps along ${run.followed.size} links, ${Math.round(running_time)} s\n`,
      );
    } finally {
      await gateway.close();
    }
  });
});
