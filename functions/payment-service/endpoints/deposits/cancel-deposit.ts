import { Refused } from '../../domain/refused.ts';
import { RefusedWith } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { messageOnly } from '../../http/success.ts';
import { makeDepositMove } from '../../store/deposits/change-deposit.ts';

/** PATCH /v1/deposit/:depositId/cancel: a canceled deposit can no longer be paid. */
export const cancelDeposit = plainEndpoint(
  {
    route: 'PATCH /v1/deposit/:depositId/cancel',
    access: 'authorization',
    summary: 'Cancel a pending deposit',
    answers: messageOnly('Deposit cancelled'),
    refuses: [503],
  },
  async (context, { params }) => {
    const outcome = await makeDepositMove(context, params.get('depositId') ?? '', 'cancel');
    switch (outcome.kind) {
      case 'changed':
        return undefined;
      case 'not_found':
        return new Refused('Deposit not found');
      case 'not_pending':
        return new Refused(`a deposit that is ${outcome.deposit.status} cannot be cancelled`);
      case 'insufficient_balance':
        return new Refused('insufficient balance');
      case 'busy':
        return new RefusedWith(503, 'The deposit is in use, try again');
    }
  },
);
