import type { Service } from '../api/service.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { balanceAndConvert } from './balance-and-convert.ts';
import { deposits } from './deposits.ts';
import { disbursements } from './disbursements.ts';
import { sandboxControls } from './sandbox.ts';
import { transferProofs } from './transfer-proofs.ts';

/** Every endpoint of the service, whichever function serves it. */
export const everyEndpoint: readonly Endpoint<Service>[] = [
  ...balanceAndConvert,
  ...disbursements,
  ...deposits,
  ...transferProofs,
  ...sandboxControls,
];
