import type { ListObjectVersionsCommandInput, S3Client } from '@aws-sdk/client-s3';
import { ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import type { Upload, Uploads } from '../ports/files.ts';

/** Most pages of a list, of 1,000 versions each. S3 sorts by name, so with more files the newest may be missing. */
const mostPages = 5;

/** Decodes a key. S3 encodes keys on request, because XML cannot hold some characters. */
const decoded = (text: string, encoding: string | undefined): string =>
  encoding === 'url' ? decodeURIComponent(text.replaceAll('+', '%20')) : text;

/**
 * The current versions of files whose key begins with `prefix`. Lists versions, because a list of objects has no
 * version ids.
 */
export const listUploads = async (
  { s3, bucket }: { readonly s3: Pick<S3Client, 'send'>; readonly bucket: string },
  prefix: string,
): Promise<Uploads> => {
  const uploads: Upload[] = [];
  let from: Pick<ListObjectVersionsCommandInput, 'KeyMarker' | 'VersionIdMarker'> = {};
  for (let page = 0; page < mostPages; page += 1) {
    const listed = await s3.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix, EncodingType: 'url', ...from }),
    );
    for (const { Key = '', VersionId, Size = 0, LastModified, IsLatest } of listed.Versions ?? []) {
      const key = decoded(Key, listed.EncodingType);
      // The S3 console makes a folder as an empty object with a trailing slash.
      if (!IsLatest || VersionId === undefined || LastModified === undefined || key.endsWith('/')) continue;
      uploads.push({ key, versionId: VersionId, bytes: Size, uploadedAt: LastModified.toISOString() });
    }
    const { IsTruncated, NextKeyMarker, NextVersionIdMarker } = listed;
    if (!IsTruncated || NextKeyMarker === undefined) return { uploads, isWhole: true };
    from = { KeyMarker: decoded(NextKeyMarker, listed.EncodingType), VersionIdMarker: NextVersionIdMarker };
  }
  return { uploads, isWhole: false };
};
