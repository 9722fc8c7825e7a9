import { given } from '../../domain/given.ts';
import type { ProblemCode } from '../../domain/problems.ts';
import { problems, problemType } from '../../domain/problems.ts';
import type { ProblemDetails } from '../schemas/problem.ts';

/** An expected failure of a request, with details for programs and people. */
export interface Problem<Code extends ProblemCode = ProblemCode> {
  readonly kind: 'problem';
  readonly code: Code;
  readonly about: Pick<ProblemDetails, 'detail' | 'batchId' | 'batchStatus' | 'payoutStatus' | 'errors'>;
}

export const problem = <Code extends ProblemCode>(code: Code, about: Problem['about'] = {}): Problem<Code> => ({
  kind: 'problem',
  code,
  about,
});

/** The body of a problem, by RFC 9457. */
export const describeProblem = ({ code, about }: Problem, requestId?: string): ProblemDetails => ({
  type: problemType(code),
  ...problems[code],
  ...about,
  ...given({ requestId }),
});
