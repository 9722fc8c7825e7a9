import { CloudWatchLogsClient, DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { destroy } from '../local/aws/deploy.ts';
import { monthlyUsd } from '../local/costs/price-list.ts';
import { messageOf, PlainError } from '../local/plain-error.ts';
import type { Leftovers } from './leftovers.ts';
import { gatewayLogGroups, leftoversOf, logGroups } from './leftovers.ts';
import type { FoundStack } from './stacks.ts';
import { resourcesOf, stacksOf } from './stacks.ts';
import { throwawayStage } from './throwaway-stage.ts';
import type { Progress, VerifiedAws } from './verified-aws.ts';

/** S3 writes access logs late, and a running batch still writes reports, so an emptied bucket can fill again. */
const attempts = 3;

/** How a person can continue when this program could not. */
export const byHand = (stage: string): string =>
  [
    `  npm run verify:aws -- --destroy ${stage}`,
    'or, in the CloudFormation console of that region, after emptying all buckets of the stacks:',
    `  delete PayoutOrchestrator-${stage}, then PaymentService-${stage}.`,
  ].join('\n');

/**
 * Deletes both stacks of a throwaway stage with all their data, and looks for leftovers.
 *
 * @throws PlainError for a stage that is no throwaway stage, and when three attempts fail: it then says what remains costs, and
 * how to continue
 */
export const destroyStage = async ({ target }: VerifiedAws, { say, onCdkLine }: Progress): Promise<Leftovers> => {
  const stage = throwawayStage(target.settings.stage);
  const stacks = await stacksOf(stage);
  let failure: unknown;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      for (const bucket of bucketsOf(await stacksOf(stage))) await emptyBucket(bucket);
      await destroy(target, { onLine: onCdkLine });
      await deleteLogGroups(gatewayLogGroups(stacks));
      return await leftoversOf(stage, stacks);
    } catch (error) {
      failure = error;
      if (attempt < attempts) say(`It could not be destroyed. Trying again: ${messageOf(error)}`);
    }
  }
  throw new PlainError(await stillThere(stage, failure));
};

const stillThere = async (stage: string, failure: unknown): Promise<string> => {
  const cost = await stacksOf(stage).then(
    (stacks) => `What is left costs ${leftUsd(stacks)} USD a month, plus the storage of its tables, buckets and logs.`,
    () => 'What is left could not be listed. It still costs money.',
  );
  return `The stage ${stage} could not be destroyed: ${messageOf(failure)}\n${cost} Continue with:\n${byHand(stage)}`;
};

/** US dollars a month for what is still there. */
export const leftUsd = (stacks: readonly FoundStack[]): string => {
  const there = resourcesOf(stacks).filter(({ status }) => status !== 'DELETE_COMPLETE');
  return monthlyUsd(there.map(({ type }) => type));
};

const bucketsOf = (stacks: readonly FoundStack[]): readonly string[] =>
  resourcesOf(stacks)
    .filter(
      ({ type, physicalId, status }) =>
        type === 'AWS::S3::Bucket' && physicalId !== '' && !['DELETE_COMPLETE', 'CREATE_FAILED'].includes(status),
    )
    .map(({ physicalId }) => physicalId);

/** Deletes every version of every object, because AWS deletes only empty buckets. */
export const emptyBucket = async (bucket: string): Promise<void> => {
  const client = new S3Client();
  for (;;) {
    const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket: bucket }));
    const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
    if (Objects.length === 0) return;
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors.length > 0) throw new PlainError(`${bucket} could not be emptied: ${Errors[0]?.Code}`);
  }
};

const deleteLogGroups = async (prefixes: readonly string[]): Promise<void> => {
  const client = new CloudWatchLogsClient();
  for (const logGroupName of await logGroups(prefixes)) await client.send(new DeleteLogGroupCommand({ logGroupName }));
};
