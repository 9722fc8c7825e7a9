import type { Chance } from './random.ts';
import type { MeantBatch, Scenario } from './scenario.ts';

/** Runs in which batches are to start at a time. */
const timedRuns = 0.12;
const minute = 60_000;

/** What a start asks for beside its file: when, and how carefully. */
export type Cautions = Pick<MeantBatch, 'restsMs'>;

const drawRest = (chance: Chance): Cautions =>
  // Shorter than planning takes, than schedules are late, or long.
  chance.happens(0.7)
    ? { restsMs: chance.between(1000, chance.pick([20_000, 5 * minute, 60 * minute, 300 * minute])) }
    : {};

/** The scenario, whoever drew it, with batches that are started more carefully. */
export const withCautions = (drawn: Scenario, chance: Chance): Scenario => {
  const isTimed = chance.fork('timed').happens(timedRuns);
  if (!isTimed) return drawn;
  return {
    ...drawn,
    batches: drawn.batches.map((batch, index) => ({ ...batch, ...drawRest(chance.fork(`rest of ${index}`)) })),
  };
};
