import path from 'node:path';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { CdkTarget } from '../local/aws/deploy.ts';
import { localTarget, sandboxOnly } from '../local/aws/deploy.ts';
import type { LocalAwsAddress } from '../local/aws/emulator.ts';
import { localFolder } from '../local/paths.ts';
import { messageOf, PlainError } from '../local/plain-error.ts';
import type { VerifiedAws } from './verified-aws.ts';

/** An account, and the ARN of the caller. */
export interface Account {
  readonly aws: VerifiedAws;
  readonly caller: string;
}

/**
 * Finds account and region from this process's credentials, as the AWS CLI does, and makes its SDK clients use that region.
 *
 * @throws PlainError when there are no credentials or no region, or an endpoint other than AWS is set
 */
export const accountOf = async (environment: NodeJS.ProcessEnv, stage: string): Promise<Account> => {
  const elsewhere = Object.keys(environment).find((name) => /^AWS_ENDPOINT_URL(_|$)/.test(name) && environment[name]);
  if (elsewhere !== undefined)
    throw new PlainError(
      `${elsewhere} is ${environment[elsewhere]}, which is not an account. Unset it. For a local AWS run "npm run verify:aws -- --local".`,
    );
  // The CDK reads AWS_DEFAULT_REGION and the SDK does not. Both have to use the same region.
  const given = environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
  if (given !== undefined) environment['AWS_REGION'] = given;
  const sts = new STSClient();
  const region = await sts.config.region().catch(() => {
    throw new PlainError('There is no AWS region. Set AWS_REGION, or AWS_PROFILE to a profile with a region.');
  });
  environment['AWS_REGION'] = region;
  const { Account: account = '', Arn: caller = '' } = await sts.send(new GetCallerIdentityCommand()).catch(refused);
  const suffix = caller.startsWith('arn:aws-cn:') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const target = accountTarget(account, region, stage);
  const credentials = sts.config.credentials;
  const aws = { isLocal: false, target, credentials, apiGatewayUrl: `https://apigateway.${region}.${suffix}` };
  return { aws, caller };
};

/** A stage on an account. */
export const accountTarget = (account: string, region: string, stage: string): CdkTarget => ({
  name: `the account ${account}`,
  account,
  region,
  environment: {},
  folder: folderOf(stage),
  // A new account may run only a few functions concurrently.
  settings: { ...sandboxOnly, stage, region, submitsAtOnce: '4' },
});

const refused = (error: unknown): never => {
  throw new PlainError(
    `AWS does not accept your credentials: ${messageOf(error)}\nSign in first, as for the AWS CLI: with AWS_PROFILE, "aws sso login" or access keys.`,
  );
};

const folderOf = (stage: string): string => path.join(localFolder, 'verify', stage);

/** A local AWS, which this process already uses. */
export const verifiedLocalAws = (aws: LocalAwsAddress, stage: string): VerifiedAws => {
  const target = localTarget(aws);
  return {
    isLocal: true,
    target: { ...target, folder: folderOf(stage), settings: { ...target.settings, ...sandboxOnly, stage } },
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    apiGatewayUrl: aws.endpoint,
  };
};
