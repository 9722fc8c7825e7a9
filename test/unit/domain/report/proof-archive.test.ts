import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import type { Payout } from '../../../../functions/domain/payout/payout.ts';
import type { ProvenPayout } from '../../../../functions/domain/report/proof-archive.ts';
import { proofArchive } from '../../../../functions/domain/report/proof-archive.ts';
import { runs } from '../../../support/fast-loop.ts';
import { idr } from '../../../support/money.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const proven = (row: number, reference: string, pdf: Uint8Array): ProvenPayout => {
  const payout: Payout = {
    batchId: 'b-1',
    chunk: 1,
    row,
    reference,
    rail: 'fiat',
    amount: idr('10.50'),
    destinationHash: 'h',
    status: 'completed',
    disbursementId: `d-${row}`,
    proof: { key: 'k', sha256: sha256(pdf), bytes: pdf.byteLength },
    updatedAt: 't',
  };
  return { payout, pdf };
};

const archived = async (...proofs: readonly ProvenPayout[]) => {
  const parts = proofArchive(
    (async function* () {
      yield* proofs;
    })(),
    new Date('2026-01-05T10:00:00Z'),
  );
  const zip = Buffer.concat(await Array.fromAsync(parts));
  const { 'index.csv': index = new Uint8Array(), ...files } = unzipSync(zip);
  expect(Buffer.from(index).toString()).toMatch(/^\ufefffile,/);
  const { data } = Papa.parse<Record<string, string>>(Buffer.from(index).toString().trim(), { header: true });
  return { zip, files, index: data };
};

describe('an archive of proofs', () => {
  it('has each PDF as archived, and an index of their hashes', async () => {
    const pdfs = fc.uint8Array({ maxLength: 2000 });
    const references = fc.string({ unit: fc.constantFrom(...'aZ09._:-/\\é '), minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(references, pdfs), { maxLength: 8 }), async (rows) => {
        const proofs = rows.map(([reference, pdf], index) => proven(index + 1, reference, pdf));
        const { files, index } = await archived(...proofs);
        expect(Object.keys(files)).toHaveLength(rows.length);
        expect(index.map(({ file = '' }) => sha256(files[file] ?? new Uint8Array()))).toEqual(
          rows.map(([, pdf]) => sha256(pdf)),
        );
        expect(index.map((line) => line['sha256'])).toEqual(rows.map(([, pdf]) => sha256(pdf)));
        for (const name of Object.keys(files)) expect(name).toMatch(/^\d{7}-[A-Za-z0-9._-]+\.pdf$/);
      }),
      { numRuns: runs(100) },
    );
  });

  it('names its files by row and reference, so that they sort and none leaves its folder', async () => {
    const { files } = await archived(
      proven(2, '../../etc/passwd', Buffer.of(1)),
      proven(11, 'INV:7', Buffer.of(2)),
      proven(1_000_000, 'INV-8', Buffer.of(3)),
    );
    expect(Object.keys(files)).toEqual(['0000002-.._.._etc_passwd.pdf', '0000011-INV_7.pdf', '1000000-INV-8.pdf']);
  });

  it('omits an altered proof, and reports that', async () => {
    const altered = { ...proven(2, 'B', Buffer.of(2)), pdf: undefined };
    const { files, index } = await archived(proven(1, 'A', Buffer.of(1)), altered);
    expect(Object.keys(files)).toEqual(['0000001-A.pdf']);
    expect(index).toMatchObject([
      { row: '1', file: '0000001-A.pdf', problem: '' },
      {
        row: '2',
        file: '',
        reference: 'B',
        sha256: altered.payout.proof?.sha256,
        problem: 'The archived file was changed or deleted.',
      },
    ]);
  });

  it('stores without compression, and has a part for each PDF', async () => {
    const pdf = Buffer.alloc(5000, 'x');
    const { zip } = await archived(proven(1, 'A', pdf));
    expect(zip.includes(pdf)).toBe(true);
    const taken: number[] = [];
    const proofs = async function* () {
      for (const row of [1, 2, 3]) {
        taken.push(row);
        yield proven(row, `R${row}`, pdf);
      }
    };
    const parts = proofArchive(proofs(), new Date('2026-01-05T10:00:00Z'));
    await parts.next();
    expect(taken).toEqual([1]);
    await parts.return(undefined);
  });
});
