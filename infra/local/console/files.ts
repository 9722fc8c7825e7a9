import { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { startBatchBody } from '../../../functions/api/schemas/start-batch.ts';

/** A file as a signed link gives it. */
export interface OpenedFile {
  readonly type: string;
  /** What a browser does with it: save it, under which name. */
  readonly disposition: string;
  readonly content: Readable;
}

/** What the page does with files where the local AWS has no S3 console, and a certificate that no browser trusts. */
export interface ConsoleFiles {
  /** Bytes that a payout file may have. */
  readonly mostBytes: number;
  /** Where signed links lead: the address that they all begin with. */
  readonly linksBegin: string;
  readonly upload: (name: string, content: Readable) => Promise<void>;
  /** What a signed link leads to, by what follows `linksBegin`; undefined when it leads to nothing any more. */
  readonly open: (link: string) => Promise<OpenedFile | undefined>;
}

/** Whether the operator API takes a file of this name; a name is no path. */
export const isFileName = (name: string): boolean =>
  !/[/\\]|^\.+$/.test(name) && startBatchBody.shape.file.safeParse(`uploads/${name}`).success;

/** The files of a bucket of the local AWS. A link is followed without credentials: it opens what it is signed for. */
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
