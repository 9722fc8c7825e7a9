import type { Pace } from '../../../functions/ports/pace.ts';

/** The pace for a provider without a limit. */
export const noLimit: Pace = {
  turn: async () => ({ kind: 'now' }),
  waitOutPause: async () => false,
  report: async () => undefined,
  state: async () => [],
};
