import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { LocalAwsAddress } from '../../../infra/local/aws/emulator.ts';
import type { Answer, Forward } from '../../support/local-aws/before-aws.ts';
import { startAwsProxy } from '../../support/local-aws/before-aws.ts';
import type { SeenRequest, Trouble } from './treatment.ts';
import { isProviderPath } from './treatment.ts';

export interface Network {
  readonly stop: () => Promise<void>;
}

export interface NetworkOptions {
  readonly aws: LocalAwsAddress;
  readonly port: number;
  /** Decides about each request. Undefined lets it pass. */
  readonly treat: (request: SeenRequest) => Trouble | undefined;
  /** True when a new connection is closed before any data is sent. */
  readonly refuse: () => boolean;
  /** Delay of a stalled answer in milliseconds. */
  readonly stallMs: number;
}

const throttled = JSON.stringify({
  __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
  message: 'Rate of requests exceeds the allowed throughput.',
});

/** Concurrent requests to the provider. Others wait for their turn. */
const mostAtProvider = 12;

const textOf = (header: string | string[] | undefined): string => (typeof header === 'string' ? header : '');

/**
 * A proxy between the functions and the local AWS, with the latter's certificate. It forwards requests unchanged unless they meet
 * trouble. It cuts real connections, so a function sees what it would see on a bad network.
 */
export const startNetwork = async ({ aws, port, treat, refuse, stallMs }: NetworkOptions): Promise<Network> => {
  let atOnce = 0;
  const waiting: (() => void)[] = [];
  /** Limits concurrency, because each function of the service is a process here and too many would block the machine. */
  const inTurn = async (forward: Forward, asked: IncomingMessage, body: Buffer): Promise<Answer> => {
    if (!isProviderPath(asked.url ?? '')) return forward(asked, body);
    if (atOnce >= mostAtProvider) await new Promise<void>((resolve) => waiting.push(resolve));
    else atOnce += 1;
    try {
      return await forward(asked, body);
    } finally {
      const next = waiting.shift();
      if (next === undefined) atOnce -= 1;
      else next();
    }
  };

  const cutAmid = ({ status, headers, body }: Answer, response: ServerResponse): void => {
    response.writeHead(status, { ...headers, 'content-length': body.length });
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
  };

  const serve = async (
    asked: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    forward: Forward,
  ): Promise<void> => {
    const trouble = treat({
      caller: textOf(asked.headers['x-chaos-caller']),
      method: asked.method ?? '',
      path: asked.url ?? '',
      target: textOf(asked.headers['x-amz-target']),
    });
    if (trouble === 'cut-before') {
      response.destroy();
      return;
    }
    if (trouble === 'throttle') {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(throttled);
      return;
    }
    const answer = await inTurn(forward, asked, body);
    const headers = { ...answer.headers };
    switch (trouble) {
      case 'cut-after':
        response.destroy();
        return;
      case 'cut-amid':
        cutAmid(answer, response);
        return;
      case 'stall':
        await wait(stallMs, undefined, { ref: false });
        break;
      case 'die':
      case 'freeze':
        headers['x-chaos-order'] = trouble;
        break;
      case undefined:
    }
    response.writeHead(answer.status, headers).end(answer.body);
  };

  const stop = await startAwsProxy({
    aws,
    port,
    serve,
    keptHeaders: ['x-chaos-caller'],
    onConnection: (socket) => {
      if (refuse()) socket.destroy();
    },
  });
  return { stop };
};
