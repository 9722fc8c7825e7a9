import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correctPayoutFile } from '../../../../../functions/domain/payout-file/readers/read-payout-file.ts';
import { orchestratorSettings } from '../../../../../functions/domain/settings.ts';
import { drawsAll, runs } from '../../../../support/fast-loop.ts';
import { payoutsOf, planBytes } from '../plan-bytes.ts';

const cells = fc.constantFrom(
  ...['r', '"', '""', '"r', 'r"', 'r"r', '"r"', '"r"r', '"r" ', '"r""', '"a\nb"', '"a\r\nb', '"a"",b"', 'é"', ''],
);
const drawn = fc.tuple(fc.constantFrom('50000', '"60000"', '0'), cells, cells).map((row) => [...row, 'IDR'].join(','));
// Random cells alone would hardly ever make a payable file.
const rows = fc.oneof({ weight: 4, arbitrary: drawn }, { weight: 1, arbitrary: fc.constant('50000,r,"a ""b""",IDR') });
const files = fc
  .record({
    drawn: fc.array(rows, { minLength: 1, maxLength: 6 }),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    isEnded: fc.boolean(),
  })
  .map(({ drawn, lineEnd, isEnded }) =>
    Buffer.from(['amount,recipientId,note,currency', ...drawn, ...(isEnded ? [''] : [])].join(lineEnd)),
  );

const blocksOf = (file: Buffer, blockBytes: number): readonly Buffer[] =>
  Array.from({ length: Math.ceil(file.length / blockBytes) }, (_, at) =>
    file.subarray(at * blockBytes, (at + 1) * blockBytes),
  );

/** All findings for a file, and the returned file, when it is read in blocks of this many bytes. */
const readIn = async (file: Buffer, blockBytes: number) => {
  const planned = await planBytes(file, { blockBytes, invalidRows: 'skip' });
  const messages = new Map(planned.errors.map(({ row, message }) => [row, message]));
  const corrected = await correctPayoutFile(
    Readable.from(blocksOf(file, blockBytes), { objectMode: false }),
    orchestratorSettings().parse({}),
    { errorOf: (row) => messages.get(row), withGoodRows: true, isUtf8: false },
  );
  return {
    plan: planned.planned,
    payouts: payoutsOf(planned),
    errors: planned.errors,
    corrected: (await buffer(Readable.from(corrected?.content ?? []))).toString(),
  };
};

describe('a CSV with quotes in the wrong places', () => {
  it('has the same rows, errors and file to correct, wherever its blocks end', async () => {
    let refused = 0;
    let paid = 0;
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 40 }), async (file, blockBytes) => {
        const whole = await readIn(file, file.length);
        if (whole.plan.sha256 === undefined) refused++;
        if (whole.payouts.length > 0) paid++;
        expect(await readIn(file, blockBytes)).toEqual(whole);
      }),
      { numRuns: runs(600) },
    );
    if (!drawsAll) return;
    expect(refused).toBeGreaterThan(100);
    expect(paid).toBeGreaterThan(10);
  });
});
