import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FileAltered } from '../../../functions/domain/errors.ts';
import { createFiles } from '../../../functions/files/files.ts';
import { MemoryBucket } from '../../support/memory-bucket.ts';

describe('a proof read back', () => {
  const pdf = Buffer.from('%PDF-1.7 paid');
  const proof = { key: 'proof', sha256: createHash('sha256').update(pdf).digest('hex'), bytes: pdf.byteLength };
  const bucket = new MemoryBucket();
  const s3 = bucket.client();
  const { getProof } = createFiles({ s3, uploads: s3, bucket: 'files', clock: () => 0 });

  it('is the archived one, or the read fails', async () => {
    bucket.put('proof', pdf);
    expect(pdf.equals(await getProof(proof))).toBe(true);
    bucket.put('proof', Buffer.from('%PDF-1.7 another'));
    await expect(getProof(proof)).rejects.toThrow(FileAltered);
  });
});
