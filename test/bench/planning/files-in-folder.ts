import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sealOf } from '../../../functions/files/seal.ts';
import type { PlanBatchDependencies } from '../../../functions/steps/plan-batch.ts';

/**
 * The payout files on disk instead of in a bucket: what functions/files would put into objects, as the same texts, one
 * after the other into one file. A file for each of ten thousand chunks would measure this disk, which AWS does not have.
 */
export async function filesInFolder(
  folder: string,
): Promise<PlanBatchDependencies['files'] & { readonly close: () => Promise<void> }> {
  const planned = await open(path.join(folder, 'planned.json'), 'w');
  const put = async (content: string | Uint8Array): Promise<void> => {
    await planned.write(Buffer.from(content));
  };
  return {
    openUpload: async ({ key }) => createReadStream(key),
    planFiles: (batchId, _runId, sealKey) => ({
      prefix: `${folder}/`,
      putChunk: async (chunk) => {
        const bytes = Buffer.from(JSON.stringify(chunk));
        await put(bytes);
        await put(sealOf(sealKey, `${chunk.chunk}`, bytes));
      },
      putManifest: async (chunks) => {
        await put(JSON.stringify(Array.from({ length: chunks }, (_, index) => ({ batchId, chunk: index + 1 }))));
        return 'manifest.json';
      },
      putErrors: async (csv) => {
        await pipeline(csv, createWriteStream(path.join(folder, 'errors.csv')));
        return { key: 'errors.csv', sha256: '' };
      },
      putMethods: (methods) => put(JSON.stringify(methods)),
    }),
    close: () => planned.close(),
  };
}
