import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payoutFields } from '../../../../../functions/domain/payout-file/fields.ts';
import { runs } from '../../../../support/fast-loop.ts';
import type { Fields } from '../bad-rows.ts';
import { csvOf } from '../bad-rows.ts';
import { planBytes } from '../plan-bytes.ts';
import { brokenFiles } from './files.ts';
import { brokenRows } from './rows.ts';

/** Place and error, as a clerk reads them. */
const saysOf = async (file: string | Buffer): Promise<readonly string[]> => {
  const { planned, errors } = await planBytes(file);
  expect(planned.kind).toBe('refused');
  expect(planned.errors).toEqual(errors);
  return errors.map(({ line, reference = '', column, message }) => {
    const place = [line === undefined ? 'file' : `line ${line}`, reference, column];
    return `${place.filter((part) => part !== '').join(', ')}: ${message}`;
  });
};

describe('the messages about a broken file', () => {
  it.each(brokenFiles)('with %s', async (_, file, says) => {
    expect(await saysOf(file)).toEqual(says);
  });

  it.each(brokenRows)('with a row that has %s', async (_, row, says) => {
    const { errors } = await planBytes(csvOf(row));
    expect(errors.map(({ column, message }) => `${column || 'row'}: ${message}`)).toEqual(says);
  });

  it('cover at least sixty different files', () => {
    const texts = [...brokenFiles, ...brokenRows].map(([what]) => what);
    expect(new Set(texts).size).toBeGreaterThanOrEqual(60);
    expect(texts).toHaveLength(new Set(texts).size);
  });
});

describe('a message', () => {
  const personal = {
    accountNumber: fc.stringMatching(/^\d{6,16}$/),
    accountName: fc.stringMatching(/^[A-Z][a-z]{3,9} [A-Z][a-z]{3,9}$/),
    walletAddress: fc.stringMatching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/),
    email: fc.stringMatching(/^[a-z]{4,9}@[a-z]{4,9}\.id$/),
    bankName: fc.stringMatching(/^Bank [A-Z][a-z]{4,9}$/),
  };

  it('contains no account, name or address, from any column', async () => {
    const columns = fc.shuffledSubarray([...payoutFields], { minLength: payoutFields.length });
    await fc.assert(
      fc.asyncProperty(fc.record(personal), columns, async (values, shuffled) => {
        const row: Fields = Object.fromEntries(Object.values(values).map((value, at) => [shuffled[at], value]));
        const { errors } = await planBytes(csvOf({ currency: 'IDR', amount: '50000', ...row }));
        const text = errors.map(({ message }) => message).join('\n');
        expect(Object.values(values).filter((value) => text.includes(value))).toEqual([]);
      }),
      { numRuns: runs(400) },
    );
  });

  it('is printable and short', () => {
    for (const text of [...brokenFiles, ...brokenRows].flatMap(([, , says]) => says)) {
      expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(text.length).toBeLessThan(320);
    }
  });
});
