import type { Answer, ErrorBody } from '../../http/answers.ts';
import { badRequest, failure } from '../../http/answers.ts';
import type { CreatedDeposit } from '../../store/deposits/create-deposit.ts';
import { quoteProblems } from '../conversions/find-quoted.ts';

/** The answer to a POST that made nothing. */
export const depositRefusal = (refusal: Exclude<CreatedDeposit, { kind: 'created' }>): Answer<ErrorBody> => {
  switch (refusal.kind) {
    case 'reference_used':
      return badRequest(`reference ${refusal.reference} was used before`);
    case 'quote_used':
      return badRequest(quoteProblems.used);
    case 'busy':
    // Its id was taken: as good as never, and as good as busy.
    case 'exists':
      return failure(503, 'The deposits are in use, nothing was created, try again');
  }
};
