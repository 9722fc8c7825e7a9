import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chunkKey,
  planFileKey,
  planPrefix,
  proofArchiveKey,
  proofKey,
  reportKey,
  submitManifestKey,
} from '../../../functions/files/keys.ts';
import { retryNames, toCorrectNames } from '../../../functions/ports/files.ts';
import { writtenKey } from '../../support/scenes/written-keys.ts';

const id = 'b-01jgfjjz00e5x7b6nrw2m8k4vd';
const run = '01jgfjk000e5x7b6nrw2m8k4vd';
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

describe('the key of a written object', () => {
  it('consists of the system’s ids, numbers and hashes, and of names from a list', () => {
    const millions = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(millions, (number) => {
        const prefix = planPrefix(id, run);
        const keys = [
          chunkKey(prefix, number),
          ...(['manifest.json', 'errors.csv', ...toCorrectNames] as const).map((name) => planFileKey(prefix, name)),
          ...(['instructions.jsonl', 'pain-002.xml', 'methods.json'] as const).map((name) => planFileKey(prefix, name)),
          planFileKey(prefix, 'repeated-debts.csv'),
          submitManifestKey(id, run),
          proofKey(id, number, sha256),
          proofArchiveKey(id, run),
          ...(['results.csv', ...retryNames, 'evidence.json', 'pain-002.xml'] as const).map((name) =>
            reportKey(id, run, name),
          ),
        ];
        expect(keys.filter((key) => !writtenKey.test(key))).toEqual([]);
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it('sorts as its number does', () => {
    const numbers = [1, 9, 10, 99, 100_000, 1_000_000];
    const keys = numbers.map((number) => proofKey(id, number, sha256));
    expect(keys.toSorted()).toEqual(keys);
  });
});
