import { setTimeout as wait } from 'node:timers/promises';
import type { OperatorAnswer, OperatorClient, OperatorRequest } from '../../../infra/local/operator-client.ts';

const tries = 10;

/** Sends an operator's request, and repeats it after an outage or a missing answer. All of these requests may be repeated. */
export const sendUntilAnswered = async (
  operator: OperatorClient,
  request: OperatorRequest,
): Promise<OperatorAnswer> => {
  let lastAnswer: unknown = '';
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const answer = await operator.send(request).catch((error: unknown) => String(error));
    if (typeof answer !== 'string' && answer.status < 500 && answer.status !== 429) return answer;
    lastAnswer = answer;
    await wait(1000);
  }
  throw new Error(`${request.method} ${request.path}: ${JSON.stringify(lastAnswer)}`);
};
