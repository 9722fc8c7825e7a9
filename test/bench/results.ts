import type { BatchMeasure } from './batch-run/measure-batch.ts';
import type { LargeMeasure } from './batch-run/measure-large.ts';
import type { FunctionsMeasure } from './cold-start/measure-functions.ts';
import type { ListsMeasure } from './lists/measure-lists.ts';
import type { NaiveMeasure } from './naive/measure-naive.ts';
import type { PlanningMeasure } from './planning/measure-planning.ts';
import type { OutageMeasure } from './scale/measure-outage.ts';
import type { ScaleMeasure } from './scale/measure-scale.ts';
import type { StatusMeasure } from './status/measure-status.ts';

/** `.local/bench.json`. Parts that were not run are absent. */
export type BenchResults = Partial<PlanningMeasure> &
  Partial<ListsMeasure> &
  Partial<StatusMeasure> &
  Partial<ScaleMeasure> &
  Partial<OutageMeasure> &
  Partial<BatchMeasure> &
  Partial<LargeMeasure> &
  Partial<FunctionsMeasure> & {
    readonly naiveUsdPer1000?: number;
    readonly naive?: NaiveMeasure;
  };
