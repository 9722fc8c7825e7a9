import { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Answer } from './answers.ts';
import { failure } from './answers.ts';
import type { GatewayEvent, ServiceRequest } from './request.ts';
import { requestFrom } from './request.ts';

const logger = new Logger({ serviceName: 'payment-service' });

const resultOf = (answer: Answer): APIGatewayProxyResult => {
  const { statusCode } = answer;
  if (answer.kind === 'json') {
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...answer.headers };
    return { statusCode, headers, body: JSON.stringify(answer.body) };
  }
  const isText = typeof answer.content === 'string';
  return {
    statusCode,
    headers: { ...answer.headers, 'content-type': answer.contentType, 'cache-control': 'no-store' },
    isBase64Encoded: !isText,
    body: isText ? answer.content : Buffer.from(answer.content).toString('base64'),
  };
};

/** The origin of an error. Its message stays out of the log, because it may repeat parts of the request. */
const framesOf = ({ stack = '' }: Error): readonly string[] =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6);

/** A Lambda handler behind API Gateway. Bugs and outages are logged by error name and answered by `broken`. */
export const lambdaHandler =
  (
    answer: (request: ServiceRequest) => Promise<Answer>,
    broken: (request: ServiceRequest) => Answer = () => failure(500, 'Internal server error'),
  ) =>
  async (event: GatewayEvent): Promise<APIGatewayProxyResult> => {
    const request = requestFrom(event);
    const { requestId, method } = request;
    try {
      const given = await answer(request);
      logger.info('REQUEST_ANSWERED', { requestId, method, statusCode: given.statusCode });
      return resultOf(given);
    } catch (error) {
      const errorName = error instanceof Error ? error.name : 'unknown';
      const stack = error instanceof Error ? framesOf(error) : undefined;
      logger.error('REQUEST_FAILED', { requestId, method, errorName, stack });
      return resultOf(broken(request));
    }
  };
