import { randomUUID } from 'node:crypto';
import { InvokeCommand, LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { moneyIn } from '../../functions/domain/money/money-by-currency.ts';
import type { OperatorClient } from '../../infra/local/operator-client.ts';
import { deployedProvider } from '../contract/provider/deployed-service.ts';
import { thb } from '../support/money.ts';
import { makeDue, quarantineNow } from './deployed/deployed-ledger.ts';
import {
  act,
  bahtRow,
  csvOf,
  freshAccount,
  freshReference,
  idrRow,
  payoutOf,
  readReport,
  start,
  until,
  untilEnded,
  upload,
  walletRow,
} from './deployed/deployed-orchestrator.ts';
import { approve, approvers, forgetPeople, newUser, startAs, untilAsked } from './deployed/deployed-people.ts';
import { setFaults, setStatus } from './deployed/deployed-sandbox.ts';

/** Webhooks come too late, so the test depends on lookups. */
const webhooksLate = { endpoint: 'disbursement.updated', fault: 'webhook-late', probability: 1, seconds: 900 };

/** Invokes the comparison of ended batches, like its schedule. */
const compareEndedBatches = async (): Promise<void> => {
  const client = new LambdaClient();
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    const found = Functions.find(({ FunctionName = '' }) => FunctionName.includes('ReconcileBatches'));
    if (found === undefined) continue;
    const { FunctionError } = await client.send(new InvokeCommand({ FunctionName: found.FunctionName, Payload: '{}' }));
    expect(FunctionError).toBeUndefined();
  }
};

/** Someone with write access to the bucket redirects a chunk to another account. Returns the runbook's repair. */
const alterChunk = async (batchId: string, account: string, another: string): Promise<() => Promise<unknown>> => {
  const s3 = new S3Client();
  const Bucket = inject('localAws').outputs.PayoutOrchestrator.FilesBucket;
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `batches/${batchId}/` }));
  const [chunk, ...more] = Contents.filter(({ Key = '' }) => Key.includes('/chunks/'));
  expect(more).toEqual([]);
  const at = { Bucket, Key: chunk?.Key };
  const { Body, Metadata } = await s3.send(new GetObjectCommand(at));
  const content = (await Body?.transformToString()) ?? '';
  expect(content).toContain(account);
  const altered = content.replace(account, another);
  const { VersionId } = await s3.send(new PutObjectCommand({ ...at, Body: altered, ...(Metadata && { Metadata }) }));
  return () => s3.send(new DeleteObjectCommand({ ...at, VersionId }));
};

describe('one debt gets one payment', () => {
  let payroll: OperatorClient;

  beforeAll(async () => {
    payroll = await newUser();
    await setFaults(webhooksLate);
  });
  afterAll(async () => {
    await setFaults();
    await forgetPeople();
  });

  it('when its failed payment is in retry.csv and completes after all: the retry is not paid', async () => {
    const reference = freshReference();
    const row = idrRow({ reference, account: freshAccount('9901') });
    const failed = await untilEnded(await start(await upload(csvOf(row))));
    expect(failed).toMatchObject({ status: 'failed', counts: { failed: 1 } });
    const retry = await readReport(failed.batchId, 'retry.csv');
    await setStatus(reference, 'completed');
    const again = await untilEnded(await start(await upload(retry.replace('9901,', '4567,'))));
    expect(again.counts).toEqual({ rejected: 1 });
    expect(await payoutOf(`${reference}.r1`)).toMatchObject({ reason: { code: 'original_not_retryable' } });
    expect(await deployedProvider().lookUp('fiat', `${reference}.r1`)).toEqual({ kind: 'absent' });
  });

  it('when its chunk is altered in the bucket: nothing is posted until it is restored', async () => {
    const [account, reference] = [freshAccount(), freshReference()];
    const asked = await untilAsked(await startAs(payroll, idrRow({ reference, account })));
    const putBack = await alterChunk(asked.batchId, account, freshAccount());
    expect(await approve(approvers()[0], asked)).toMatchObject({ status: 202 });
    const stopped = await until(asked.batchId, ({ status }) => status === 'paused');
    expect(stopped).toMatchObject({ reason: { code: 'file_altered' }, counts: { ready: 1 } });
    expect(await deployedProvider().lookUp('fiat', reference)).toEqual({ kind: 'absent' });
    await putBack();
    await act(asked.batchId, 'resume');
    expect(await untilEnded(asked.batchId)).toMatchObject({ status: 'completed', counts: { completed: 1 } });
  });

  it('when a wallet transfer’s call is refused for its credentials: it is not repeated, and its batch has not failed', async () => {
    const reference = `fault:refuse-credentials:x1:${randomUUID().slice(0, 13)}`;
    const batchId = await start(await upload(csvOf(walletRow('usdc-polygon', '3.5', reference))));
    const halted = await until(batchId, ({ status }) => status === 'paused');
    expect(halted).toMatchObject({ reason: { code: 'credentials_refused' }, counts: { submitting: 1 } });
    expect(await deployedProvider().lookUp('crypto', reference)).toEqual({ kind: 'absent' });
    // Normally this takes a quarter of an hour.
    await quarantineNow(await payoutOf(reference));
    await act(batchId, 'resume');
    const ended = await untilEnded(batchId);
    expect(ended).toMatchObject({ status: 'partially_completed', counts: { quarantined: 1 } });
    expect(await deployedProvider().lookUp('crypto', reference)).toEqual({ kind: 'absent' });
  });

  it('when the bank returns it after the batch ended without a webhook: the comparison finds it', async () => {
    const reference = freshReference();
    const paid = await untilEnded(await start(await upload(csvOf(idrRow({ reference })))));
    expect(paid).toMatchObject({ status: 'completed', attention: [] });
    await setStatus(reference, 'failed');
    await makeDue(paid);
    await compareEndedBatches();
    const noticed = await until(paid.batchId, ({ attention }) => attention.length > 0);
    expect(noticed.attention.map(({ code }) => code)).toContain('payouts_contradicted');
    expect(await payoutOf(reference)).toMatchObject({
      status: 'completed',
      contradictions: [{ code: 'changed_after_end', observed: 'failed' }],
    });
  });

  it('when three concurrent batches lack one currency and a conversion gets no answer: only the shortfall is converted', async () => {
    await setFaults(webhooksLate, { endpoint: 'POST /v1/convert', fault: 'drop-after', next: 1 });
    // Far more than other tests leave of it.
    const amounts = ['90000.25', '121000.5', '77777.75'];
    const files = await Promise.all(amounts.map((amount) => upload(csvOf(bahtRow(freshAccount(), amount)))));
    const batches = await Promise.all(files.map(async (file) => untilEnded(await start(file))));
    for (const batch of batches) expect(batch).toMatchObject({ status: 'completed', counts: { completed: 1 } });
    const conversions = batches.flatMap((batch) => batch.conversions);
    expect(conversions.map(({ status }) => status).sort()).toEqual(['completed', 'completed', 'inferred']);
    const left = moneyIn(await deployedProvider().readBalances(), 'THB');
    expect([left.isAtLeast(thb('0')), left.isMoreThan(thb('0.03'))]).toEqual([true, false]);
  });
});
