import type { SandboxState } from '../../domain/sandbox/sandbox.ts';
import { wireNumber } from '../../http/wire-json.ts';

/** The faults of a merchant's sandbox, and how often they have struck. */
export const faultsRecord = ({ faults, injected }: SandboxState) => ({
  faults: faults.map((one) => ({
    endpoint: one.endpoint,
    fault: one.fault,
    ...(one.probability === undefined ? { next: one.left } : { probability: wireNumber(one.probability) }),
    seconds: one.seconds,
    injected: one.injected,
  })),
  injected,
});
