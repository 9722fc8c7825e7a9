import * as z from 'zod';
import { depositStatuses } from '../../domain/deposits/deposit.ts';
import { RefusedWith } from '../../http/answers.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { oneOf } from '../../http/request-fields.ts';
import { enveloped } from '../../http/success.ts';
import { wireNumber } from '../../http/wire-json.ts';
import { setDepositStatus } from '../../store/deposits/change-deposit.ts';
import { changeRefusal } from '../change-refusal.ts';
import { depositRecord, depositSchema } from './deposit-record.ts';

/** PATCH /v1/deposit/:depositId: the sandbox status update. The table's stream announces it. */
export const updateDepositStatus = bodyEndpoint({
  // Named as in the GET at this path, because OpenAPI allows one name per path parameter. Takes an id only.
  route: 'PATCH /v1/deposit/:depositIdOrReference',
  access: 'authorization',
  summary: 'Set the status of a deposit (sandbox)',
  answers: enveloped('Deposit updated', depositSchema),
  refuses: [404, 503],
  body: z.object({ status: oneOf(depositStatuses) }),
  work: async (context, { account, params, request }, { status }) => {
    if (!context.settings.sandbox) return new RefusedWith(404, `Cannot PATCH ${request.path}`);
    const outcome = await setDepositStatus(context, params.get('depositIdOrReference') ?? '', status);
    if (outcome.kind !== 'changed') return changeRefusal('deposit', outcome);
    const { deposit } = outcome;
    // Only this response gives every deposit a rate: 1 when nothing is converted.
    return { ...depositRecord(account, deposit), exchangeRate: wireNumber(deposit.exchangeRate ?? '1') };
  },
});
