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
import { inject } from 'vitest';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import { batchSummary } from '../../../functions/api/schemas/batch.ts';
import type { OperatorAnswer, OperatorClientOptions } from '../../../infra/local/operator-client.ts';
import { OperatorClient } from '../../../infra/local/operator-client.ts';
import { againAfter503, csvOf, freshReference, until, upload } from './deployed-orchestrator.ts';

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

/** The users in the setting `approvers`. */
export const approvers = (): readonly [OperatorClient, OperatorClient] => {
  const [treasurer, controller] = inject('localAws').approvers;
  return [clientOf(treasurer), clientOf(controller)];
};

/** A new IAM user that may use the whole API. */
export const newUser = async (): Promise<OperatorClient> => {
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
export const newRole = async (...sessions: readonly string[]): Promise<readonly OperatorClient[]> => {
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

/** Starts a batch that needs an approval, as this person. */
export const startAs = async (person: OperatorClient, ...rows: readonly string[]): Promise<string> => {
  const answer = await person.send({
    method: 'POST',
    path: '/batches',
    headers: { 'idempotency-key': freshReference() },
    body: { file: await upload(csvOf(...rows)), approval: 'required' },
  });
  return batchSummary.parse(answer.body).batchId;
};

export const untilAsked = (batchId: string): Promise<BatchView> =>
  until(batchId, ({ status }) => status === 'pending_approval');

/** Approves a batch. */
export const approve = (person: OperatorClient, batch: BatchView): Promise<OperatorAnswer> =>
  againAfter503(() =>
    person.send({
      method: 'POST',
      path: `/batches/${batch.batchId}/approve`,
      body: { hash: batch.approval?.hash, reason: 'Ticket 4711: the sums are right.' },
    }),
  );

/** Removes every user and role that was created here. */
export const forgetPeople = async (): Promise<void> => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
};
