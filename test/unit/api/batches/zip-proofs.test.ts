import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { zipProofs } from '../../../../functions/api/batches/zip-proofs.ts';
import { proofArchive } from '../../../../functions/api/schemas/file-links.ts';
import { FileAltered, FileGone } from '../../../../functions/domain/errors.ts';
import type { Payout } from '../../../../functions/domain/payout/payout.ts';
import { batch, fakeFiles, fakeLedger, payout, plan } from '../fixtures.ts';

const mebibyte = 1_048_576;
const proven = (row: number, bytes = 3): Payout =>
  payout({
    row,
    reference: `ref-${row}`,
    status: 'completed',
    proof: { key: `proof-${row}`, sha256: `s${row}`, bytes },
  });

/** `altered` and `deleted` are keys of proofs whose files someone has changed or deleted. */
const createScene = (
  payouts: readonly Payout[],
  { altered = [], deleted = [] }: { readonly altered?: readonly string[]; readonly deleted?: readonly string[] } = {},
) => {
  const names: string[] = [];
  const zips: Buffer[] = [];
  const ask = async (cursor?: string) => {
    const outcome = await zipProofs(
      {
        ledger: fakeLedger({
          getBatch: async () => batch({ plan }),
          listPayouts: async ({ limit, cursor: from = '0', proven: isProven }) => {
            expect(isProven).toBe(true);
            const end = Number(from) + limit;
            const items = payouts.slice(Number(from), end);
            return end < payouts.length ? { items, cursor: String(end) } : { items };
          },
        }),
        files: fakeFiles({
          getProof: async ({ key }) => {
            if (altered.includes(key)) throw new FileAltered(key);
            if (deleted.includes(key)) throw new FileGone(key);
            return Buffer.from(key);
          },
          putProofArchive: async (_batchId, runId, content) => {
            zips.push(await buffer(content));
            return `archives/${runId}.zip`;
          },
          linkTo: async (key, seconds, name) => {
            names.push(name);
            return `https://files.test/${key}?for=${seconds}`;
          },
        }),
        settings: { fileLinkSeconds: 300 },
        clock: () => Date.parse('2026-01-06T00:00:00Z'),
        ids: { sortable: () => 'RUN' },
      },
      { path: { batchId: 'b-1' }, body: cursor === undefined ? {} : { cursor } },
    );
    return outcome.kind === 'answer' ? proofArchive.parse(outcome.body) : outcome;
  };
  return { ask, names, zips };
};

describe('the proofs of a batch as a ZIP', () => {
  it('are in one file when they fit', async () => {
    const scene = createScene([proven(1), proven(4)]);
    expect(await scene.ask()).toEqual({
      url: 'https://files.test/archives/run.zip?for=300',
      expiresAt: '2026-01-06T00:05:00.000Z',
      asOf: '2026-01-06T00:00:00.000Z',
      name: 'proofs-b-1.zip',
      proofs: 2,
    });
    const files = unzipSync(scene.zips[0] ?? Buffer.of());
    expect(Object.keys(files)).toEqual(['0000001-ref-1.pdf', '0000004-ref-4.pdf', 'index.csv']);
    expect(Buffer.from(files['0000004-ref-4.pdf'] ?? []).toString()).toBe('proof-4');
  });

  it.each([
    ['many', Array.from({ length: 501 }, (_, index) => proven(index + 1)), [250, 250, 1], [1, 251, 501]],
    ['large', [60, 60, 200, 1, 1].map((size, index) => proven(index + 1, size * mebibyte)), [1, 1, 1, 2], [1, 2, 3, 4]],
  ])('come in parts when they are %s', async (_, payouts, counts, firstRows) => {
    const scene = createScene(payouts);
    const found: number[] = [];
    for (let cursor: string | undefined, parts = 0; parts === 0 || cursor !== undefined; parts++) {
      const part = await scene.ask(cursor);
      if (!('proofs' in part)) throw new Error(`a problem: ${JSON.stringify(part)}`);
      found.push(part.proofs);
      cursor = part.cursor;
    }
    expect(found).toEqual(counts);
    expect(scene.names).toEqual(firstRows.map((row) => `proofs-b-1-from-row-${row}.zip`));
  });

  it('omit altered and deleted ones, and report that', async () => {
    const scene = createScene([proven(1), proven(2), proven(3)], { altered: ['proof-2'], deleted: ['proof-3'] });
    expect(await scene.ask()).toMatchObject({ proofs: 1, altered: 2 });
  });

  it('are a problem when there are none', async () => {
    expect(await createScene([]).ask()).toMatchObject({ code: 'file_not_ready' });
  });
});
