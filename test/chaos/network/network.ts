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
  /** Decides about each request on its way; undefined lets it pass. */
  readonly treat: (request: SeenRequest) => Trouble | undefined;
  /** Whether a new connection is closed before anything can be said on it. */
  readonly refuse: () => boolean;
  /** Milliseconds that a stalled answer is held back. */
  readonly stallMs: number;
}

const throttled = JSON.stringify({
  __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
  message: 'Rate of requests exceeds the allowed throughput.',
});

/** Requests to the provider in work at once; the others wait their turn on the way. */
const mostAtProvider = 12;

const textOf = (header: string | string[] | undefined): string => (typeof header === 'string' ? header : '');

/**
 * Stands between the functions and the local AWS, with its certificate, and hands requests on as they are; but for those
 * that meet trouble. What it cuts is a real connection: the function sees what it would see on a bad network.
 */
export const startNetwork = async ({ aws, port, treat, refuse, stallMs }: NetworkOptions): Promise<Network> => {
  let atOnce = 0;
  const waiting: (() => void)[] = [];
  /** A function of the service is a process here: as many of them as asked at once would keep the machine from all else. */
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
