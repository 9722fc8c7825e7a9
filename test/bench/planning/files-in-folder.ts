import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { chunkFile } from '../../../functions/domain/batch/chunk-file.ts';
import { sealOf } from '../../../functions/files/seal.ts';
import type { PlanBatchDependencies } from '../../../functions/steps/plan-batch.ts';

/**
 * The payout files on disk instead of in a bucket: the same texts that functions/files would store, appended to one file. Ten
 * thousand small files would measure this disk, which AWS does not have.
 */
export const filesInFolder = async (
  folder: string,
): Promise<PlanBatchDependencies['files'] & { readonly close: () => Promise<void> }> => {
  const planned = await open(path.join(folder, 'planned.json'), 'w+');
  let end = 0;
  const places = new Map<number, readonly [from: number, bytes: number]>();
  const put = async (bytes: Buffer): Promise<readonly [from: number, bytes: number]> => {
    const from = end;
    end += bytes.length;
    await planned.write(bytes, 0, bytes.length, from);
    return [from, bytes.length];
  };
  const putCsv = async (name: string, csv: Readable): Promise<string> => {
    await pipeline(csv, createWriteStream(path.join(folder, name)));
    return name;
  };
  const isNoPain001 = (): never => {
    throw new Error('the generated file is not a pain.001');
  };
  return {
    readList: ({ key }) => createReadStream(path.join(folder, key)),
    putRefusal: isNoPain001,
    getChunk: () => {
      throw new Error('the generated file corrects no batch');
    },
    openUpload: async ({ key }) => createReadStream(key),
    planFiles: (batchId, _runId, sealKey) => ({
      prefix: `${folder}/`,
      putChunk: async (chunk) => {
        const bytes = Buffer.from(JSON.stringify(chunk));
        // A bucket also stores the seal.
        sealOf(sealKey, `${chunk.chunk}`, bytes);
        places.set(chunk.chunk, await put(bytes));
      },
      getChunk: async (chunk) => {
        const [position, length] = places.get(chunk) ?? [0, 0];
        const { buffer } = await planned.read({ buffer: Buffer.alloc(length), position });
        return chunkFile().parse(JSON.parse(buffer.toString()));
      },
      putManifest: async (chunks) => {
        await put(
          Buffer.from(JSON.stringify(Array.from({ length: chunks }, (_, index) => ({ batchId, chunk: index + 1 })))),
        );
        return 'manifest.json';
      },
      putList: async (name, csv) => ({ key: await putCsv(name, csv), sha256: '' }),
      putToCorrect: (name, csv) => putCsv(name, csv),
      putMethods: async (methods) => {
        await put(Buffer.from(JSON.stringify(methods)));
      },
    }),
    close: () => planned.close(),
  };
};
