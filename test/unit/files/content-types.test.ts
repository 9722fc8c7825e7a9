import { Readable } from 'node:stream';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { createFiles } from '../../../functions/files/files.ts';
import { reportNames } from '../../../functions/ports/files.ts';
import { MemoryBucket } from '../../support/memory-bucket.ts';

/** Stores files, and returns their types by key. A browser that follows a link shows or saves a file by its type. */
const typesOf = async (store: (files: ReturnType<typeof createFiles>) => Promise<unknown>) => {
  const types: Record<string, string | undefined> = {};
  const bucket = new MemoryBucket();
  const s3 = bucket.client(async (command) => {
    if (command instanceof PutObjectCommand) types[command.input.Key ?? ''] = command.input.ContentType;
    return bucket.answer(command);
  });
  await store(createFiles({ s3, uploads: s3, bucket: 'files', clock: () => 0 }));
  return types;
};

it('stores every report with the content type of its kind', async () => {
  const types = await typesOf(async (files) => {
    for (const name of reportNames) await files.putReport('b-1', 'r-1', name, Readable.from([Buffer.from('content')]));
  });
  const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const byName = Object.entries(types).map(([key, type]) => [key.split('/').at(-1), type]);
  expect(Object.fromEntries(byName)).toEqual({
    'errors.csv': 'text/csv; charset=utf-8',
    'to-correct.csv': 'text/csv; charset=utf-8',
    'to-correct.xlsx': workbook,
    'repeated-debts.csv': 'text/csv; charset=utf-8',
    'results.csv': 'text/csv; charset=utf-8',
    'retry.csv': 'text/csv; charset=utf-8',
    'retry.xlsx': workbook,
    'evidence.json': 'application/json',
    'pain-002.xml': 'application/xml',
  });
});

it('stores a proof as a PDF, and an archive of proofs as a ZIP', async () => {
  const types = await typesOf(async (files) => {
    await files.putProof('b-1', 7, Buffer.from('%PDF-1.7'));
    await files.putProofArchive('b-1', 'r-1', Readable.from([Buffer.from('PK')]));
  });
  expect(Object.values(types)).toEqual(['application/pdf', 'application/zip']);
});
