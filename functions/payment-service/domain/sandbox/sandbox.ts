import * as z from 'zod';
import { faults, setFault } from './faults.ts';

/** The settings that a merchant has made in its sandbox. Outside a sandbox there are none. */
export const sandboxState = z.object({
  /** How often the sandbox was reset. */
  generation: z.number().default(0),
  /** Milliseconds by which the merchant's clock is ahead of the real one. Negative when it is behind. */
  clockOffset: z.number().default(0),
  /** The merchant's own rates, by `<token>/<fiat>`. */
  rates: z.record(z.string(), z.string()).default({}),
  /** The faults that the merchant has set. */
  faults: z.array(setFault).default([]),
  /** How often the clock or the rates were set or reset. A change based on their former values fails after that. */
  settingsVersion: z.number().default(0),
  /** The random id of the last change of clock or rates. */
  settingsChange: z.string().optional(),
  /** How often the faults were set or cleared. A request is struck only by the faults that were set when it arrived. */
  faultsVersion: z.number().default(0),
  /** How often each fault has struck since the last reset. */
  injected: z.partialRecord(z.enum(faults), z.number()).default({}),
});
export type SandboxState = z.infer<typeof sandboxState>;

export const untouchedSandbox = sandboxState.parse({});

/** The merchant's time at a moment of the real clock. */
export const merchantTime = ({ clockOffset }: SandboxState, now: Date): Date => new Date(now.getTime() + clockOffset);
