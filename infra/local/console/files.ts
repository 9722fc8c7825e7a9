import { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { startBatchBody } from '../../../functions/api/schemas/start-batch.ts';

/** A file behind a signed link. */
export interface OpenedFile {
  readonly type: string;
  /** The header that makes a browser save it, and under which name. */
  readonly disposition: string;
  readonly content: Readable;
}

/** What the page needs because the local AWS has no S3 console, and a certificate that no browser trusts. */
export interface ConsoleFiles {
  /** Largest payout file, in bytes. */
  readonly mostBytes: number;
  /** The beginning of every signed link. */
  readonly linksBegin: string;
  readonly upload: (name: string, content: Readable) => Promise<void>;
  /** Opens a signed link, given without `linksBegin`. Undefined when the link is wrong or expired. */
  readonly open: (link: string) => Promise<OpenedFile | undefined>;
}

/** Whether the operator API accepts a file of this name. It may not be a path. */
export const isFileName = (name: string): boolean =>
  !/[/\\]|^\.+$/.test(name) && startBatchBody.shape.file.safeParse(`uploads/${name}`).success;

/** The files of a bucket of the local AWS. Links are followed without credentials, so each opens only what it is signed for. */
export const bucketFiles = (bucket: string, endpoint: string, mostBytes: number): ConsoleFiles => {
  const client = new S3Client({ maxAttempts: 1 });
  return {
    mostBytes,
    linksBegin: endpoint,
    upload: async (name, content) => {
      await new Upload({ client, params: { Bucket: bucket, Key: `uploads/${name}`, Body: content } }).done();
    },
    open: async (link) => {
      const address = new URL(`${endpoint}${link}`);
      if (address.origin !== endpoint || !address.pathname.startsWith(`/${bucket}/`)) return undefined;
      const { ok, headers, body } = await fetch(address, { redirect: 'error' });
      if (!ok || body === null) return undefined;
      return {
        type: headers.get('content-type') ?? 'application/octet-stream',
        disposition: headers.get('content-disposition') ?? 'attachment',
        content: Readable.fromWeb(body),
      };
    },
  };
};
