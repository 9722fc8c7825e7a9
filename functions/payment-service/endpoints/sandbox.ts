import { getFaults } from '../api/sandbox/get-faults.ts';
import { getSandbox } from '../api/sandbox/get-sandbox.ts';
import { moveSandboxClock } from '../api/sandbox/move-sandbox-clock.ts';
import { resetSandbox } from '../api/sandbox/reset-sandbox.ts';
import { setFaults } from '../api/sandbox/set-faults.ts';
import { setSandboxRate } from '../api/sandbox/set-sandbox-rate.ts';
import type { Service } from '../api/service.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** What steers a merchant's sandbox. Their function is deployed with a sandbox only. */
export const sandboxControls: readonly Endpoint<Service>[] = [
  getSandbox,
  moveSandboxClock,
  setSandboxRate,
  getFaults,
  setFaults,
  resetSandbox,
];
