import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { PinnedFile } from '../../functions/domain/batch.ts';
import { chunkFile, paymentMethods } from '../../functions/files/contents.ts';
import {
  chunkKey,
  errorsKey,
  manifestKey,
  methodsKey,
  planPrefix,
  proofKey,
  reportKey,
} from '../../functions/files/keys.ts';
import type { Files } from '../../functions/ports/files.ts';
import type { Process } from './process.ts';
import type { Chance } from './random.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

export interface FilesParts {
  /** Everything in the bucket, by key. */
  readonly bucket: Map<string, Buffer>;
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly weather: Weather;
}

const outage = (): Error => Object.assign(new Error('S3 is out'), { name: 'ServiceUnavailable' });

/** The bucket as one process uses it, by the keys and contents of the real one. */
export const filesOf = ({ bucket, timeline, chance, weather }: FilesParts, process: Process): Files => {
  const reach = <Value>(act: () => Value): Promise<Value> => {
    const isOut = timeline.now < weather.until && chance.happens(weather.filesError);
    return process.reach('file', act, isOut ? (chance.happens(0.5) ? { before: outage() } : { after: outage() }) : {});
  };
  const get = (key: string): Buffer => {
    const content = bucket.get(key);
    if (content === undefined) throw Object.assign(new Error(key), { name: 'NoSuchKey' });
    return content;
  };
  const put = async (key: string, content: string | Uint8Array): Promise<string> => {
    await reach(() => bucket.set(key, Buffer.from(content)));
    return key;
  };
  const parsed = async (key: string): Promise<unknown> => JSON.parse((await reach(() => get(key))).toString('utf8'));
  return {
    pinUpload: (key): Promise<PinnedFile> => reach(() => ({ key, versionId: 'version-1', bytes: get(key).byteLength })),
    openUpload: async ({ key }) => Readable.from([await reach(() => get(key))]),
    planFiles: (batchId, runId) => {
      const prefix = planPrefix(batchId, runId);
      return {
        prefix,
        putChunk: async (chunk) => {
          await put(chunkKey(prefix, chunk.chunk), JSON.stringify(chunk));
        },
        putManifest: (id, chunks) =>
          put(
            manifestKey(prefix),
            JSON.stringify(Array.from({ length: chunks }, (_, index) => ({ batchId: id, chunk: index + 1 }))),
          ),
        putErrors: async (csv) => put(errorsKey(prefix), await buffer(csv)),
        putMethods: async (methods) => {
          await put(methodsKey(prefix), JSON.stringify(methods));
        },
      };
    },
    getChunk: async (prefix, chunk) => chunkFile.parse(await parsed(chunkKey(prefix, chunk))),
    getMethods: async (prefix) => paymentMethods.parse(await parsed(methodsKey(prefix))),
    putProof: async (batchId, row, pdf) => {
      const sha256 = createHash('sha256').update(pdf).digest('hex');
      const key = await put(proofKey(batchId, row, sha256), pdf);
      return { key, sha256, bytes: pdf.byteLength };
    },
    putReport: async (batchId, runId, name, content) => put(reportKey(batchId, runId, name), await buffer(content)),
    linkTo: async (key) => `https://files.example/${key}`,
  };
};
