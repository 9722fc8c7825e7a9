import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isHandlerFile } from '../../infra/constructs/function-code.ts';
import { NodeFunction } from '../../infra/constructs/node-function.ts';
import { functionTable } from '../../infra/function-table/function-table.ts';
import { operatorEndpoints } from '../../infra/function-table/operator-endpoints.ts';
import { composed } from '../support/synthesized.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const app = composed({ eventWebhook: { url: 'https://merchant.example/hooks', secretName: 'merchant/events' } });
const deployed = app.node.findAll().filter((one) => one instanceof NodeFunction);
const inStack = (stack: string) => deployed.filter(({ node }) => node.path.startsWith(`${stack}/`));

describe('the function table', () => {
  it('has every function of the orchestrator, with its file, and no other', () => {
    const made = inStack('PayoutOrchestrator').map(({ node, entry }) => `${node.id}: ${entry}`);
    const listed = Object.entries(functionTable).map(([name, { entry }]) => `${name}: ${entry}`);
    expect(made.toSorted()).toEqual(listed.toSorted());
  });

  it('deploys, with the payment service’s stack, every file with a handler once', () => {
    const handlers = globSync('functions/**/*.ts', { cwd: root }).filter((file) => isHandlerFile(textOf(file)));
    expect(deployed.map(({ entry }) => entry).toSorted()).toEqual(handlers.toSorted());
  });
});

/** Returns the lines of the folder's README that name the function's file or its subfolder. */
const readmeLines = (entry: string): readonly string[] => {
  const [, subject = '', rest = ''] = /^functions\/([\w-]+)\/(.+)$/.exec(entry) ?? [];
  const names = [rest, `${path.posix.dirname(rest)}/`];
  return textOf(`functions/${subject}/README.md`)
    .split('\n')
    .filter((line) => names.some((name) => line.includes(`\`${name}\``)));
};

describe('the README of each folder of functions', () => {
  it.each(Object.entries(functionTable))('names the file of %s', (_, { entry }) => {
    expect(readmeLines(entry).length).toBeGreaterThan(0);
  });

  it.each(Object.entries(operatorEndpoints))('has the request of %s in the same row', (_, { entry, request }) => {
    expect(readmeLines(entry).filter((line) => line.includes(`\`${request}\``))).toHaveLength(1);
  });

  it('has only requests that the API answers', () => {
    const rows = textOf('functions/api/README.md')
      .split('\n')
      .filter((line) => /^\| `(GET|POST) /.test(line));
    const requests = rows.flatMap((line) =>
      [...(line.split(' | ')[0] ?? '').matchAll(/`(\w+ [^`]+)`/g)].map(([, one]) => one),
    );
    const answered = [...Object.values(operatorEndpoints).map(({ request }) => request), 'POST /webhooks/{token}'];
    expect(requests.toSorted()).toEqual(answered.toSorted());
  });
});
