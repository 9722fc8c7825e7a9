import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';

interface Version {
  readonly versionId: string;
  readonly content: Buffer;
  readonly metadata: Readonly<Record<string, string>>;
}

const bytesOf = (body: unknown): Buffer => {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body);
  throw new Error('unsupported body');
};

/** Bytes of one network read. */
const blockBytes = 65_536;

function* blocksOf(content: Buffer): Generator<Buffer> {
  for (let from = 0; from < content.length; from += blockBytes) yield content.subarray(from, from + blockBytes);
}

/** A body as the SDK returns it: a stream with methods for its text and bytes. */
const bodyOf = (content: Buffer): Readable =>
  Object.assign(Readable.from(blocksOf(content), { objectMode: false }), {
    transformToString: async () => content.toString('utf8'),
    transformToByteArray: async () => new Uint8Array(content),
  });

/** The range `bytes=0-99` of an object with its position, or the whole object without a range. */
const partOf = (content: Buffer, range: string | undefined) => {
  if (range === undefined) return { Body: bodyOf(content) };
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  const part = content.subarray(Number(from), Number(to) + 1);
  const last = Number(from) + part.byteLength - 1;
  return { Body: bodyOf(part), ContentRange: `bytes ${from}-${last}/${content.byteLength}` };
};

/** The real client's configuration and middleware. */
const real = new S3Client({ region: 'none', credentials: { accessKeyId: 'none', secretAccessKey: 'none' } });

/** A versioned bucket: puts, and reads of the newest or of a given version. Only `restore` deletes. */
export class MemoryBucket {
  readonly #versions = new Map<string, Version[]>();

  /** Returns the new version's id. */
  put(key: string, content: Buffer, metadata: Version['metadata'] = {}): string {
    const versions = this.#versions.get(key) ?? [];
    const versionId = `version-${versions.length + 1}`;
    this.#versions.set(key, [...versions, { versionId, content, metadata }]);
    return versionId;
  }

  /** The newest version. */
  content(key: string): Buffer | undefined {
    return this.#find(key, undefined)?.content;
  }

  /** All contents and metadata as one text. */
  text(): string {
    const versions = [...this.#versions.values()].flat();
    return versions.map(({ content, metadata }) => `${content.toString()} ${JSON.stringify(metadata)}`).join('\n');
  }

  /** Replaces the content and keeps the metadata. */
  replace(key: string, content: Buffer): void {
    this.put(key, content, this.#find(key, undefined)?.metadata);
  }

  /** Makes the first versions of all keys that start so the newest again. */
  restore(prefix: string): void {
    for (const [key, versions] of this.#versions)
      if (key.startsWith(prefix)) this.#versions.set(key, versions.slice(0, 1));
  }

  /** S3's response to a command of its SDK. Throws S3's exceptions. */
  answer(command: unknown): object {
    if (command instanceof PutObjectCommand) {
      const { Key = '', Body, ChecksumSHA256, Metadata } = command.input;
      const content = bytesOf(Body);
      const isOther = ChecksumSHA256 !== undefined && ChecksumSHA256 !== sha256Of(content);
      if (isOther) throw new Error('BadDigest');
      return { VersionId: this.put(Key, content, Metadata) };
    }
    if (command instanceof HeadObjectCommand) {
      const { Key = '', VersionId } = command.input;
      const found = this.#find(Key, VersionId);
      if (found === undefined) throw new NotFound({ $metadata: {}, message: Key });
      return { VersionId: found.versionId, ContentLength: found.content.byteLength };
    }
    if (command instanceof GetObjectCommand) {
      const { Key = '', VersionId, Range } = command.input;
      const found = this.#find(Key, VersionId);
      if (found === undefined) throw new NoSuchKey({ $metadata: {}, message: Key });
      return { VersionId: found.versionId, Metadata: found.metadata, ...partOf(found.content, Range) };
    }
    throw new Error('unsupported command');
  }

  /**
   * The real client over this bucket.
   *
   * @param send answers a command instead of the bucket
   */
  client(send: (command: unknown) => Promise<object> = async (command) => this.answer(command)): S3Client {
    return Object.create(real, { send: { value: send } });
  }

  #find(key: string, versionId: string | undefined): Version | undefined {
    const versions = this.#versions.get(key) ?? [];
    return versionId === undefined ? versions.at(-1) : versions.find((version) => version.versionId === versionId);
  }
}

const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('base64');
