import * as z from 'zod';
import { cryptoStatuses } from '../../domain/disbursements/disbursement.ts';
import { Refused } from '../../domain/refused.ts';
import { RefusedWith } from '../../http/answers.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { anyText } from '../../http/request-fields.ts';
import { messageOnly } from '../../http/success.ts';
import { setDisbursementStatus } from '../../store/disbursements/change-statuses.ts';
import { changeRefusal } from '../change-refusal.ts';

/**
 * PATCH /v1/disbursement/:disbursementId: the sandbox status update for both rails. The table's stream announces it.
 */
export const updateDisbursementStatus = bodyEndpoint({
  route: 'PATCH /v1/disbursement/:disbursementId',
  access: 'authorization',
  summary: 'Set the status of a disbursement (sandbox)',
  answers: messageOnly('Disbursement updated successfully'),
  refuses: [404, 503],
  // The rail decides which of them a disbursement accepts, so its refusal names the right ones.
  body: z.object({ status: anyText.meta({ enum: [...cryptoStatuses] }) }),
  work: async (context, { params, request }, { status }) => {
    if (!context.settings.sandbox) return new RefusedWith(404, `Cannot PATCH ${request.path}`);
    const outcome = await setDisbursementStatus(context, params.get('disbursementId') ?? '', status);
    if (outcome.kind === 'set') return undefined;
    if (outcome.kind === 'not_allowed') return new Refused(`status must be one of ${outcome.allowed.join(', ')}`);
    return changeRefusal('disbursement', outcome);
  },
});
