import * as z from 'zod';
import { cryptoStatuses } from '../../domain/disbursements/disbursement.ts';
import { badRequest, failure, success } from '../../http/answers.ts';
import { bodyEndpoint, oneOf } from '../../http/endpoint.ts';
import { messageOnly } from '../../http/success-answer.ts';
import type { Service } from '../service.ts';

/** Which of them a disbursement takes is its rail's to say. */
const body = z.object({ status: oneOf(cryptoStatuses) });

/** PATCH /v1/disbursement/:disbursementId: the sandbox status update, of either rail. Its webhook is sent by the table. */
export const updateDisbursementStatus = bodyEndpoint(
  {
    method: 'PATCH',
    path: '/v1/disbursement/:disbursementId',
    access: 'authorization',
    id: 'updateDisbursementStatus',
    summary: 'Set the status of a disbursement (sandbox)',
    answers: messageOnly,
    refuses: [404, 503],
  },
  body,
  async (service: Pick<Service, 'settings' | 'setStatus'>, { account, params, request }, { status }) => {
    if (!service.settings.sandbox) return failure(404, `Cannot PATCH ${request.path}`);
    const outcome = await service.setStatus(account.accountId, params.get('disbursementId') ?? '', status);
    switch (outcome.kind) {
      case 'set':
        return success('Disbursement updated successfully');
      case 'not_found':
        return badRequest('Disbursement not found');
      case 'not_allowed':
        return badRequest(`status must be one of ${outcome.allowed.join(', ')}`);
      case 'insufficient_balance':
        return badRequest('insufficient balance');
      case 'busy':
        return failure(503, 'The disbursement is in use, try again');
    }
  },
);
