import { plainEndpoint } from '../../http/endpoint.ts';
import { messageOnly } from '../../http/success.ts';
import { makeDepositMove } from '../../store/deposits/change-deposit.ts';
import { changeRefusal } from '../change-refusal.ts';

/** PATCH /v1/deposit/:depositId/cancel: a canceled deposit can no longer be paid. */
export const cancelDeposit = plainEndpoint({
  route: 'PATCH /v1/deposit/:depositId/cancel',
  access: 'authorization',
  summary: 'Cancel a pending deposit',
  answers: messageOnly('Deposit cancelled'),
  refuses: [503],
  work: async (context, { params }) => {
    const outcome = await makeDepositMove(context, params.get('depositId') ?? '', 'cancel');
    return outcome.kind === 'changed' ? undefined : changeRefusal('deposit', outcome);
  },
});
