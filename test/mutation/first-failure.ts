import fc from 'fast-check';
import { afterEach } from 'vitest';

/** One thread runs all files of a mutant: one that failed spares it the import of the rest. */
const run: typeof globalThis & { failed?: boolean } = globalThis;
if (run.failed) throw new Error('a test has failed');
afterEach(({ task }) => {
  run.failed ||= task.result?.state === 'fail';
});

/** A property is tried the same way for every mutant, and not for long. */
fc.configureGlobal({ seed: 1, interruptAfterTimeLimit: 100, markInterruptAsFailure: false });
