import * as z from 'zod';
import type { Transport } from '../../../functions/provider/transport/transport.ts';
import { pathSegment } from '../../../functions/provider/transport/transport.ts';
import { depositRecord } from './deposit-record.ts';
import { noData } from './no-data.ts';

const statusRequest = z.strictObject({ status: z.string().min(1) });

/** Sets a status. Works only in a sandbox, and makes the service send a webhook. */
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
