import { mostChanges } from '../../domain/activity.ts';
import { Refused } from '../../domain/refused.ts';
import { RefusedWith } from '../../http/answers.ts';
import type { UnchangedDeposit } from '../../store/deposits/change-deposit.ts';

/** The reason why a deposit was neither canceled nor given another status. Only a cancellation finds one that is not pending. */
export const depositRefusal = (outcome: UnchangedDeposit): Refused => {
  switch (outcome.kind) {
    case 'not_found':
      return new Refused('Deposit not found');
    case 'not_pending':
      return new Refused(`a deposit that is ${outcome.deposit.status} cannot be canceled`);
    case 'too_many_changes':
      return new Refused(`a deposit can have at most ${mostChanges} changes`);
    case 'insufficient_balance':
      return new Refused('insufficient balance');
    case 'busy':
      return new RefusedWith(503, 'The deposit is in use, try again');
  }
};
