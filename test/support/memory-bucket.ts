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
  throw new Error('a body that the bucket in memory does not know');
};

/** Bytes that come over the network at once. */
const blockBytes = 65_536;

function* blocksOf(content: Buffer): Generator<Buffer> {
  for (let from = 0; from < content.length; from += blockBytes) yield content.subarray(from, from + blockBytes);
}

/** The text and the bytes of a body as the SDK gives them, beside the stream that it is. */
const bodyOf = (content: Buffer): Readable =>
  Object.assign(Readable.from(blocksOf(content), { objectMode: false }), {
    transformToString: async () => content.toString('utf8'),
    transformToByteArray: async () => new Uint8Array(content),
  });

/** The part that `bytes=0-99` asks for, and where it stands in the whole; the whole when nothing is asked. */
const partOf = (content: Buffer, range: string | undefined) => {
  if (range === undefined) return { Body: bodyOf(content) };
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  const part = content.subarray(Number(from), Number(to) + 1);
  const last = Number(from) + part.byteLength - 1;
  return { Body: bodyOf(part), ContentRange: `bytes ${from}-${last}/${content.byteLength}` };
};

const config = { region: 'none', credentials: { accessKeyId: 'none', secretAccessKey: 'none' } };

/** A versioned bucket: puts, and reads of the newest or of a named version. Nothing is ever gone from it. */
export class MemoryBucket {
  /** What the real one is asked through; `send` is who uses it to bring. */
  static readonly client = new S3Client(config);
  readonly #versions = new Map<string, Version[]>();

  /** Returns the id of the version that it makes. */
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

  /** Everything in it: contents and metadata. */
  text(): string {
    const versions = [...this.#versions.values()].flat();
    return versions.map(({ content, metadata }) => `${content.toString()} ${JSON.stringify(metadata)}`).join('\n');
  }

  /** Puts other content under the metadata that stands. */
  replace(key: string, content: Buffer): void {
    this.put(key, content, this.#find(key, undefined)?.metadata);
  }

  /** Makes the first versions of all keys that start so the newest again. */
  restore(prefix: string): void {
    for (const [key, versions] of this.#versions)
      if (key.startsWith(prefix)) this.#versions.set(key, versions.slice(0, 1));
  }

  /** What S3 answers to a command of its SDK; throws what it throws. */
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
    throw new Error('a command that the bucket in memory does not know');
  }

  #find(key: string, versionId: string | undefined): Version | undefined {
    const versions = this.#versions.get(key) ?? [];
    return versionId === undefined ? versions.at(-1) : versions.find((version) => version.versionId === versionId);
  }
}

const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('base64');
