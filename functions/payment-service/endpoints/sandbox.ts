import { getFaults } from '../api/get-faults.ts';
import { getSandbox } from '../api/get-sandbox.ts';
import { moveSandboxClock } from '../api/move-sandbox-clock.ts';
import { resetSandbox } from '../api/reset-sandbox.ts';
import type { Service } from '../api/service.ts';
import { setFaults } from '../api/set-faults.ts';
import { setSandboxRate } from '../api/set-sandbox-rate.ts';
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
