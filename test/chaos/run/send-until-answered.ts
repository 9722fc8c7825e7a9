import { setTimeout as wait } from 'node:timers/promises';
import type { OperatorAnswer, OperatorClient, OperatorRequest } from '../../../infra/local/operator-client.ts';

const tries = 10;

/** One request of the operator, made again when it is answered by an outage or not at all: all of them may be. */
export const sendUntilAnswered = async (
  operator: OperatorClient,
  request: OperatorRequest,
): Promise<OperatorAnswer> => {
  let said: unknown = '';
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const answer = await operator.send(request).catch((error: unknown) => String(error));
    if (typeof answer !== 'string' && answer.status < 500 && answer.status !== 429) return answer;
    said = answer;
    await wait(1000);
  }
  throw new Error(`${request.method} ${request.path}: ${JSON.stringify(said)}`);
};
