import type { Chance } from '../world/random.ts';
import type { MeantBatch, Scenario } from './scenario.ts';

/** Runs in which batches are to start at a time, have a canary, are paused by what is not paid. */
const timedRuns = 0.12;
const canaryRuns = 0.12;
const unpaidRuns = 0.12;
const minute = 60_000;

/** What a start asks for beside its file: when, and how carefully. */
export type Cautions = Pick<MeantBatch, 'restsMs' | 'canary' | 'pauseAbove'>;

const drawRest = (chance: Chance): Cautions =>
  // Shorter than planning takes, than schedules are late, or long.
  chance.happens(0.7)
    ? { restsMs: chance.between(1000, chance.pick([20_000, 5 * minute, 60 * minute, 300 * minute])) }
    : {};

/** The scenario, whoever drew it, with batches that are started more carefully. */
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
