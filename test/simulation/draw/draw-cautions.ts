import type { Chance } from '../../support/chance.ts';
import { minute } from '../../support/durations.ts';
import type { MeantBatch, Scenario } from './scenario.ts';

/** Share of runs whose batches start at a set time, have a canary, or pause when too much ends unpaid. */
const timedRuns = 0.12;
const canaryRuns = 0.12;
const unpaidRuns = 0.12;

/** Options of a start beside its file: when it begins, and how carefully. */
export type Cautions = Pick<MeantBatch, 'restsMs' | 'canary' | 'pauseAbove'>;

const drawRest = (chance: Chance): Cautions =>
  // Shorter than planning takes, shorter than a schedule's delay, or long.
  chance.happens(0.7)
    ? { restsMs: chance.between(1000, chance.pick([20_000, 5 * minute, 60 * minute, 300 * minute])) }
    : {};

/** Makes some of the scenario's batches start more carefully. Works for both generators. */
export const withCautions = (drawn: Scenario, chance: Chance): Scenario => {
  const isTimed = chance.fork('timed').happens(timedRuns);
  const hasCanary = chance.fork('canary').happens(canaryRuns);
  const isUnpaid = chance.fork('unpaid').happens(unpaidRuns);
  if (!isTimed && !hasCanary && !isUnpaid) return drawn;
  const careful = (batch: MeantBatch, index: number): MeantBatch => {
    const own = chance.fork(`batch ${index}`);
    return {
      ...batch,
      ...(isTimed ? drawRest(own.fork('rest')) : {}),
      ...(hasCanary && own.fork('canary').happens(0.8) ? { canary: own.fork('length').pick([1, 1, 2, 3, 8]) } : {}),
      ...(isUnpaid ? { pauseAbove: own.fork('share').pick([0, 0, 20, 50, 100]) } : {}),
    };
  };
  return { ...drawn, batches: drawn.batches.map(careful) };
};
