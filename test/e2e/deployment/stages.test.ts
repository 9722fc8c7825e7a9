import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { batchSummary, batchView, hasEnded } from '../../../functions/api/schemas/batch.ts';
import type { StackOutputs } from '../../../infra/local/aws/deploy.ts';
import { deploy, destroy, localTarget } from '../../../infra/local/aws/deploy.ts';
import { OperatorClient } from '../../../infra/local/operator-client.ts';
import { csvOf, idrRow, operator, start, upload } from '../deployed/deployed-orchestrator.ts';

const stage = 'throwaway-beside';
const { aws } = inject('localAws');
const secrets = new SecretsManagerClient();

const secretNames = async (): Promise<readonly string[]> => {
  const { SecretList = [] } = await secrets.send(new ListSecretsCommand({ MaxResults: 100 }));
  return SecretList.flatMap(({ Name }) => (Name?.includes(stage) ? [Name] : []));
};

describe('a second stage in the same account', () => {
  const first = inject('localAws').outputs;
  let second: StackOutputs;
  let api: OperatorClient;

  beforeAll(async () => {
    second = await deploy(localTarget(aws), { settings: { stage } });
    api = new OperatorClient({
      apiUrl: second.PayoutOrchestrator.ApiUrl,
      region: aws.region,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
  });

  it('has no stack output in common with the first', () => {
    const all = (outputs: StackOutputs) => [outputs.PayoutOrchestrator, outputs.PaymentService].flatMap(Object.values);
    expect(all(second)).toHaveLength(all(first).length);
    expect(all(second).filter((value) => all(first).includes(value))).toEqual([]);
  });

  it('has credentials of its own', async () => {
    const credentialsIn = async ({ PaymentService }: StackOutputs) => {
      const SecretId = PaymentService['PaymentServiceCredentialsSecret'];
      return (await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString;
    };
    const [ours, theirs] = [await credentialsIn(first), await credentialsIn(second)];
    expect(ours).toContain('apiKey');
    expect(theirs).toContain('apiKey');
    expect(theirs).not.toBe(ours);
  });

  it('pays its own batches, and neither stage knows the other’s', async () => {
    const Key = `uploads/${randomUUID()}.csv`;
    const Body = csvOf(idrRow());
    await new S3Client().send(new PutObjectCommand({ Bucket: second.PayoutOrchestrator.FilesBucket, Key, Body }));
    const headers = { 'idempotency-key': randomUUID() };
    const { batchId } = await api.ask({ method: 'POST', path: '/batches', headers, body: { file: Key } }, batchSummary);
    const path = `/batches/${batchId}`;
    let batch = await api.ask({ method: 'GET', path }, batchView);
    for (const deadline = Date.now() + 120_000; !hasEnded(batch) && Date.now() < deadline; ) {
      await wait(400);
      batch = await api.ask({ method: 'GET', path }, batchView);
    }
    expect(batch.status).toBe('completed');
    expect((await operator().send({ method: 'GET', path })).status).toBe(404);
    const ofFirst = await start(await upload(csvOf(idrRow())));
    expect((await api.send({ method: 'GET', path: `/batches/${ofFirst}` })).status).toBe(404);
  });

  afterAll(async () => {
    expect((await secretNames()).length).toBeGreaterThan(5);
    await destroy(localTarget(aws), { settings: { stage } });
    expect(await secretNames()).toEqual([]);
  });
});
