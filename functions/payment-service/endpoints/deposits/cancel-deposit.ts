import { messageOnly } from '../../http/answer-schemas.ts';
import { badRequest, done, failure } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { makeDepositMove } from '../../store/deposits/change-deposit.ts';

/** PATCH /v1/deposit/:depositId/cancel: a canceled deposit can no longer be paid. */
export const cancelDeposit = plainEndpoint(
  {
    method: 'PATCH',
    path: '/v1/deposit/:depositId/cancel',
    access: 'authorization',
    summary: 'Cancel a pending deposit',
    answers: messageOnly,
    refuses: [503],
  },
  async (context, { params }) => {
    const outcome = await makeDepositMove(context, params.get('depositId') ?? '', 'cancel');
    switch (outcome.kind) {
      case 'changed':
        return done('Deposit cancelled');
      case 'not_found':
        return badRequest('Deposit not found');
      case 'not_pending':
        return badRequest(`a deposit that is ${outcome.deposit.status} cannot be cancelled`);
      case 'insufficient_balance':
        return badRequest('insufficient balance');
      case 'busy':
        return failure(503, 'The deposit is in use, try again');
    }
  },
);
