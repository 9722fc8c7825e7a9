import { Worker } from 'node:worker_threads';
import type { Violation } from './invariants/violation.ts';
import type { WorkloadName } from './run-seed.ts';

/** A worker's result for one seed. */
export interface Ran {
  readonly seed: number;
  readonly workload: WorkloadName;
  readonly violation: Violation | undefined;
  /** Hash of all events in their order. */
  readonly hash: string;
  readonly events: number;
  readonly payments: number;
}

/** `count` seeds from `first`, every `step`-th, with the unchanged product or with a defect. */
export interface Work {
  readonly first: number;
  readonly count: number;
  readonly step?: number;
  readonly defect?: string;
  /** Restricts the run to this generator's files. */
  readonly only?: WorkloadName | undefined;
}

/**
 * Runs seeds in a new worker, which loads the product afresh, until one breaks a promise.
 *
 * @param onRan called after each seed
 */
export const inWorker = (
  work: Work,
  onRan: (ran: Ran) => void,
): { readonly done: Promise<void>; readonly stop: () => void } => {
  // The worker must not inherit this process's arguments, such as a test runner's loaders.
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
