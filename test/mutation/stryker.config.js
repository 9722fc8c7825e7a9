export default {
  mutate: ['functions/{payouts,domain,ledger}/**/*.ts'],
  plugins: ['@stryker-mutator/vitest-runner', `${import.meta.dirname}/message-words.ts`],
  ignorers: ['message-words'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // Stryker would rewrite tsconfig.json by an API that TypeScript 7 does not have: it finds none to rewrite.
  tsconfigFile: 'none',
  tempDirName: '.local/mutation/sandbox',
  incremental: true,
  incrementalFile: '.local/mutation/incremental.json',
  htmlReporter: { fileName: '.local/mutation/report.html' },
  reporters: ['clear-text', 'progress-append-only', 'html'],
  clearTextReporter: { logTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
  concurrency: 1,
};
