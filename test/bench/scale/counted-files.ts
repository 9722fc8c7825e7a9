import { createHash } from 'node:crypto';
import type { ChunkFile } from '../../../functions/domain/batch/chunk-file.ts';
import { chunkKey, proofKey, reportKey, submitManifestKey } from '../../../functions/files/keys.ts';
import type { Files } from '../../../functions/ports/files.ts';
import type { Timeline } from '../../simulation/world/timeline.ts';

const latencyMs = 20;

/** The bucket for disbursing. Objects that nothing reads are counted and dropped. */
export class CountedFiles {
  writes = 0;
  reads = 0;
  readonly #timeline: Timeline;
  readonly #chunks = new Map<string, ChunkFile>();
  readonly #manifests = new Map<string, readonly { readonly batchId: string; readonly chunk: number }[]>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Adds the files of a plan. */
  addPlan(prefix: string, manifest: string, chunks: readonly ChunkFile[]): void {
    for (const file of chunks) this.#chunks.set(chunkKey(prefix, file.chunk), file);
    this.#manifests.set(
      manifest,
      chunks.map(({ batchId, chunk }) => ({ batchId, chunk })),
    );
    this.writes += chunks.length + 1;
  }

  /** The items of a Distributed Map. */
  itemsOf(key: string): readonly unknown[] {
    const items = this.#manifests.get(key);
    if (items === undefined) throw new Error(`there is no manifest ${key}`);
    this.reads += 1;
    // The Map's ResultWriter stores a manifest and the children's results.
    this.writes += 3;
    return items;
  }

  get files(): Pick<Files, 'getChunk' | 'readList' | 'putProof' | 'putReport' | 'putSubmitManifest'> {
    const write = async (): Promise<void> => {
      this.writes += 1;
      await this.#timeline.sleep(latencyMs);
    };
    return {
      getChunk: async ({ prefix }, chunk) => {
        this.reads += 1;
        await this.#timeline.sleep(latencyMs);
        const file = this.#chunks.get(chunkKey(prefix, chunk));
        if (file === undefined) throw new Error(`there is no chunk ${chunk}`);
        return file;
      },
      readList: ({ key }) => {
        throw new Error(`there is no ${key}`);
      },
      putProof: async (batchId, row, pdf) => {
        const sha256 = createHash('sha256').update(pdf).digest('hex');
        await write();
        return { key: proofKey(batchId, row, sha256), sha256, bytes: pdf.byteLength };
      },
      putReport: async (batchId, runId, name, content) => {
        for await (const _part of content);
        await write();
        return reportKey(batchId, runId, name);
      },
      putSubmitManifest: async (batchId, runId, chunks) => {
        const key = submitManifestKey(batchId, runId);
        this.#manifests.set(
          key,
          chunks.map((chunk) => ({ batchId, chunk })),
        );
        await write();
        return key;
      },
    };
  }
}
