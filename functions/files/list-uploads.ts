import type { S3Client } from '@aws-sdk/client-s3';
import { ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import type { Upload, Uploads } from '../ports/files.ts';

/** Pages of a list, of 1,000 versions each. S3 sorts them by name: of more files than that the newest may be on none of these. */
const mostPages = 5;

/** S3 writes a key so where it is asked to, since XML has no place for some of its characters. */
const decoded = (text: string, encoding: string | undefined): string =>
  encoding === 'url' ? decodeURIComponent(text.replaceAll('+', '%20')) : text;

/** The current versions of files whose key begins so. Versions are listed, since a list of objects does not tell theirs. */
export const listUploads = async (
  { s3, bucket }: { readonly s3: Pick<S3Client, 'send'>; readonly bucket: string },
  prefix: string,
): Promise<Uploads> => {
  const uploads: Upload[] = [];
  let from: { KeyMarker?: string; VersionIdMarker?: string } = {};
  for (let page = 0; page < mostPages; page += 1) {
    const listed = await s3.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix, EncodingType: 'url', ...from }),
    );
    for (const { Key = '', VersionId, Size = 0, LastModified, IsLatest } of listed.Versions ?? []) {
      const key = decoded(Key, listed.EncodingType);
      // The S3 console makes a folder by an empty object with a slash at its end.
      if (!IsLatest || VersionId === undefined || LastModified === undefined || key.endsWith('/')) continue;
      uploads.push({ key, versionId: VersionId, bytes: Size, uploadedAt: LastModified.toISOString() });
    }
    const { IsTruncated, NextKeyMarker, NextVersionIdMarker } = listed;
    if (!IsTruncated || NextKeyMarker === undefined) return { uploads, isWhole: true };
    from = {
      KeyMarker: decoded(NextKeyMarker, listed.EncodingType),
      ...(NextVersionIdMarker === undefined ? {} : { VersionIdMarker: NextVersionIdMarker }),
    };
  }
  return { uploads, isWhole: false };
};
