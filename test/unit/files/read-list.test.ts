import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FileAltered } from '../../../functions/domain/errors.ts';
import { createFiles } from '../../../functions/files/files.ts';
import { MemoryBucket } from '../../support/memory-bucket.ts';

const filesOf = (content: string) => {
  const bucket = new MemoryBucket();
  bucket.put('errors.csv', Buffer.from(content));
  const s3 = bucket.client();
  return createFiles({ s3, uploads: s3, bucket: 'files', clock: () => 0 });
};

const sha256Of = (content: string): string => createHash('sha256').update(content).digest('hex');

describe('a list of a plan', () => {
  it.each([
    ['a few lines', 'row\n1\n', 1],
    ['a mebibyte', 'x'.repeat(1_048_576), 1],
    ['more than two mebibytes', `${'x'.repeat(2_097_152)}é`, 3],
  ])('of %s is read in parts, to its last byte', async (_, content, count) => {
    const parts = await Array.fromAsync(filesOf(content).readList({ key: 'errors.csv', sha256: sha256Of(content) }));
    expect(parts).toHaveLength(count);
    expect(Buffer.concat(parts).equals(Buffer.from(content))).toBe(true);
  });

  it('fails at its end when it was altered', async () => {
    const read = Array.fromAsync(filesOf('row\n2\n').readList({ key: 'errors.csv', sha256: sha256Of('row\n1\n') }));
    await expect(read).rejects.toThrow(FileAltered);
  });
});
