import type { LocalAwsAddress } from '../../../infra/local/aws/emulator.ts';
import { startAwsProxy } from '../../support/local-aws/before-aws.ts';

/** A request that a function made, and its answer. */
export interface Exchange {
  readonly method: string;
  /** Host with port, as named by the caller. */
  readonly host: string;
  /** Path with the query string. */
  readonly path: string;
  /** `DynamoDB_20120810.PutItem`. Empty when the protocol has no such header. */
  readonly target: string;
  readonly requestBody: Buffer;
  readonly status: number;
  readonly responseBody: Buffer;
}

export interface AwsMeter {
  readonly stop: () => Promise<void>;
}

/**
 * A proxy that forwards every request to the local AWS unchanged. The observer sees each request once it is answered. A
 * repetition counts as another request.
 */
export const startMeter = async (
  aws: LocalAwsAddress,
  port: number,
  observe: (exchange: Exchange) => void,
): Promise<AwsMeter> => {
  const stop = await startAwsProxy({
    aws,
    port,
    serve: async (asked, requestBody, response, forward) => {
      const { status, headers, body } = await forward(asked, requestBody);
      response.writeHead(status, headers).end(body);
      const target = asked.headers['x-amz-target'];
      observe({
        method: asked.method ?? '',
        host: asked.headers.host ?? '',
        path: asked.url ?? '',
        target: typeof target === 'string' ? target : '',
        requestBody,
        status,
        responseBody: body,
      });
    },
  });
  return { stop };
};
