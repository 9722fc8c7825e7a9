import { CreateAccessKeyCommand, CreateUserCommand, IAMClient, PutUserPolicyCommand } from '@aws-sdk/client-iam';
import * as z from 'zod';
import { account } from './emulator.ts';

/** Two of them, so that you can see the second one find a batch already approved. */
const names = ['treasurer', 'controller'] as const;

/** The IAM users that the local AWS lists in its setting `approvers`. */
export const approverArns = names.map((name) => `arn:aws:iam::${account}:user/${name}`);

const key = z.strictObject({ accessKeyId: z.string(), secretAccessKey: z.string() });

/** One access key for each approver, in the order of `approverArns`. */
export const approverKeys = z.tuple([key, key]);
export type ApproverKeys = z.infer<typeof approverKeys>;

/**
 * Creates these users with the rights of the role `approves` in infra/ACCESS.md, and no others.
 *
 * @param apiUrl address of the operator API, ending in `<api id>/<stage>`
 */
export const createApprovers = async (apiUrl: string, region: string): Promise<ApproverKeys> => {
  const iam = new IAMClient();
  const api = new URL(apiUrl).pathname.split('/').slice(-2).join('/');
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
