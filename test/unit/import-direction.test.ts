import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Who may import what, by path from the root. The first entry that a file's path starts with counts. Packages are no
 * concern of this, except those that `without` names.
 */
const rules: readonly { readonly from: string; readonly to: readonly string[]; readonly without?: RegExp }[] = [
  {
    from: 'functions/domain/',
    to: ['functions/domain/'],
    // The rules reach nothing outside themselves: no AWS, no network, no files, no clock.
    without: /^(@aws|@smithy|@middy|node:(https?|http2|net|tls|dns|fs|timers|child_process|process|os)(\/|$))/,
  },
  { from: 'functions/ledger/', to: ['functions/ledger/', 'functions/domain/'] },
  { from: 'functions/provider/', to: ['functions/provider/', 'functions/domain/'] },
  { from: 'functions/files/', to: ['functions/files/', 'functions/domain/'] },
  ...['api', 'steps', 'watch', 'webhooks'].map((handlers) => ({
    from: `functions/${handlers}/`,
    to: [`functions/${handlers}/`, 'functions/domain/', 'functions/runtime.ts'],
  })),
  // The payment service, from its rules outward: its README's table says the same.
  ...Object.entries({
    domain: [],
    http: ['domain'],
    auth: ['domain', 'http'],
    proof: ['domain'],
    webhooks: ['domain', 'http', 'settings.ts'],
    store: ['domain', 'webhooks'],
    settlement: ['domain', 'store'],
    'checkout-page': ['domain', 'http', 'store'],
    api: ['domain', 'http', 'store', 'proof', 'settings.ts', 'openapi.json'],
    endpoints: ['api', 'http'],
    openapi: ['api', 'domain', 'endpoints', 'http'],
  }).map(([folder, to]) => ({
    from: `functions/payment-service/${folder}/`,
    to: [folder, ...to].map((one) => `functions/payment-service/${one}${one.includes('.') ? '' : '/'}`),
  })),
  { from: 'functions/payment-service/', to: ['functions/payment-service/'] },
  { from: 'functions/workflow.ts', to: ['functions/domain/'] },
  { from: 'functions/hint-queue.ts', to: ['functions/domain/'] },
  {
    from: 'functions/runtime.ts',
    to: [
      ...['domain', 'ledger', 'provider', 'files'].map((folder) => `functions/${folder}/`),
      'functions/workflow.ts',
      'functions/hint-queue.ts',
    ],
  },
  {
    // The local AWS is a user of the product: it knows the API by its schemas, and nothing else of what runs.
    from: 'infra/local/',
    to: ['infra/', 'functions/api/schemas/', 'functions/domain/settings.ts', 'functions/payment-service/settings.ts'],
  },
  {
    from: 'infra/',
    // Settings and names: what the infra hands to functions, never what they do.
    to: [
      'infra/',
      'functions/api/schemas/problem.ts',
      'functions/domain/settings.ts',
      'functions/ledger/table.ts',
      'functions/payment-service/settings.ts',
      'functions/payment-service/store/table.ts',
    ],
  },
];

function sourcesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
}

/** The modules a file imports: biome keeps all imports in this form, type imports too. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\b[^;'"]*?\bfrom '([^']+)'|\bimport(?: |\()'([^']+)'/gm)].map(
    (found) => found[1] ?? found[2] ?? '',
  );
}

function wrongImports(file: string): string[] {
  const rule = rules.find(({ from }) => file.startsWith(from));
  if (rule === undefined) return [`${file} is in none of the folders that have a rule`];
  return importsOf(file).flatMap((name) => {
    if (!name.startsWith('.')) {
      return rule.without?.test(name) !== true ? [] : [`${file} imports the package ${name}`];
    }
    const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), name));
    return rule.to.some((allowed) => target.startsWith(allowed)) ? [] : [`${file} imports ${target}`];
  });
}

describe('imports point one way: api, steps, watch, webhooks → domain ← ledger, provider, files', () => {
  it.each(['functions', 'infra'])('in every file of %s', (folder) => {
    const files = sourcesBelow(folder);
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap(wrongImports)).toEqual([]);
  });

  it('sees imports of values, of types, on several lines, and those made while running', () => {
    expect(importsOf('infra/constructs/payout-ledger.ts')).toEqual(
      expect.arrayContaining(['aws-cdk-lib/aws-dynamodb', 'constructs', './node-function.ts', './data-key.ts']),
    );
    expect(importsOf('functions/runtime.ts')).toEqual(
      expect.arrayContaining(['./ledger/ledger.ts', './domain/ledger-port.ts']),
    );
  });
});
