import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { GetFunctionConfigurationCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, inject, it } from 'vitest';
import { z } from 'zod';
import { payoutView } from '../../functions/api/schemas/payout.ts';
import { recordedAnswers } from '../support/payment-service/recorded-answers.ts';
import { csvOf, freshReference, idrRow, operator, start, untilEnded, upload } from './deployed-orchestrator.ts';

const functionName = () => inject('localAws').outputs.PayoutOrchestrator.ReapplyWebhooksFunction;

const reapply = async (): Promise<unknown> => {
  const { Payload } = await new LambdaClient().send(new InvokeCommand({ FunctionName: functionName(), Payload: '{}' }));
  return JSON.parse(Buffer.from(Payload ?? []).toString());
};

const asideQueue = async (): Promise<string> => {
  const { Environment } = await new LambdaClient().send(
    new GetFunctionConfigurationCommand({ FunctionName: functionName() }),
  );
  return z.string().parse(Environment?.Variables?.['ASIDE_QUEUE_URL']);
};

it('a hint that was set aside is applied by the command, and doing it twice is harmless', async () => {
  const reference = freshReference();
  await untilEnded(await start(await upload(csvOf(idrRow({ reference })))));
  const { disbursementId = '' } = await operator().ask({ method: 'GET', path: `/payouts/${reference}` }, payoutView);
  const asked = () =>
    recordedAnswers(inject('recordedAnswers')).filter(({ path }) => path.endsWith(`/${disbursementId}`)).length;
  const before = asked();
  const QueueUrl = await asideQueue();
  const hint = { webhook: randomUUID(), receivedAt: new Date().toISOString(), candidates: [disbursementId] };
  await new SQSClient().send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(hint) }));
  expect(await reapply()).toEqual({ putBack: 1, kept: 0, left: 0 });
  expect(await reapply()).toEqual({ putBack: 0, kept: 0, left: 0 });
  if (inject('recordedAnswers') !== '') {
    for (let n = 0; n < 40 && asked() === before; n += 1) await wait(250);
    expect(asked()).toBe(before + 1);
  }
  const { Attributes } = await new SQSClient().send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
  );
  expect(Attributes).toEqual({ ApproximateNumberOfMessages: '0' });
});
