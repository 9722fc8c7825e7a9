import { expect, it } from 'vitest';
import { makeCall } from '../../../../functions/steps/submit/make-call.ts';
import { batchId, createBatchScene, startedAt } from '../../../support/scenes/batch-scene.ts';
import { registeredChunk } from '../../../support/scenes/registered-chunk.ts';

it('a call returns its claimed payouts and itself as the ledger has them', async () => {
  const scene = await createBatchScene({ rows: 2 });
  const [chunkFile] = scene.files;
  if (chunkFile === undefined) throw new Error('no chunk');
  await scene.ledger.registerPayouts(chunkFile);
  await scene.arrange(1, { absences: 3, reason: { code: 'c', message: 'm' } });
  const contents = await registeredChunk(scene.ledger, batchId, 1);
  // The answer moves no payout, so the call returns them as it claimed them.
  scene.answers.push(() => ({ kind: 'halted' }));
  // The ledger's clock and the function's differ.
  const dependencies = { ...scene.dependencies, clock: () => startedAt + 1000 };
  const work = { chunkFile, batch: await scene.batch(), contents };
  const { contents: after } = await makeCall(dependencies, work, { k: 1, rows: [1, 2] }, scene.invocation);
  const stored = await registeredChunk(scene.ledger, batchId, 1);
  expect(after.payouts).toEqual(stored.payouts);
  expect(after.calls).toEqual(stored.calls);
  expect(after.calls[0]?.claimedAt).toBe(new Date(startedAt + 1000).toISOString());
});
