import type { OrchestratorSettings } from '../../../functions/domain/settings.ts';
import type { Chance } from '../../support/chance.ts';

/** Share of runs whose batches need a person's release, or are within limits. */
const gatedRuns = 0.3;

export type GateSettings = Partial<
  Pick<OrchestratorSettings, 'approval' | 'approvalAbove' | 'maxDayAmount' | 'maxBatchAmount' | 'approvalHours'>
>;

/** Rows pay 1 to 1,000. Most batches have one to four rows. */
export const drawGate = (chance: Chance): GateSettings => {
  if (!chance.happens(gatedRuns)) return {};
  const limit = (amounts: readonly [string, ...string[]]) =>
    chance.happens(0.5) ? { IDR: chance.pick(amounts), 'usdt-tron': chance.pick(amounts) } : {};
  return {
    approval: chance.pick(['findings', 'findings', 'always', 'never']),
    approvalAbove: limit(['200', '1000']),
    maxDayAmount: limit(['500', '1500']),
    maxBatchAmount: chance.happens(0.2) ? limit(['1500']) : {},
    // Expires before operators look, or later.
    approvalHours: chance.pick([0.3, 2, 72]),
  };
};
