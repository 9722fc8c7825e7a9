import { randomUUID } from 'node:crypto';
import {
  CreateAccessKeyCommand,
  CreateRoleCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  DeleteUserCommand,
  DeleteUserPolicyCommand,
  IAMClient,
  PutRolePolicyCommand,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { BatchView } from '../../functions/api/schemas/batch.ts';
import { batchSummary } from '../../functions/api/schemas/batch.ts';
import { fundsView } from '../../functions/api/schemas/settle.ts';
import type { OperatorAnswer, OperatorClientOptions } from '../../infra/local/operator-client.ts';
import { OperatorClient } from '../../infra/local/operator-client.ts';
import {
  act,
  csvOf,
  freshAccount,
  freshReference,
  idrRow,
  operator,
  start,
  statusOf,
  until,
  untilEnded,
  upload,
} from './deployed-orchestrator.ts';

const iam = new IAMClient();
const policy = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' }],
});
const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: '*' } }],
});
const cleanUps: (() => Promise<unknown>)[] = [];

const clientOf = (credentials: OperatorClientOptions['credentials']): OperatorClient =>
  new OperatorClient({
    apiUrl: inject('localAws').outputs.PayoutOrchestrator.ApiUrl,
    region: 'us-east-1',
    credentials,
  });

/** A new IAM user who may use the whole API. */
const newUser = async (): Promise<OperatorClient> => {
  const UserName = `person-${randomUUID()}`;
  await iam.send(new CreateUserCommand({ UserName }));
  await iam.send(new PutUserPolicyCommand({ UserName, PolicyName: 'api', PolicyDocument: policy }));
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
  const { AccessKeyId = '', SecretAccessKey = '' } = AccessKey ?? {};
  cleanUps.push(async () => {
    await iam.send(new DeleteAccessKeyCommand({ UserName, AccessKeyId }));
    await iam.send(new DeleteUserPolicyCommand({ UserName, PolicyName: 'api' }));
    await iam.send(new DeleteUserCommand({ UserName }));
  });
  return clientOf({ accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey });
};

/** Sessions of a new role that may use the whole API. */
const newRole = async (...sessions: readonly string[]): Promise<readonly OperatorClient[]> => {
  const RoleName = `role-${randomUUID()}`;
  const { Role } = await iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust }));
  await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'api', PolicyDocument: policy }));
  cleanUps.push(async () => {
    await iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName: 'api' }));
    await iam.send(new DeleteRoleCommand({ RoleName }));
  });
  return Promise.all(
    sessions.map(async (RoleSessionName) => {
      const { Credentials } = await new STSClient().send(
        new AssumeRoleCommand({ RoleArn: Role?.Arn ?? '', RoleSessionName }),
      );
      const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = Credentials ?? {};
      return clientOf({ accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken });
    }),
  );
};

/** Starts a batch that has to be approved, as somebody. */
const startAs = async (who: OperatorClient, ...rows: readonly string[]): Promise<string> => {
  const answer = await who.send({
    method: 'POST',
    path: '/batches',
    headers: { 'idempotency-key': freshReference() },
    body: { file: await upload(csvOf(...rows)), approval: 'required' },
  });
  return batchSummary.parse(answer.body).batchId;
};

const untilAsked = (batchId: string): Promise<BatchView> =>
  until(batchId, ({ status }) => status === 'pending_approval');

const approve = (who: OperatorClient, { batchId, approval }: BatchView): Promise<OperatorAnswer> =>
  who.send({
    method: 'POST',
    path: `/batches/${batchId}/approve`,
    body: { hash: approval?.hash, reason: 'Ticket 4711: the sums are right.' },
  });

const reject = (who: OperatorClient, batchId: string): Promise<OperatorAnswer> =>
  who.send({ method: 'POST', path: `/batches/${batchId}/reject`, body: { reason: 'Ticket 4711: not ours.' } });

const problem = (code: string) => ({ type: `urn:payout-orchestrator:problem:${code}` });
const linesOf = ({ timeline }: BatchView, code: string) => timeline.filter((line) => line.code === code);

const bahtRow = (account: string): string =>
  `${freshReference()},900.25,THB,,KBANK,Kasikornbank,${account},Niran Wongsa,,`;

describe('a batch that has to be approved', () => {
  let payroll: OperatorClient;
  let treasurer: OperatorClient;

  beforeAll(async () => {
    [payroll, treasurer] = [await newUser(), await newUser()];
  });

  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  it('is not approved by the user who started it, and paid once another user approves it', async () => {
    const asked = await untilAsked(await startAs(payroll, idrRow()));
    const { batchId } = asked;
    expect(asked).toMatchObject({
      approval: { why: 'request', findings: [] },
      attention: [{ code: 'awaits_approval' }],
      actions: ['pause', 'approve', 'reject', 'cancel'],
      counts: { ready: 1 },
    });
    expect(await approve(payroll, asked)).toMatchObject({ status: 403, body: problem('own_batch') });
    expect(await approve(treasurer, asked)).toMatchObject({ status: 202 });
    const paid = await untilEnded(batchId);
    expect(paid).toMatchObject({ status: 'completed', counts: { completed: 1 } });
    const [line] = linesOf(paid, 'batch.approved');
    expect(line).toMatchObject({ by: expect.stringContaining(':user/person-'), note: expect.stringContaining('4711') });
    expect(line?.by).not.toBe(paid.createdBy);
  });

  it('is neither approved nor rejected by another session of the role that started it', async () => {
    const [morning, evening] = await newRole('morning', 'evening');
    if (morning === undefined || evening === undefined) throw new Error('no sessions');
    const asked = await untilAsked(await startAs(morning, idrRow()));
    expect(asked.createdBy).toMatch(/:assumed-role\/.+\/morning$/);
    for (const answer of [await approve(evening, asked), await reject(evening, asked.batchId)])
      expect(answer).toMatchObject({ status: 403, body: problem('own_batch') });
    expect(await reject(treasurer, asked.batchId)).toMatchObject({ status: 200, body: { status: 'canceled' } });
    const rejected = await statusOf(asked.batchId);
    expect(rejected.reason?.code).toBe('rejected_by_person');
    expect(linesOf(rejected, 'batch.rejected')).toHaveLength(1);
    const { reservations } = await operator().ask({ method: 'GET', path: '/funds' }, fundsView);
    expect(reservations.filter(({ batchId }) => batchId === asked.batchId)).toEqual([]);
  });

  it('is asked for again when its funding has changed, and the hash of before is void', async () => {
    const before = await untilAsked(await startAs(payroll, bahtRow(freshAccount())));
    expect(before.funding?.conversions).toMatchObject([{ outputCurrency: 'THB' }]);
    expect((await act(before.batchId, 'pause')).status).toBe(200);
    // Baht is converted for and comes back: the account refuses it.
    const failed = await untilEnded(await start(await upload(csvOf(bahtRow(freshAccount('9901'))))));
    expect(failed.counts).toEqual({ failed: 1 });
    expect((await act(before.batchId, 'resume')).status).toBe(202);
    const after = await until(before.batchId, ({ approval }) => approval?.hash !== before.approval?.hash);
    expect(after.funding?.conversions).toEqual([]);
    expect(await approve(treasurer, before)).toMatchObject({ status: 409, body: problem('approval_void') });
    expect(await approve(treasurer, after)).toMatchObject({ status: 202 });
    expect(await untilEnded(before.batchId)).toMatchObject({ status: 'completed', conversions: [] });
  });

  it('is approved once by twenty at once', async () => {
    const asked = await untilAsked(await startAs(payroll, idrRow()));
    const another = await newUser();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => approve(index % 2 === 0 ? treasurer : another, asked)),
    );
    const refused = answers.filter(({ status }) => status !== 202);
    expect(refused).toHaveLength(10);
    for (const answer of refused) expect(answer).toMatchObject({ status: 409, body: problem('status_conflict') });
    const paid = await untilEnded(asked.batchId);
    expect([paid.status, linesOf(paid, 'batch.approved').length]).toEqual(['completed', 1]);
  });

  it('is paused when nobody approves it in time, frees its money, and asks again when resumed', async () => {
    const asked = await untilAsked(await startAs(payroll, idrRow()));
    const expired = await until(asked.batchId, ({ status }) => status === 'paused');
    expect(expired.reason?.code).toBe('approval_expired');
    expect(await approve(treasurer, asked)).toMatchObject({ status: 409, body: problem('status_conflict') });
    await act(asked.batchId, 'resume');
    const again = await untilAsked(asked.batchId);
    expect(again.approval?.hash).toBe(asked.approval?.hash);
    expect(await approve(treasurer, again)).toMatchObject({ status: 202 });
    expect(await untilEnded(asked.batchId)).toMatchObject({ status: 'completed' });
  });

  it('shows in a preview what it would be approved for', async () => {
    const file = await upload(csvOf(idrRow()));
    const preview = await untilEnded(await start(file, { mode: 'preview', approval: 'required' }));
    expect(preview).toMatchObject({ status: 'previewed', approval: { why: 'request', findings: [] } });
  });
});
