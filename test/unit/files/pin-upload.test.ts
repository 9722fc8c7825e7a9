import { NotFound, S3ServiceException } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { createFiles } from '../../../functions/files/files.ts';
import { MemoryBucket } from '../../support/memory-bucket.ts';

/** An error as the SDK makes it from an answer to HEAD, which has no body. */
const refused = (httpStatusCode: number, name: string): S3ServiceException =>
  new S3ServiceException({ name, $fault: 'client', $metadata: { httpStatusCode } });

const pin = (error: Error, versionId?: string) => {
  const s3 = new MemoryBucket().client(() => Promise.reject(error));
  return createFiles({ s3, uploads: s3, bucket: 'files', clock: () => 0 }).pinUpload('uploads/a.csv', versionId);
};

describe('a version of a payout file', () => {
  it.each([
    ['that S3 does not have', new NotFound({ message: '', $metadata: { httpStatusCode: 404 } })],
    ['that is none by its form', refused(400, '400')],
    ['that marks the file as deleted', refused(405, 'UnknownError')],
  ])('%s is a missing file', async (_, error) => {
    await expect(pin(error, 'v1')).resolves.toBeUndefined();
  });

  it.each([403, 500, 503])('that S3 answers with %i is not reported as missing', async (status) => {
    await expect(pin(refused(status, 'UnknownError'), 'v1')).rejects.toThrow(S3ServiceException);
  });
});
