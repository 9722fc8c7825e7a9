import { randomUUID } from 'node:crypto';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import { ProviderUnavailable } from '../../../functions/domain/errors.ts';
import { payoutTransitions } from '../../../functions/domain/payout/payout-status.ts';
import type { QueuedMessage } from '../../../functions/domain/queued-messages.ts';
import type { Lookup } from '../../../functions/ports/provider.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { applyWebhooks } from '../../../functions/webhooks/apply-webhook.ts';
import { reapply } from '../../../functions/webhooks/reapply-webhooks.ts';
import { createDeadLetters, createHintQueue } from '../../../functions/workflow/hint-queue.ts';
import { claimOf, processingChunk } from '../../ledger/example.ts';
import { useLedger } from '../../ledger/table.ts';
import { idr } from '../../support/money.ts';
import { silentLog } from '../../support/silent-log.ts';
import { ageLookUp } from '../deployed/deployed-ledger.ts';
import {
  csvOf,
  freshReference,
  heldRow,
  idrRow,
  payoutOf,
  start,
  statusAsOfNow,
  untilEnded,
  upload,
} from '../deployed/deployed-orchestrator.ts';
import { setFaults, setStatus } from '../deployed/deployed-sandbox.ts';
import { areLookUpsRecorded, hintQueues, lookUpsOf, messagesIn, untilMessages } from '../deployed/deployed-webhooks.ts';

/** At the local AWS's own address, not under the name that it gives queues. */
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
const patience = { timeout: 60_000, interval: 250 };

const reapplied = z.strictObject({ putBack: z.number(), kept: z.number(), left: z.number() });

/** Runs the command like a person. */
const command = async () => {
  const FunctionName = inject('localAws').outputs.PayoutOrchestrator.ReapplyWebhooksFunction;
  const { Payload } = await new LambdaClient().send(new InvokeCommand({ FunctionName, Payload: '{}' }));
  return reapplied.parse(JSON.parse(Buffer.from(Payload ?? []).toString()));
};

describe('a provider’s hint that comes while it refuses the credentials', () => {
  const reference = freshReference();
  let batchId: string;

  beforeAll(async () => {
    const row = heldRow(reference);
    batchId = (await untilEnded(await start(await upload(csvOf(row))))).batchId;
  });
  afterAll(() => setFaults());

  it('goes to the dead-letter queue, is returned by the command, and its change is recorded', async () => {
    const { deadLetters: deadLetterQueue } = await hintQueues();
    const already = await messagesIn(deadLetterQueue);
    expect((await payoutOf(reference)).status).toBe('on_hold');
    const lookUp = 'GET /v1/disbursement/crypto/:disbursementIdOrReference';
    await setFaults({ endpoint: lookUp, fault: 'refuse-credentials', probability: 1 });
    await ageLookUp(reference);
    // The provider sends its own webhook when the payout completes.
    await setStatus(reference, 'completed');
    await untilMessages(deadLetterQueue, (count) => count > already);
    expect(await payoutOf(reference)).toMatchObject({ status: 'on_hold' });

    await setFaults();
    await ageLookUp(reference);
    const { putBack, ...others } = await command();
    expect(putBack).toBeGreaterThan(0);
    expect(others).toEqual({ kept: 0, left: 0 });
    await vi.waitFor(async () => expect((await payoutOf(reference)).status).toBe('completed'), patience);
    expect((await statusAsOfNow(batchId)).counts).toEqual({ completed: 1 });
    expect(await command()).toEqual({ putBack: 0, kept: 0, left: 0 });
    expect(await messagesIn(deadLetterQueue)).toBe(0);
  });
});

it('a hint is applied by the command even for an ended payout, and a second run is harmless', async () => {
  const reference = freshReference();
  await untilEnded(await start(await upload(csvOf(idrRow({ reference })))));
  const { disbursementId = '' } = await payoutOf(reference);
  const { deadLetters: deadLetterQueue } = await hintQueues();
  const before = lookUpsOf([disbursementId]);
  const hint = { webhook: randomUUID(), receivedAt: new Date().toISOString(), candidates: [reference] };
  await sqs.send(new SendMessageCommand({ QueueUrl: deadLetterQueue, MessageBody: JSON.stringify(hint) }));
  await ageLookUp(reference);
  expect(await command()).toEqual({ putBack: 1, kept: 0, left: 0 });
  expect(await command()).toEqual({ putBack: 0, kept: 0, left: 0 });
  if (areLookUpsRecorded()) await vi.waitFor(() => expect(lookUpsOf([disbursementId])).toBe(before + 1), patience);
  expect(await messagesIn(deadLetterQueue)).toBe(0);
});

/** On queues of its own, because on the deployed ones the last attempt comes after hours. */
describe('a hint that comes while the provider is unavailable', () => {
  const { ledger, time } = useLedger();
  const tries = 3;
  let hints = '';
  let deadLetterQueue = '';

  const createQueue = async (Attributes: Record<string, string>): Promise<string> => {
    const { QueueUrl = '' } = await sqs.send(
      new CreateQueueCommand({ QueueName: `hints-${randomUUID()}`, Attributes }),
    );
    return QueueUrl;
  };
  beforeAll(async () => {
    deadLetterQueue = await createQueue({});
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: deadLetterQueue, AttributeNames: ['QueueArn'] }),
    );
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: Attributes?.['QueueArn'], maxReceiveCount: tries });
    hints = await createQueue({ RedrivePolicy });
  });
  afterAll(async () => {
    for (const QueueUrl of [hints, deadLetterQueue]) await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  });

  const payoutUnderWay = async () => {
    const { batchId } = await processingChunk(ledger, 1);
    await ledger.claimCall(claimOf(batchId, [1]));
    const disbursementId = randomUUID();
    const row = { batchId, chunk: 1, row: 1 };
    const { payout } = await ledger.movePayout(row, payoutTransitions.observePending, { disbursementId });
    return { ...payout, disbursementId };
  };

  it('goes to the dead-letter queue after its last attempt, and is applied once the provider is back', async () => {
    const payout = await payoutUnderWay();
    const { reference, disbursementId, rail, amount } = payout;
    const stored = { reference, disbursementId, rail, amount, fee: idr('1') };
    const answer: { now: () => Lookup } = {
      now: () => {
        throw new ProviderUnavailable('the provider is unavailable');
      },
    };
    let asked = 0;
    const hintQueue = createHintQueue(sqs, { hints: () => hints, deadLetters: () => deadLetterQueue });
    const dependencies = {
      ledger,
      hintQueue,
      settings: { reconcileAfterDays: [] },
      log: silentLog,
      clock: () => time.now,
      lookupWindowSeconds: 30,
      waitsSeconds: [0, 0],
      provider: {
        traits: documentedTraits(),
        lookUp: async () => {
          asked += 1;
          return answer.now();
        },
        listByReference: () => Promise.reject(new Error('no answer is scripted for listByReference')),
      },
    };
    /** Delivers a message of the queue, like its event source. True when there was one. */
    const handOver = async (): Promise<boolean> => {
      const { Messages: [message] = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: hints, MessageSystemAttributeNames: ['ApproximateReceiveCount'] }),
      );
      if (message === undefined) return false;
      const { MessageId = '', ReceiptHandle = '', Body = '', Attributes } = message;
      const record: QueuedMessage = {
        messageId: MessageId,
        receiptHandle: ReceiptHandle,
        body: Body,
        attributes: { ApproximateReceiveCount: Number(Attributes?.ApproximateReceiveCount) },
      };
      const { batchItemFailures } = await applyWebhooks(dependencies, { Records: [record] });
      if (batchItemFailures.length === 0) await sqs.send(new DeleteMessageCommand({ QueueUrl: hints, ReceiptHandle }));
      time.now += 30_000;
      return true;
    };

    await hintQueue.send([{ webhook: 'hash', receivedAt: new Date(time.now).toISOString(), candidates: [reference] }]);
    let handedOver = 0;
    while (await handOver()) handedOver += 1;
    expect([handedOver, asked]).toEqual([tries, tries]);
    expect([await messagesIn(hints), await messagesIn(deadLetterQueue)]).toEqual([0, 1]);

    answer.now = () => ({
      kind: 'found',
      disbursement: { ...stored, status: 'completed', providerStatus: 'completed' },
    });
    const deadLetters = createDeadLetters(sqs, { hints, deadLetters: deadLetterQueue });
    expect(await reapply({ deadLetters, log: silentLog })).toEqual({ putBack: 1, kept: 0, left: 0 });
    expect([await handOver(), await handOver()]).toEqual([true, false]);
    expect(await ledger.getPayoutByReference(reference)).toMatchObject({ status: 'completed', fee: idr('1') });
    expect([await messagesIn(hints), await messagesIn(deadLetterQueue)]).toEqual([0, 0]);
  });
});
