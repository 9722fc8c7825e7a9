import type { BatchMeasure } from './batch-run/measure-batch.ts';
import type { FunctionMeasure } from './cold-start/measure-functions.ts';
import type { ListsMeasure } from './lists/measure-lists.ts';
import type { NaiveMeasure } from './naive/measure-naive.ts';
import type { PlanningMeasure } from './planning/measure-planning.ts';

/** `.local/bench.json`. A part that was not run is not in it. */
export type BenchResults = Partial<PlanningMeasure> &
  Partial<ListsMeasure> &
  Partial<BatchMeasure> & {
    readonly naiveUsdPer1000?: number;
    readonly naive?: NaiveMeasure;
    readonly functions?: readonly FunctionMeasure[];
  };
