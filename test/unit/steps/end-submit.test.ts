import { expect, it } from 'vitest';
import { endSubmit, endSubmitInput } from '../../../functions/steps/end-submit.ts';
import { batchId, createBatchScene } from '../../support/scenes/batch-scene.ts';

const input = { batchId, execution: batchId, round: 2 };

it('EndSubmit records which round is over, before or after any sweep, and idempotently', async () => {
  const { ledger } = await createBatchScene();
  expect(await endSubmit({ ledger }, input)).toEqual({ batchId, next: 'ended' });
  expect(await ledger.readFollow(batchId)).toEqual({ batchId, version: 0, endedRound: '000001#000002' });
  expect(await ledger.writeFollow({ batchId, version: 0, sweptAt: 't' })).toBe(true);
  await endSubmit({ ledger }, input);
  expect(await ledger.readFollow(batchId)).toEqual({ batchId, version: 1, endedRound: '000001#000002', sweptAt: 't' });
});

it('EndSubmit does not conflict with a sweep, which does not overwrite it either', async () => {
  const { ledger } = await createBatchScene();
  const read = await ledger.readFollow(batchId);
  await endSubmit({ ledger }, input);
  expect(await ledger.writeFollow({ ...read, sweptAt: 't' })).toBe(true);
  expect((await ledger.readFollow(batchId)).endedRound).toBe('000001#000002');
});

it('EndSubmit accepts only an existing round, and 0 is none', () => {
  expect(endSubmitInput.safeParse({ ...input, round: 0 }).success).toBe(false);
});
