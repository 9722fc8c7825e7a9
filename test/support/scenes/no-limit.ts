import type { Pace } from '../../../functions/ports/pace.ts';

/** The pace where the provider has no limit. */
export const noLimit: Pace = {
  turn: async () => ({ kind: 'now' }),
  report: async () => undefined,
  state: async () => [],
};
