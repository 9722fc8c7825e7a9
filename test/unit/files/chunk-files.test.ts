import { describe, expect, it } from 'vitest';
import type { ChunkFile } from '../../../functions/domain/batch/chunk-file.ts';
import { FileAltered } from '../../../functions/domain/errors.ts';
import { createFiles } from '../../../functions/files/files.ts';
import { chunkKey } from '../../../functions/files/keys.ts';
import { sealOf } from '../../../functions/files/seal.ts';
import { MemoryBucket } from '../../support/memory-bucket.ts';

const fileOf = (chunk: number, accountNumber: string): ChunkFile => ({
  batchId: 'b-1',
  chunk,
  rail: 'fiat',
  currency: 'IDR',
  payouts: [
    {
      row: chunk,
      reference: `ref-${chunk}`,
      amount: '10',
      recipient: { kind: 'bank', bankCode: 'bca', bankName: 'BCA', accountNumber, accountName: 'Zoë' },
    },
  ],
});

/** Two chunks of a plan, in the bucket. */
const createScene = async () => {
  const bucket = new MemoryBucket();
  const s3 = bucket.client();
  const files = createFiles({ s3, uploads: s3, bucket: 'files', clock: () => 0 });
  const plan = files.planFiles('b-1', 'run', 'secret');
  await plan.putChunk(fileOf(1, '001'));
  await plan.putChunk(fileOf(2, '002'));
  const key = (chunk: number): string => chunkKey(plan.prefix, chunk);
  return {
    bucket,
    key,
    content: (chunk: number): Buffer => bucket.content(key(chunk)) ?? Buffer.of(),
    read: (chunk: number, sealKey: string) => files.getChunk({ prefix: plan.prefix, sealKey }, chunk),
  };
};

type Scene = Awaited<ReturnType<typeof createScene>>;
const altered = ({ content }: Scene): Buffer => Buffer.from(content(1).toString().replace('"001"', '"999"'));

describe('a chunk file', () => {
  it('is read as written by the plan', async () => {
    expect(await (await createScene()).read(1, 'secret')).toEqual(fileOf(1, '001'));
  });

  it.each<[string, (scene: Scene) => void]>([
    ['of another account, without a seal', (scene) => scene.bucket.put(scene.key(1), altered(scene))],
    [
      'of another account, under the seal it had',
      (scene) => {
        const seal = sealOf('secret', scene.key(1), scene.content(1));
        scene.bucket.put(scene.key(1), altered(scene), { seal });
      },
    ],
    [
      'sealed by another key',
      (scene) => {
        const seal = sealOf('guessed', scene.key(1), altered(scene));
        scene.bucket.put(scene.key(1), altered(scene), { seal });
      },
    ],
    [
      'that is another chunk’s, with its seal',
      (scene) => {
        const seal = sealOf('secret', scene.key(2), scene.content(2));
        scene.bucket.put(scene.key(1), scene.content(2), { seal });
      },
    ],
    ['that is no JSON, without a seal', (scene) => scene.bucket.put(scene.key(1), Buffer.from('{'))],
  ])('%s is refused', async (_name, alter) => {
    const scene = await createScene();
    alter(scene);
    await expect(scene.read(1, 'secret')).rejects.toThrow(FileAltered);
    expect(await scene.read(2, 'secret')).toEqual(fileOf(2, '002'));
  });
});
