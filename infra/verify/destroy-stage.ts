import { CloudWatchLogsClient, DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { destroy } from '../local/deploy.ts';
import { PlainError } from '../local/plain-error.ts';
import { monthlyUsd } from '../local/price-list.ts';
import type { Leftovers } from './leftovers.ts';
import { gatewayLogGroups, leftoversOf, logGroups } from './leftovers.ts';
import type { Place } from './place.ts';
import type { FoundStack } from './stacks.ts';
import { stacksOf } from './stacks.ts';
import { throwawayStage } from './throwaway-stage.ts';
import type { Verification } from './verify-stage.ts';

/** S3 writes access logs late, and a batch that is still running writes reports: then a bucket fills again. */
const tries = 3;

/** How a person goes on where this program could not. */
export const byHand = (stage: string): string =>
  [
    `  npm run verify:aws -- --destroy ${stage}`,
    'or, in the CloudFormation console of that region, once all buckets of the stacks are empty:',
    `  delete PayoutOrchestrator-${stage}, then PaymentService-${stage}.`,
  ].join('\n');

/**
 * Deletes both stacks of a stage that keeps nothing, with all they hold, and looks for what is left.
 *
 * @throws PlainError when it is still there after three tries: it tells what that costs and how to go on
 */
export const destroyStage = async (
  { target }: Place,
  { say, onCdkLine }: Pick<Verification, 'say' | 'onCdkLine'>,
): Promise<Leftovers> => {
  const stage = throwawayStage(target.settings.stage);
  const stacks = await stacksOf(stage);
  let failure: unknown;
  for (let trial = 1; trial <= tries; trial += 1) {
    try {
      for (const bucket of bucketsOf(await stacksOf(stage))) await emptyBucket(bucket);
      await destroy(target, { onLine: onCdkLine });
      await deleteLogGroups(gatewayLogGroups(stacks));
      return await leftoversOf(stage, stacks);
    } catch (error) {
      failure = error;
      if (trial < tries) say(`It could not be destroyed, and is tried again: ${messageOf(error)}`);
    }
  }
  throw new PlainError(await stillThere(stage, failure));
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const stillThere = async (stage: string, failure: unknown): Promise<string> => {
  const cost = await stacksOf(stage).then(
    (stacks) => `What is left costs ${leftUsd(stacks)} USD a month, and what its tables, buckets and logs hold.`,
    () => 'What is left could not be read. It goes on to cost.',
  );
  return `The stage ${stage} could not be destroyed: ${messageOf(failure)}\n${cost} Go on with:\n${byHand(stage)}`;
};

/** US dollars of a month of what is still there. */
export const leftUsd = (stacks: readonly FoundStack[]): string => {
  const there = stacks.flatMap(({ resources }) => resources).filter(({ status }) => status !== 'DELETE_COMPLETE');
  return monthlyUsd(there.map(({ type }) => type));
};

const bucketsOf = (stacks: readonly FoundStack[]): readonly string[] =>
  stacks
    .flatMap(({ resources }) => resources)
    .filter(
      ({ type, physicalId, status }) =>
        type === 'AWS::S3::Bucket' && physicalId !== '' && !['DELETE_COMPLETE', 'CREATE_FAILED'].includes(status),
    )
    .map(({ physicalId }) => physicalId);

/** Deletes every version of every object: AWS deletes no bucket that holds any. */
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
