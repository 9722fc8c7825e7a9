import { given } from '../../domain/given.ts';
import type { ProblemCode } from '../../domain/problems.ts';
import { problems, problemType } from '../../domain/problems.ts';
import type { ProblemDetails } from '../schemas/problem.ts';

/** An expected failure of a request, with details for programs and people. */
export interface Problem {
  readonly kind: 'problem';
  readonly code: ProblemCode;
  readonly about: Pick<ProblemDetails, 'detail' | 'batchId' | 'batchStatus' | 'payoutStatus' | 'errors'>;
}

export const problem = (code: ProblemCode, about: Problem['about'] = {}): Problem => ({ kind: 'problem', code, about });

/** The body of a problem, by RFC 9457. */
export const describeProblem = ({ code, about }: Problem, requestId?: string): ProblemDetails => ({
  type: problemType(code),
  ...problems[code],
  ...about,
  ...given({ requestId }),
});
