import type { ListObjectVersionsCommand, ListObjectVersionsCommandOutput } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { listUploads } from '../../../functions/files/list-uploads.ts';

type Listed = Partial<ListObjectVersionsCommandOutput>;

const at = new Date('2026-01-05T09:00:00.000Z');
const version = (Key: string, changes: object = {}) => ({
  ...{ Key, VersionId: 'v-1', Size: 7, LastModified: at, IsLatest: true },
  ...changes,
});

/** S3 with these pages in turn. The last one repeats forever. */
const s3With = (...pages: readonly Listed[]) => {
  const asked: unknown[] = [];
  const send = async ({ input }: ListObjectVersionsCommand) => {
    asked.push(input);
    return pages[Math.min(asked.length, pages.length) - 1];
  };
  return { asked, s3: Object.create({}, { send: { value: send } }) };
};

const list = ({ s3 }: { readonly s3: Parameters<typeof listUploads>[0]['s3'] }, prefix = 'uploads/') =>
  listUploads({ s3, bucket: 'files' }, prefix);

describe('the list of uploads', () => {
  it('has the current version of each file, and no folders', async () => {
    const Versions = [
      version('uploads/a.csv', { VersionId: 'v-2' }),
      version('uploads/a.csv', { IsLatest: false }),
      version('uploads/gone.csv', { IsLatest: false }),
      version('uploads/2026/', { Size: 0 }),
    ];
    const found = s3With({ Versions });
    expect(await list(found, 'uploads/x')).toEqual({
      uploads: [{ key: 'uploads/a.csv', versionId: 'v-2', bytes: 7, uploadedAt: at.toISOString() }],
      isWhole: true,
    });
    expect(found.asked).toEqual([{ Bucket: 'files', Prefix: 'uploads/x', EncodingType: 'url' }]);
  });

  it('continues after a page, by exact names', async () => {
    const found = s3With(
      {
        ...{ Versions: [version('uploads/a+b%2B%25.csv')], EncodingType: 'url', IsTruncated: true },
        ...{ NextKeyMarker: 'uploads/a+b%2B%25.csv', NextVersionIdMarker: 'v-1' },
      },
      { Versions: [version('uploads/c+%.csv')] },
    );
    const { uploads } = await list(found);
    expect(uploads.map(({ key }) => key)).toEqual(['uploads/a b+%.csv', 'uploads/c+%.csv']);
    expect(found.asked[1]).toMatchObject({ KeyMarker: 'uploads/a b+%.csv', VersionIdMarker: 'v-1' });
  });

  it('ends after five pages, and reports that', async () => {
    const found = s3With({ Versions: [version('uploads/a.csv')], IsTruncated: true, NextKeyMarker: 'uploads/a.csv' });
    expect((await list(found)).isWhole).toBe(false);
    expect(found.asked).toHaveLength(5);
  });
});
