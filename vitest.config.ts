import { availableParallelism } from 'node:os';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { defineConfig } from 'vitest/config';

/** What is measured in seconds, posted, or deployed anew: these have a local AWS of their own, which waits as AWS does. */
const inRealTime = [
  'test/e2e/no-payout-waits.test.ts',
  'test/e2e/webhooks/event-webhook.test.ts',
  'test/e2e/deployment/deploy-meanwhile.test.ts',
  'test/e2e/deployment/verify-aws.test.ts',
  'test/e2e/deployment/verify-aws-leftovers.test.ts',
];

/** Vitest leaves a core to itself and needs it seldom: with two, files would run one after another. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

/** A project with a local AWS of its own, on which its test files run one after another. */
const onLocalAws = (name: string, include: string[]): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    include,
    exclude: inRealTime,
    globalSetup: ['test/support/local-aws/local-aws.ts'],
    setupFiles: ['test/support/local-aws/trust-local-aws.ts', 'test/support/payment-service/answers/watch-answers.ts'],
    fileParallelism: false,
    // Longer than any wait for a batch, so that a wait that fails says how the batch stands.
    hookTimeout: 240_000,
    testTimeout: 240_000,
    sequence: { groupOrder: 1 },
  },
});

export default defineConfig({
  test: {
    maxWorkers,
    // No test mocks a module, so files can share what they import: loading it anew for each took a third of the time.
    isolate: false,
    pool: 'threads',
    expect: { requireAssertions: true },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          setupFiles: ['test/support/fast-loop.ts'],
          // Property tests try thousands of cases: on a busy machine that takes its time.
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'simulation',
          // The ledger's tests run here against the table in memory, and in contract against the real one.
          include: ['test/simulation/**/*.test.ts', 'test/ledger/**/*.test.ts'],
          env: { LEDGER_UNDER_TEST: 'memory' },
          // On a busy machine 200 seeds take minutes.
          testTimeout: 300_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'infra',
          include: ['test/infra/**/*.test.ts'],
          hookTimeout: 120_000,
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'schemathesis',
          include: ['test/schemathesis/**/*.test.ts'],
          // Some thousand requests would leave as many lines.
          env: { POWERTOOLS_LOG_LEVEL: 'ERROR' },
          testTimeout: 300_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'linters',
          include: ['test/linters/**/*.test.ts'],
          // Their first run installs them.
          hookTimeout: 300_000,
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      onLocalAws('contract', ['test/{ledger,contract,browser}/**/*.test.ts']),
      onLocalAws('e2e', ['test/e2e/**/*.test.ts']),
      {
        extends: true,
        test: {
          name: 'real-time',
          include: inRealTime,
          globalSetup: ['test/support/local-aws/local-aws-in-real-time.ts'],
          setupFiles: [
            'test/support/local-aws/trust-local-aws.ts',
            'test/support/payment-service/answers/watch-answers.ts',
          ],
          // One would slow down what the other measures.
          fileParallelism: false,
          hookTimeout: 240_000,
          testTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
