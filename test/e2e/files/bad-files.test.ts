import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { deployedProvider } from '../../contract/provider/deployed-service.ts';
import { csvOf, idrRow, readReport, start, untilEnded, upload, uploadAs } from '../deployed/deployed-orchestrator.ts';

/** See generated-files for other bad files. */
describe('a bad file', () => {
  const balances = async () => JSON.stringify([...(await deployedProvider().readBalances())]);

  it('that is a gzip bomb is refused, and no balance changes', async () => {
    const before = await balances();
    const bomb = gzipSync(`[${' '.repeat(70_000_000)}`);
    const batch = await untilEnded(await start(await upload(bomb, 'data')));
    expect([batch.status, batch.reason?.code]).toEqual(['validation_failed', 'file_invalid']);
    expect(batch.plan?.errors.map((error) => error.code)).toEqual(['gzip_bomb']);
    expect(batch.counts).toEqual({});
    expect(await readReport(batch.batchId, 'errors.csv')).toContain('gzip_bomb');
    expect(await balances()).toBe(before);
  });

  it('may be started again, and be corrected and uploaded again under the same name', async () => {
    const first = await untilEnded(await start(await upload(csvOf(idrRow({ amount: '0' })))));
    expect(first.status).toBe('validation_failed');
    const { key } = first.file;
    const skipping = await untilEnded(await start(key, { invalidRows: 'skip' }));
    expect([skipping.status, skipping.counts]).toEqual(['validation_failed', {}]);
    const corrected = await untilEnded(await start(await uploadAs(key, csvOf(idrRow()))));
    expect([corrected.status, corrected.counts]).toEqual(['completed', { completed: 1 }]);
  });
});
