import { NoSuchKey, S3ServiceException } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { FileGone } from '../../../functions/domain/errors.ts';
import { createFiles } from '../../../functions/files/files.ts';
import { MemoryBucket } from '../../support/memory-bucket.ts';

const about = { $metadata: {}, message: 'm' };
const error = (name: string) => new S3ServiceException({ ...about, name, $fault: 'client' });

describe('a file that S3 does not return', () => {
  const read = async (failure: Error): Promise<readonly unknown[]> => {
    const s3 = new MemoryBucket().client(() => Promise.reject(failure));
    const { getChunk, getProof } = createFiles({ s3, uploads: s3, bucket: 'files', clock: () => 0 });
    const reads = [
      getChunk({ prefix: 'plan/', sealKey: 'secret' }, 1),
      getProof({ key: 'proof', sha256: 's', bytes: 1 }),
    ];
    return (await Promise.allSettled(reads)).map((one) => one.status === 'rejected' && one.reason);
  };

  it.each([
    ['there is no such key', new NoSuchKey(about)],
    ['access is denied, as for a missing key in a bucket that may not be listed', error('AccessDenied')],
  ])('is gone when %s', async (_, failure) => {
    expect(await read(failure)).toEqual([expect.any(FileGone), expect.any(FileGone)]);
  });

  it.each(['SlowDown', 'NoSuchBucket', 'KMS.DisabledException'])('is not gone for %s', async (name) => {
    const failure = error(name);
    expect(await read(failure)).toEqual([failure, failure]);
  });
});
