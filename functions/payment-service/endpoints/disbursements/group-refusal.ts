import type { Answer, ErrorBody } from '../../http/answers.ts';
import { badRequest, failure } from '../../http/answers.ts';
import type { GroupRefusal } from '../../store/disbursements/create-disbursements.ts';

/** The answer to a POST that created nothing. */
export const groupRefusal = (refusal: GroupRefusal): Answer<ErrorBody> => {
  switch (refusal.kind) {
    case 'insufficient_balance':
      return badRequest('insufficient balance');
    case 'reference_used':
      return badRequest(`reference ${refusal.reference} was used before`);
    case 'reference_in_progress':
      return failure(409, `reference ${refusal.reference} belongs to a request that is not decided yet`);
    case 'busy':
      return failure(503, 'The balance is in use, nothing was created, try again');
  }
};
