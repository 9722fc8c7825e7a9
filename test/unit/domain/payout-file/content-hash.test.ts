import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { planBytes } from './plan-bytes.ts';

const header = 'reference,amount,currency,recipientId\n';
const csv = header + Array.from({ length: 300 }, (_, n) => `R-${n},50000,IDR,rec_${n}\n`).join('');
const payout = JSON.stringify({ amount: '50000', currency: 'IDR', recipientId: 'rec_1' });

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const plannedHash = async (file: string | Buffer, blockBytes = 65_536) =>
  (await planBytes(file, { blockBytes, invalidRows: 'skip' })).planned.sha256;

describe('the hash of a file’s content', () => {
  it.each([
    ['a CSV', csv],
    ['a byte order mark', `\ufeff${csv}`],
    ['other line ends', csv.replaceAll('\n', '\r\n')],
    ['blank lines before the header', `\n\n${csv}`],
    ['a last line without an end', csv.trimEnd()],
    ['a row that is skipped', `${csv}R-x,-1,IDR,rec_1\n`],
    ['a JSON array with blanks after it', `[${payout}]\n\n   \n`],
    ['JSON Lines', `${payout}\n${payout}\n`],
  ])('covers all its bytes: %s', async (_name, file) => {
    const whole = hashOf(file);
    for (const blockBytes of [1, 7, 1000, 65_536]) expect(await plannedHash(file, blockBytes)).toBe(whole);
  });

  it('is the same whether the file is packed or not', async () => {
    for (const level of [1, 9]) expect(await plannedHash(gzipSync(csv, { level }), 100)).toBe(hashOf(csv));
  });

  it('exists for a file with only invalid rows, but not for an unreadable one', async () => {
    expect(await plannedHash(`${header}R-1,-1,IDR,rec_1\n`)).toBe(hashOf(`${header}R-1,-1,IDR,rec_1\n`));
    expect(await plannedHash(`${csv}"`)).toBeUndefined();
  });
});
