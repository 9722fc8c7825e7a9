import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../../functions/domain/batch/batch-status.ts';
import { createScene, toId } from './debts-scene.ts';

describe('a correction with a mistaken row', () => {
  const paid = toId('', '50000', 'a');
  const skipped = toId('', '0', 'b');
  const [day, window] = [86_400_000, 7];

  it.each([window, 0])(
    'is found when the corrected batch paid it long ago, and the window is %i days',
    async (days) => {
      const { run, register, ledger, time } = createScene({ duplicateWindowDays: days });
      const parent = await run(paid + skipped, { invalidRows: 'skip' });
      await register(parent.batchId, { status: 'completed' });
      await ledger.moveBatch(parent.batchId, batchTransitions.cancel, 'system');
      time.now += 60 * day;
      for (const mode of ['preview', 'disburse'] as const) {
        const { repeated } = await run(paid, { corrects: parent.batchId, mode });
        expect(repeated).toMatchObject({ rows: 1, ofCorrected: 1, first: [{ earlierBatchId: parent.batchId }] });
      }
    },
  );

  it('may pay rows that the corrected batch could not', async () => {
    const { run, register } = createScene();
    const parent = await run(paid + skipped, { invalidRows: 'skip' });
    await register(parent.batchId, { status: 'failed' });
    expect((await run(paid, { corrects: parent.batchId })).repeated).toBeUndefined();
  });

  it('is compared with nothing else when the window has no days', async () => {
    const { run } = createScene({ duplicateWindowDays: 0 });
    const parent = await run(paid + skipped.repeat(2), { invalidRows: 'skip' });
    const file = toId('', '70000', 'c');
    await run(file);
    expect((await run(file.repeat(2), { corrects: parent.batchId })).repeated).toBeUndefined();
  });

  it.each(['before', 'after'])(
    'names the corrected batch, even when another one, planned %s it, pays the row',
    async (when) => {
      const { run, register } = createScene();
      const other = async () => register((await run(toId('O-1', '50000', 'a'))).batchId, { status: 'completed' });
      if (when === 'before') await other();
      const parent = await run(paid + skipped, { invalidRows: 'skip' });
      await register(parent.batchId, { status: 'completed' });
      if (when === 'after') await other();
      const { repeated } = await run(paid, { corrects: parent.batchId });
      expect(repeated).toMatchObject({ rows: 1, ofCorrected: 1, first: [{ earlierBatchId: parent.batchId }] });
    },
  );

  it.each(['skip', 'reject'] as const)(
    'is found when another correction paid it long ago, of a batch with %s',
    async (invalidRows) => {
      const { run, register, ledger, time } = createScene();
      const parent = await run(paid + skipped.repeat(2), { invalidRows });
      const corrected = toId('', '60000', 'b');
      const first = await run(corrected, { corrects: parent.batchId });
      await register(first.batchId, { status: 'completed' });
      for (const batchId of [parent.batchId, first.batchId])
        await ledger.moveBatch(batchId, batchTransitions.cancel, 'system');
      time.now += 60 * day;
      const { repeated } = await run(corrected, { corrects: parent.batchId, allowSameFile: true });
      expect(repeated).toMatchObject({ ofCorrected: 1, first: [{ earlierBatchId: first.batchId }] });
    },
  );

  it('is found when the corrected batch’s original paid it', async () => {
    const { run, register, ledger, time } = createScene();
    const parent = await run(paid + skipped, { invalidRows: 'skip' });
    await register(parent.batchId, { status: 'completed' });
    await ledger.moveBatch(parent.batchId, batchTransitions.cancel, 'system');
    const refused = await run(skipped, { corrects: parent.batchId });
    time.now += 60 * day;
    const { repeated } = await run(paid, { corrects: refused.batchId });
    expect(repeated).toMatchObject({ ofCorrected: 1, first: [{ earlierBatchId: parent.batchId }] });
  });
});
