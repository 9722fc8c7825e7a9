import { mostChanges } from '../domain/activity.ts';
import { Refused } from '../domain/refused.ts';
import { RefusedWith } from '../http/answers.ts';

type Unchanged =
  | { readonly kind: 'not_pending'; readonly deposit: { readonly status: string } }
  | { readonly kind: 'not_found' | 'too_many_changes' | 'insufficient_balance' | 'busy' };

/** The reason why a record was not changed. Only a cancellation finds a deposit that is not pending. */
export const changeRefusal = (record: 'deposit' | 'disbursement', outcome: Unchanged): Refused => {
  switch (outcome.kind) {
    case 'not_pending':
      return new Refused(`a deposit that is ${outcome.deposit.status} cannot be canceled`);
    case 'not_found':
      return new Refused(record === 'deposit' ? 'Deposit not found' : 'Disbursement not found');
    case 'too_many_changes':
      return new Refused(`a ${record} can have at most ${mostChanges} changes`);
    case 'insufficient_balance':
      return new Refused('insufficient balance');
    case 'busy':
      return new RefusedWith(503, `The ${record} is in use, try again`);
  }
};
