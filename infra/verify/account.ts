import path from 'node:path';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { localTarget } from '../local/deploy.ts';
import type { LocalAwsAddress } from '../local/emulator.ts';
import { localFolder } from '../local/places.ts';
import { PlainError } from '../local/plain-error.ts';
import type { Place } from './place.ts';

/** An account, who asks, and where. */
export interface Account {
  readonly place: Place;
  readonly account: string;
  readonly region: string;
  /** ARN of the caller. */
  readonly caller: string;
}

/**
 * The account and region that this process's credentials lead to, found as the AWS CLI finds them. Its SDK clients ask there
 * from then on.
 *
 * @throws PlainError when there are no credentials or no region, or AWS is said to be elsewhere
 */
export const accountOf = async (environment: NodeJS.ProcessEnv, stage: string): Promise<Account> => {
  const elsewhere = Object.keys(environment).find((name) => /^AWS_ENDPOINT_URL(_|$)/.test(name) && environment[name]);
  if (elsewhere !== undefined)
    throw new PlainError(
      `${elsewhere} says that AWS is at ${environment[elsewhere]}, so this would be no account. Unset it; "npm run verify:aws -- --local" is for a local AWS.`,
    );
  // The SDK does not read AWS_DEFAULT_REGION, and the CDK does: both shall ask the same region.
  const given = environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
  if (given !== undefined) environment['AWS_REGION'] = given;
  const sts = new STSClient();
  const region = await sts.config.region().catch(() => {
    throw new PlainError('There is no AWS region. Set AWS_REGION, or a profile that has one by AWS_PROFILE.');
  });
  environment['AWS_REGION'] = region;
  const { Account: account = '', Arn: caller = '' } = await sts.send(new GetCallerIdentityCommand()).catch(refused);
  const suffix = caller.startsWith('arn:aws-cn:') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const name = `the account ${account}`;
  // A new account runs few functions at once.
  const settings = { stage, region, submitsAtOnce: '4' };
  const target = { name, account, region, environment: {}, folder: folderOf(stage), settings };
  const credentials = sts.config.credentials;
  const place = { isLocal: false, target, credentials, apiGatewayUrl: `https://apigateway.${region}.${suffix}` };
  return { place, account, region, caller };
};

const refused = (error: unknown): never => {
  const why = error instanceof Error ? error.message : String(error);
  throw new PlainError(
    `AWS does not know who asks: ${why}\nSign in first, as for the AWS CLI: by AWS_PROFILE, "aws sso login" or access keys.`,
  );
};

const folderOf = (stage: string): string => path.join(localFolder, 'verify', stage);

/** A local AWS, whose keys are known. This process talks to it already. */
export const localPlace = (aws: LocalAwsAddress, stage: string): Place => {
  const target = localTarget(aws);
  return {
    isLocal: true,
    target: { ...target, folder: folderOf(stage), settings: { ...target.settings, stage } },
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    apiGatewayUrl: aws.endpoint,
  };
};
