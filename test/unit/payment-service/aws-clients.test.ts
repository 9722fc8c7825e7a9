import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { awsClients, requestLimits } from '../../../functions/payment-service/aws-clients.ts';
import { msUntilFailure, queueUrl, stallNames, useStallingAws } from '../../support/servers/stalling-server.ts';

type Clients = ReturnType<typeof awsClients>;

describe.each(stallNames)('when AWS %s', (name) => {
  const requests: [string, (clients: Clients) => Promise<unknown>][] = [
    ['the table', ({ table }) => table.send(new GetItemCommand({ TableName: 't', Key: { pk: { S: 'a' } } }))],
    ['a queue', ({ queues }) => queues.send(new SendMessageCommand({ QueueUrl: queueUrl(), MessageBody: '{}' }))],
    ['a secret', ({ secrets }) => secrets.send(new GetSecretValueCommand({ SecretId: 'credentials' }))],
  ];
  useStallingAws(name);
  it.concurrent.for(requests)(
    'a request for %s of the payment service ends with an error',
    async ([_kind, request], { expect }) => {
      const short = { connectMs: 60, firstByteMs: 60, lastByteMs: 100, attempts: 2 };
      const ms = await msUntilFailure(() => request(awsClients(short)));
      expect(ms).toBeGreaterThan(short.connectMs - 10);
      // Two attempts, a wait of up to a second, and timers that are late on a busy machine.
      expect(ms).toBeLessThan(6500);
    },
  );
});

it('leaves a function of the payment service time to report the failure', () => {
  const { attempts, lastByteMs } = requestLimits;
  expect(attempts * lastByteMs + 1000 + 2000).toBeLessThan(28_000);
});
