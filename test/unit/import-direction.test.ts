import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Rule {
  readonly from: string;
  readonly to: readonly string[];
  readonly without?: RegExp;
}

/**
 * The payment service's rules, table and endpoints are divided into the same subjects, each a folder. A subject may import
 * the subjects listed here, which all come before it. So there are no cycles, in any layer.
 */
const subjects = {
  money: [],
  lists: [],
  webhooks: [],
  sandbox: ['money'],
  conversions: ['money', 'sandbox'],
  disbursements: ['money', 'lists', 'sandbox'],
  deposits: ['money', 'lists', 'sandbox', 'conversions'],
  references: ['money', 'conversions'],
} as const;

/**
 * The layers that have subjects, from the rules outward. Each may import the ones before it. Every file of a layer may
 * import `besides`. The files directly in the layer's folder serve all subjects. They may also import each other and `shared`.
 */
const layers = [
  { layer: 'domain', besides: [], shared: ['domain/money/'] },
  {
    layer: 'store',
    besides: ['webhooks/', 'settings.ts'],
    shared: ['domain/money/', 'domain/lists/', 'domain/sandbox/'],
  },
  {
    layer: 'endpoints',
    besides: ['http/', 'proof/', 'settlement/', 'openapi.json'],
    // The list of all endpoints is in this folder.
    shared: ['domain/', 'store/', 'settings.ts', 'endpoints/'],
  },
] as const;

const rulesOfSubjects = layers.flatMap(({ layer, besides, shared }, index): readonly Rule[] => {
  const reached = layers.slice(0, index + 1).map((one) => one.layer);
  const tops = reached.map((one) => `${one}/*`);
  return [
    { from: `${layer}/*`, to: [...tops, ...besides, ...shared] },
    ...Object.entries(subjects).map(([subject, upon]) => ({
      from: `${layer}/${subject}/`,
      to: [...tops, ...besides, ...reached.flatMap((one) => [subject, ...upon].map((name) => `${one}/${name}/`))],
    })),
  ];
});

/**
 * Allowed imports by path from the root. `a/` covers everything below a folder, `a/*` the files directly in it. The first
 * matching entry counts. Packages are not restricted, except those in `without`.
 */
const rules: readonly Rule[] = [
  {
    from: 'functions/domain/',
    to: ['functions/domain/', 'functions/ports/'],
    // The rules reach nothing outside themselves: no AWS, no network, no files, no clock.
    without: /^(@aws|@smithy|@middy|node:(https?|http2|net|tls|dns|fs|timers|child_process|process|os)(\/|$))/,
  },
  // Ports are types in the terms of the rules. The only type of Node that they name is a stream.
  { from: 'functions/ports/', to: ['functions/ports/', 'functions/domain/'], without: /^(?!node:stream$)/ },
  ...['ledger', 'provider', 'files', 'workflow'].map((adapter) => ({
    from: `functions/${adapter}/`,
    to: [`functions/${adapter}/`, 'functions/domain/', 'functions/ports/'],
  })),
  // Effects on one payout and on one batch that several handlers share. Callers pass in the adapters.
  ...['payouts', 'batches'].map((shared) => ({
    from: `functions/${shared}/`,
    to: [`functions/${shared}/`, 'functions/domain/', 'functions/ports/'],
    without: /^(?!zod$)/,
  })),
  { from: 'functions/release/', to: ['functions/release/', 'functions/domain/'], without: /^(?!node:crypto$)/ },
  ...['api', 'steps', 'watch', 'webhooks', 'events'].map((handlers) => ({
    from: `functions/${handlers}/`,
    to: [handlers, 'payouts', 'batches', 'release', 'domain', 'ports']
      .map((folder) => `functions/${folder}/`)
      .concat('functions/runtime.ts'),
  })),
  // The console shows the API's answers. It uses the API's functions and has no access to the ledger of its own.
  {
    from: 'functions/console/',
    to: [...['console', 'api', 'domain', 'ports'].map((folder) => `functions/${folder}/`), 'functions/runtime.ts'],
  },
  // The payment service, from its rules outward. functions/payment-service/README.md has the same map.
  ...[
    ...rulesOfSubjects,
    ...Object.entries({
      http: ['domain/', 'settings.ts', 'store/context.ts'],
      auth: ['domain/', 'http/', 'store/'],
      proof: ['domain/'],
      webhooks: ['domain/', 'http/', 'settings.ts'],
      settlement: ['domain/', 'store/', 'runtime.ts'],
      'checkout-page': ['domain/', 'http/', 'store/', 'runtime.ts'],
      openapi: ['domain/', 'endpoints/', 'http/'],
      handlers: [''],
    }).map(([folder, to]) => ({ from: `${folder}/`, to: [`${folder}/`, ...to] })),
    { from: '*', to: [''] },
  ].map(({ from, to }) => ({
    from: `functions/payment-service/${from}`,
    to: to.map((place) => `functions/payment-service/${place}`),
  })),
  {
    from: 'functions/runtime.ts',
    to: [
      'functions/aws-clients.ts',
      ...['domain', 'ports', 'ledger', 'provider', 'files', 'workflow'].map((folder) => `functions/${folder}/`),
    ],
  },
  { from: 'functions/aws-clients.ts', to: [] },
  // Users of the product. Of the functions they know only the API's schemas, settings, money, and the check of a provider.
  ...['infra/local/', 'infra/verify/'].map((from) => ({
    from,
    to: [
      'infra/',
      'functions/api/schemas/',
      'functions/domain/settings.ts',
      'functions/domain/money/money.ts',
      'functions/domain/money/format-money.ts',
      'functions/payment-service/settings.ts',
      'functions/provider/settings.ts',
      'functions/provider/check/',
    ],
  })),
  {
    from: 'infra/',
    // Settings and names that the infra passes to functions, but none of their behavior.
    to: [
      'infra/',
      'functions/domain/problems.ts',
      'functions/domain/settings.ts',
      'functions/ledger/table/table.ts',
      'functions/payment-service/settings.ts',
      'functions/payment-service/store/keys.ts',
      'functions/provider/settings.ts',
    ],
  },
  {
    from: 'test/support/',
    // No test. An orchestrator in memory runs on the simulation's clock, workflow and steps.
    to: [
      'test/support/',
      'functions/',
      'infra/',
      ...['process.ts', 'workflow/', 'world/'].map((of) => `test/simulation/${of}`),
    ],
  },
];

const sourcesBelow = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));

/** The modules a file imports: biome keeps all imports in this form, type imports too. */
const importsOf = (file: string): string[] => {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\b[^;'"]*?\bfrom '([^']+)'|\bimport(?: |\()'([^']+)'/gm)].map(
    (found) => found[1] ?? found[2] ?? '',
  );
};

const isIn = (place: string, file: string): boolean => {
  if (place.endsWith('/*')) return path.posix.dirname(file) === path.posix.dirname(place);
  return place.endsWith('/') ? file.startsWith(place) : file === place;
};

const wrongImports = (file: string): string[] => {
  const rule = rules.find(({ from }) => isIn(from, file));
  if (rule === undefined) return [`${file} is in none of the folders that have a rule`];
  return importsOf(file).flatMap((name) => {
    if (!name.startsWith('.')) {
      return rule.without?.test(name) !== true ? [] : [`${file} imports the package ${name}`];
    }
    const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), name));
    return rule.to.some((allowed) => isIn(allowed, target)) ? [] : [`${file} imports ${target}`];
  });
};

// console → api; api, steps, watch, webhooks, events → payouts, batches, release → domain, ports ← ledger, provider, files, workflow
describe('imports', () => {
  it.each(['functions', 'infra', 'test/support'])('point one way in every file of %s', (folder) => {
    const files = sourcesBelow(folder);
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap(wrongImports)).toEqual([]);
  });

  it('of a subject of the payment service point only to earlier ones', () => {
    const names = Object.keys(subjects);
    const circular = Object.entries(subjects).filter(([subject, upon]) =>
      upon.some((name) => names.indexOf(name) >= names.indexOf(subject)),
    );
    expect(circular).toEqual([]);
  });

  it('are found of values and types, on several lines, and dynamic ones', () => {
    expect(importsOf('infra/constructs/orchestrator/payout-ledger.ts')).toEqual(
      expect.arrayContaining(['aws-cdk-lib/aws-dynamodb', 'constructs', '../node-function.ts', '../data-key.ts']),
    );
    expect(importsOf('functions/runtime.ts')).toEqual(
      expect.arrayContaining(['./ledger/ledger.ts', './ports/environment.ts']),
    );
    expect(importsOf('functions/domain/payout-file/readers/read-payout-file.ts')).toContain('./read-xlsx.ts');
  });
});
