import { Worker } from 'node:worker_threads';
import type { Violation } from './invariants/violation.ts';
import type { WorkloadName } from './run-seed.ts';

/** What a worker says of a seed that it ran. */
export interface Ran {
  readonly seed: number;
  readonly workload: WorkloadName;
  readonly violation: Violation | undefined;
  readonly events: number;
  readonly payments: number;
}

/** Seeds from `first`, so many, every `step`-th; with the product as it is, or with a defect. */
export interface Work {
  readonly first: number;
  readonly count: number;
  readonly step?: number;
  readonly defect?: string;
  /** Files of this generator only. */
  readonly only?: WorkloadName | undefined;
}

/**
 * Runs seeds in a worker of their own, which loads the product anew, until one breaks a promise.
 *
 * @param onRan hears of each
 */
export const inWorker = (
  work: Work,
  onRan: (ran: Ran) => void,
): { readonly done: Promise<void>; readonly stop: () => void } => {
  // Not what this process was started with: a test runner's loaders are none of the worker's.
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { step: 1, ...work },
    execArgv: [],
  });
  const done = new Promise<void>((resolve, reject) => {
    worker.on('message', onRan);
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
  return { done, stop: () => void worker.terminate() };
};
