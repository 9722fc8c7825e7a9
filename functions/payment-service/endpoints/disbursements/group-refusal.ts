import { Refused } from '../../domain/refused.ts';
import { RefusedWith } from '../../http/answers.ts';
import type { GroupRefusal } from '../../store/disbursements/create-disbursements.ts';

/** The answer to a POST that created nothing. */
export const groupRefusal = (refusal: GroupRefusal): Refused => {
  switch (refusal.kind) {
    case 'insufficient_balance':
      return new Refused('insufficient balance');
    case 'reference_used':
      return new Refused(`reference ${refusal.reference} was used before`);
    case 'reference_in_progress':
      return new RefusedWith(409, `reference ${refusal.reference} belongs to a request that is not decided yet`);
    case 'busy':
      return new RefusedWith(503, 'The balance is in use, nothing was created, try again');
  }
};
