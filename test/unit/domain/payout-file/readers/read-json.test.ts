import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonArray } from '../../../../../functions/domain/payout-file/readers/read-json.ts';
import { runs } from '../../../../support/fast-loop.ts';
import { notesOf } from '../plan-bytes.ts';

const isJson = (text: string): boolean => {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
};

const notes = fc.array(fc.string({ unit: fc.constantFrom(...'[]{},:"\\\n\té😀a ') }).map((note) => note.trim()));
const blockBytes = fc.integer({ min: 1, max: 16 });

describe('a JSON array', () => {
  it('has the same texts as with JSON.parse, wherever its blocks end', async () => {
    await fc.assert(
      fc.asyncProperty(notes, fc.constantFrom(0, 2), blockBytes, async (texts, indent, bytes) => {
        const file = JSON.stringify(
          texts.map((note) => ({ note })),
          null,
          indent,
        );
        expect(await notesOf(readJsonArray, file, bytes)).toEqual(texts);
      }),
    );
  });

  it('is refused when JSON.parse refuses it, and only then', async () => {
    const pieces = fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', '"note"', '{"note":"x"}', ' ', '1', 'null');
    const files = fc.array(pieces, { maxLength: 8 }).map((inside) => `[${inside.join('')}`);
    await fc.assert(
      fc.asyncProperty(files, blockBytes, async (file, bytes) => {
        expect((await notesOf(readJsonArray, file, bytes)) !== undefined).toBe(isJson(file));
      }),
      { numRuns: runs(2000) },
    );
  });
});
