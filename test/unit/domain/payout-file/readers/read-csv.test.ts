import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../../../functions/domain/payout-file/readers/read-csv.ts';
import { runs } from '../../../../support/fast-loop.ts';
import { notesOf } from '../plan-bytes.ts';

const header = 'amount,note,currency,recipientId';

/** The second cells as read by csv-parse. Undefined when it refuses the file. */
const notesByCsvParse = (file: string): readonly string[] | undefined => {
  try {
    const records = parse(file, { relax_column_count: true, record_delimiter: ['\r\n', '\n'] });
    return records
      .slice(1)
      .filter((record) => record.some((value) => value.trim() !== ''))
      .map(([, note = '']) => note.trim());
  } catch {
    return undefined;
  }
};

describe('a CSV', () => {
  // Without spaces, because csv-parse refuses them after a closing quote.
  it('is read or refused like csv-parse does, wherever its blocks end', async () => {
    const pieces = fc.constantFrom('a', '"', '""', ',', '\n', '\r\n', '\r"x"', '😀', ',"', '",', 'x"y', '"x""y"');
    const files = fc.array(pieces, { maxLength: 14 }).map((inside) => `${header}\n${inside.join('')}\n`);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 16 }), async (file, blockBytes) => {
        const expected = notesByCsvParse(file);
        if (expected === undefined) refused++;
        expect(await notesOf((blocks) => readCsv(blocks, header), file, blockBytes)).toEqual(expected);
      }),
      { numRuns: runs(3000) },
    );
    expect(refused).toBeGreaterThan(0);
  });
});
