import { CreateAccessKeyCommand, CreateUserCommand, IAMClient, PutUserPolicyCommand } from '@aws-sdk/client-iam';
import * as z from 'zod';
import type { StackOutputs } from './deploy.ts';
import { account } from './places.ts';

/** Two, so that one can see the other approve first. */
const names = ['treasurer', 'controller'] as const;

/** The IAM users of the local AWS whom its setting `approvers` names. */
export const approverArns = names.map((name) => `arn:aws:iam::${account}:user/${name}`);

/** An access key of each, in the order of their ARNs. */
const key = z.strictObject({ accessKeyId: z.string(), secretAccessKey: z.string() });
export const approverKeys = z.tuple([key, key]);
export type ApproverKeys = z.infer<typeof approverKeys>;

/** Makes these users, with the rights of the role `approves` in infra/ACCESS.md and no more. */
export const makeApprovers = async (outputs: StackOutputs, region: string): Promise<ApproverKeys> => {
  const iam = new IAMClient();
  const api = new URL(outputs.PayoutOrchestrator.ApiUrl).pathname.split('/').slice(-2).join('/');
  const may = ['GET/*', 'POST/batches/*/approve', 'POST/batches/*/reject'];
  const Resource = may.map((request) => `arn:aws:execute-api:${region}:*:${api}/${request}`);
  const Statement = [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource }];
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
  const keys: unknown[] = [];
  for (const UserName of names) {
    await iam.send(new CreateUserCommand({ UserName }));
    await iam.send(new PutUserPolicyCommand({ UserName, PolicyName: 'approves', PolicyDocument }));
    const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
    keys.push({ accessKeyId: AccessKey?.AccessKeyId, secretAccessKey: AccessKey?.SecretAccessKey });
  }
  return approverKeys.parse(keys);
};
