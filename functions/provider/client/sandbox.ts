import * as z from 'zod';
import type { Transport } from '../transport.ts';
import { pathSegment } from '../transport.ts';
import { noData } from '../wire-values.ts';
import { depositRecord } from './deposit-record.ts';

const statusRequest = z.strictObject({ status: z.string().min(1) });

/** Forces a status. These work in the sandbox only, and make the service send a webhook. */
export const sandboxEndpoints = (transport: Transport) => ({
  updateDeposit: (depositId: string, request: z.input<typeof statusRequest>) =>
    transport.send(
      {
        method: 'PATCH',
        path: `/v1/deposit/${pathSegment(depositId)}`,
        body: JSON.stringify(statusRequest.parse(request)),
        auth: 'authorization',
      },
      depositRecord,
    ),
  updateDisbursement: (disbursementId: string, request: z.input<typeof statusRequest>) =>
    transport.send(
      {
        method: 'PATCH',
        path: `/v1/disbursement/${pathSegment(disbursementId)}`,
        body: JSON.stringify(statusRequest.parse(request)),
        auth: 'authorization',
      },
      noData,
    ),
});
