import { createHash, hash } from 'node:crypto';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import {
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { chunkFile } from '../domain/batch/chunk-file.ts';
import type { HashedFile } from '../domain/batch/plan.ts';
import { dayMs } from '../domain/durations.ts';
import { FileAltered, FileGone, InvariantBroken } from '../domain/errors.ts';
import { hashed } from '../domain/hashed.ts';
import { inText } from '../domain/money/money-records.ts';
import type { Clock } from '../ports/environment.ts';
import type { Files } from '../ports/files.ts';
import { chunkKey, planFileKey, planPrefix, proofArchiveKey, proofKey, reportKey, submitManifestKey } from './keys.ts';
import { listUploads } from './list-uploads.ts';
import { isSealedBy, sealOf } from './seal.ts';

interface FilesDependencies {
  readonly s3: S3Client;
  /** A client with a longer idle timeout: the reader of an upload pauses while chunks are written. */
  readonly uploads: S3Client;
  readonly bucket: string;
  readonly clock: Clock;
  /**
   * The time during which a proof or a report cannot be deleted. In GOVERNANCE mode, someone with the right to bypass the lock
   * can still delete it. Undefined when nothing is locked. The bucket must have Object Lock enabled.
   */
  readonly lock?: { readonly mode: 'GOVERNANCE' | 'COMPLIANCE'; readonly days: number } | undefined;
}

type PutOptions = Omit<Partial<PutObjectCommandInput>, 'Body'>;

/** Size of one part when a file is read in parts: some 10,000 lines of errors.csv. */
const partBytes = 1_048_576;

/** By the end of a key. */
const contentTypes: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json',
  '.jsonl': 'application/jsonl',
  '.pdf': 'application/pdf',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

/**
 * Payout files, chunks, proofs and reports in one bucket. Throws FileAltered when a file's seal or hash does not match, FileGone
 * when a chunk or a proof is gone, and what S3 throws; the callers retry outages.
 */
export const createFiles = (dependencies: FilesDependencies): Files => {
  const { s3, uploads, bucket, clock, lock } = dependencies;

  /** Records are never overwritten. Those of abandoned runs stay too, locked. */
  const locked = () =>
    lock === undefined
      ? {}
      : { ObjectLockMode: lock.mode, ObjectLockRetainUntilDate: new Date(clock() + lock.days * dayMs) };

  const placeOf = (Key: string) => ({ Bucket: bucket, Key, ContentType: contentTypes[path.extname(Key)] });

  const put = async (key: string, Body: string | Uint8Array, more: PutOptions = {}) => {
    await s3.send(new PutObjectCommand({ ...placeOf(key), Body, ...more }));
    return key;
  };

  /** Multipart upload for content of unknown length, so that a report is never in memory as a whole. */
  const putStream = async (key: string, Body: Readable, more: PutOptions = {}) => {
    await new Upload({ client: s3, params: { ...placeOf(key), Body, ...more } }).done();
    return key;
  };

  const read = async (key: string) => {
    const { Body, Metadata } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key })).catch((error) => {
      throw isGone(error) ? new FileGone(key) : error;
    });
    if (!Body) throw new InvariantBroken(`${key} has no body`);
    return { bytes: Buffer.from(await Body.transformToByteArray()), Metadata };
  };

  const getChunk: Files['getChunk'] = async ({ prefix, sealKey }, chunk) => {
    const key = chunkKey(prefix, chunk);
    const { bytes, Metadata } = await read(key);
    if (!isSealedBy(sealKey, key, bytes, Metadata?.['seal'])) throw new FileAltered(key);
    return chunkFile().parse(JSON.parse(bytes.toString()));
  };

  const planFiles: Files['planFiles'] = (batchId, runId, sealKey) => {
    const prefix = planPrefix(batchId, runId);
    return {
      prefix,
      putChunk: async (chunk) => {
        const [key, bytes] = [chunkKey(prefix, chunk.chunk), Buffer.from(JSON.stringify(chunk))];
        await put(key, bytes, { Metadata: { seal: sealOf(sealKey, key, bytes) } });
      },
      putManifest: (chunks) => {
        const all = Array.from({ length: chunks }, (_, index) => index + 1);
        return put(planFileKey(prefix, 'manifest.json'), manifestOf(batchId, all));
      },
      getChunk: (chunk) => getChunk({ prefix, sealKey }, chunk),
      putList: async (name, lines) => {
        const [key, content] = [planFileKey(prefix, name), createHash('sha256')];
        await putStream(key, Readable.from(hashed(lines, content), { objectMode: false }));
        return { key, sha256: content.digest('hex') };
      },
      putToCorrect: (name, content) => putStream(planFileKey(prefix, name), content),
      putMethods: async (methods) => {
        await put(planFileKey(prefix, 'methods.json'), JSON.stringify(inText(methods)));
      },
    };
  };

  async function* readList({ key, sha256 }: HashedFile): AsyncGenerator<Uint8Array> {
    const content = createHash('sha256');
    for (let [from, size] = [0, 1]; from < size; ) {
      const Range = `bytes=${from}-${from + partBytes - 1}`;
      const { Body, ContentRange = '' } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range }));
      const part = await Body?.transformToByteArray();
      if (!part?.length) throw new InvariantBroken(`${key} has no bytes from ${from} on`);
      content.update(part);
      yield part;
      from += part.length;
      size = Number(ContentRange.split('/')[1]);
    }
    if (content.digest('hex') !== sha256) throw new FileAltered(key);
  }

  return {
    listUploads: (startsWith) => listUploads(dependencies, `uploads/${startsWith}`),

    pinUpload: async (key, versionId) => {
      try {
        const head = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId }));
        if (head.VersionId === undefined) throw new InvariantBroken('the bucket of the payout files is not versioned');
        return { key, versionId: head.VersionId, bytes: head.ContentLength ?? 0 };
      } catch (error) {
        // S3 answers 400 for an impossible version id, 404 for an unknown one, and 405 for a delete marker. All three
        // mean "no such file" to the operator.
        if (error instanceof NotFound || error instanceof NoSuchKey || isNoFilesVersion(error)) return undefined;
        throw error;
      }
    },

    openUpload: async ({ key, versionId }) => {
      const { Body } = await uploads.send(new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId }));
      if (!(Body instanceof Readable)) throw new InvariantBroken(`${key} has no body`);
      return Body;
    },

    planFiles,

    putSubmitManifest: (batchId, runId, chunks) => put(submitManifestKey(batchId, runId), manifestOf(batchId, chunks)),

    getChunk,

    readList,

    putProof: async (batchId, row, pdf) => {
      const sha256 = hash('sha256', pdf);
      const key = proofKey(batchId, row, sha256);
      // S3 refuses the upload when the received bytes differ from the hashed ones.
      const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64');
      await put(key, pdf, { ChecksumSHA256, ...locked() });
      return { key, sha256, bytes: pdf.byteLength };
    },

    getProof: async ({ key, sha256 }) => {
      const { bytes } = await read(key);
      if (hash('sha256', bytes) !== sha256) throw new FileAltered(key);
      return bytes;
    },

    putProofArchive: (batchId, runId, content) => putStream(proofArchiveKey(batchId, runId), content),

    putReport: (batchId, runId, name, content) => putStream(reportKey(batchId, runId, name), content, locked()),

    putRefusal: ({ prefix }, xml) => putStream(planFileKey(prefix, 'pain-002.xml'), xml),

    linkTo: (key, seconds, downloadName) => {
      const ResponseContentDisposition = `attachment; filename="${downloadName}"`;
      const command = new GetObjectCommand({ Bucket: bucket, Key: key, ResponseContentDisposition });
      return getSignedUrl(s3, command, { expiresIn: seconds });
    },
  };
};

/** The Distributed Map's items. */
const manifestOf = (batchId: string, chunks: readonly number[]): string =>
  JSON.stringify(chunks.map((chunk) => ({ batchId, chunk })));

/** To a function that may not list the bucket, S3 answers 403 for a key without an object, as for one that may not be read. */
const isGone = (error: unknown): boolean =>
  error instanceof S3ServiceException && ['NoSuchKey', 'AccessDenied'].includes(error.name);

/** The response to a HEAD has no body that names the error, so a delete marker shows only in the status code. */
const isNoFilesVersion = (error: unknown): boolean =>
  error instanceof S3ServiceException &&
  (error.$metadata.httpStatusCode === 405 ||
    ['BadRequest', 'NoSuchVersion', 'InvalidArgument', '400'].includes(error.name));
