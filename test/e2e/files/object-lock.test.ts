import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectRetentionCommand,
  ListObjectVersionsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFiles } from '../../../functions/files/files.ts';

/** The deployed bucket has no lock by default, and the local AWS ignores one in a template. */
describe('records in a bucket with Object Lock', () => {
  const s3 = new S3Client();
  const Bucket = `locked-${randomUUID()}`;
  const pdf = Buffer.from('%PDF-');
  const sha256 = createHash('sha256').update(pdf).digest('hex');
  const now = Date.now();
  const files = createFiles({
    s3,
    uploads: s3,
    bucket: Bucket,
    clock: () => now,
    lock: { mode: 'COMPLIANCE', days: 30 },
  });
  const until = new Date(now + 30 * 86_400_000).toISOString().slice(0, 10);

  beforeAll(async () => {
    await s3.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
    await files.putProof('b-1', 7, pdf);
    await files.putReport('b-1', 'run-1', 'results.csv', Readable.from('row\n'));
    await files.putReport('b-1', 'run-2', 'results.csv', Readable.from('row, again\n'));
    await files.planFiles('b-1', 'run', 'seal key').putMethods([]);
  });

  const versionsOf = async (Prefix: string) =>
    (await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix }))).Versions ?? [];

  it.each([
    ['a proof', `batches/b-1/proofs/0000007-${sha256}.pdf`],
    ['a report', 'batches/b-1/reports/run-1/results.csv'],
    ['a report of another run', 'batches/b-1/reports/run-2/results.csv'],
  ])('cannot be deleted before their retention ends: %s', async (_what, Key) => {
    const versions = await versionsOf(Key);
    expect(versions).toHaveLength(1);
    for (const { VersionId } of versions) {
      const { Retention } = await s3.send(new GetObjectRetentionCommand({ Bucket, Key, VersionId }));
      expect(Retention?.Mode).toBe('COMPLIANCE');
      expect(Retention?.RetainUntilDate?.toISOString()).toContain(until);
      const bypassing = new DeleteObjectCommand({ Bucket, Key, VersionId, BypassGovernanceRetention: true });
      await expect(s3.send(bypassing)).rejects.toMatchObject({ name: 'AccessDenied' });
    }
    expect(await versionsOf(Key)).toHaveLength(1);
  });

  it('are the only locked objects: a plan is not locked', async () => {
    const [plan] = await versionsOf('batches/b-1/plan-run/methods.json');
    const version = { Bucket, Key: plan?.Key, VersionId: plan?.VersionId };
    await expect(s3.send(new GetObjectRetentionCommand(version))).rejects.toThrow();
    await s3.send(new DeleteObjectCommand(version));
    expect(await versionsOf('batches/b-1/plan-run/')).toEqual([]);
  });
});
