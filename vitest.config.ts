import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { defineConfig } from 'vitest/config';

/** For what tests leave in the system's folder for temporary files, mostly templates of the CDK. Their processes inherit it. */
const temporary = mkdtempSync(path.join(tmpdir(), 'payout-tests-'));
process.env['TMPDIR'] = temporary;
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));

/** Tests that measure seconds, receive posted events, or deploy again. They share a local AWS that waits as long as AWS does. */
const inRealTime = [
  'test/e2e/no-payout-waits.test.ts',
  'test/e2e/webhooks/event-webhook.test.ts',
  'test/e2e/deployment/deploy-meanwhile.test.ts',
  'test/e2e/deployment/verify-aws.test.ts',
  'test/e2e/deployment/verify-aws-leftovers.test.ts',
];

/** End-to-end tests that run on the local AWS of `contract`, so that both projects take equally long. */
const besideContract = 'test/e2e/{files/!(workbook),webhooks/*}.test.ts';

/** Each worker compiles what it runs anew. One more than there are cores takes a tenth to a quarter more processor time. */
const maxWorkers = availableParallelism();

/**
 * The CDK applies CloudFormation's rules to every app it synthesizes, which takes longer than the synthesis. `nag.test.ts`
 * applies them.
 */
const validatedElsewhere = { CDK_VALIDATION: 'false' };

/** Limit of a test in memory. Such tests get what those on a local AWS leave of the cores, which may be little for minutes. */
const patience = 900_000;

/** A project with a local AWS of its own, on which its test files run one after another. */
const onLocalAws = (name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    globalSetup: ['test/support/local-aws/local-aws.ts'],
    setupFiles: ['test/support/local-aws/trust-local-aws.ts', 'test/support/payment-service/answers/watch-answers.ts'],
    // They share one local AWS: its balances, faults and queues. In real time they would also slow down what others measure.
    fileParallelism: false,
    // Longer than any wait for a batch, so that a wait that fails can report the batch's status.
    hookTimeout: 240_000,
    testTimeout: 240_000,
    sequence: { groupOrder: 1 },
    ...test,
  },
});

export default defineConfig({
  test: {
    maxWorkers,
    // No test mocks a module, so files can share what they import. Importing it again for each file took a third of the time.
    isolate: false,
    pool: 'threads',
    // Node runs TypeScript itself. Through Vite, tests take a fifth more processor time.
    experimental: { viteModuleRunner: false },
    // One of four processes on two cores may need longer for a poll than the usual second.
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          setupFiles: ['test/support/fast-loop.ts'],
          // Property tests try thousands of cases, some before the first test.
          testTimeout: patience,
          hookTimeout: patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'simulation',
          // The ledger's tests run here on the table in memory, and in `contract` on the local AWS.
          include: ['test/simulation/**/*.test.ts', 'test/ledger/**/*.test.ts'],
          env: { LEDGER_UNDER_TEST: 'memory' },
          testTimeout: patience,
          hookTimeout: patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          setupFiles: ['test/support/payment-service/answers/watch-answers.ts'],
          env: { PAYMENT_SERVICE_UNDER_TEST: 'memory', POWERTOOLS_LOG_LEVEL: 'CRITICAL' },
          testTimeout: patience,
          hookTimeout: patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'infra',
          include: ['test/infra/**/*.test.ts'],
          env: validatedElsewhere,
          hookTimeout: patience,
          testTimeout: patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'schemathesis',
          include: ['test/schemathesis/**/*.test.ts'],
          // Thousands of requests would each log a line.
          env: { POWERTOOLS_LOG_LEVEL: 'ERROR' },
          testTimeout: patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'linters',
          include: ['test/linters/**/*.test.ts'],
          env: validatedElsewhere,
          // The first run installs the linters.
          hookTimeout: patience,
          testTimeout: patience,
        },
      },
      onLocalAws('contract', {
        include: ['test/{ledger,contract,browser}/**/*.test.ts', besideContract],
        exclude: inRealTime,
      }),
      onLocalAws('e2e', { include: ['test/e2e/**/*.test.ts'], exclude: [...inRealTime, besideContract] }),
      onLocalAws('real-time', {
        include: inRealTime,
        globalSetup: ['test/support/local-aws/local-aws-in-real-time.ts'],
        testTimeout: 300_000,
      }),
    ],
  },
});
