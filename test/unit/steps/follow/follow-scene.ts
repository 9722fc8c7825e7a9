import type { beginSweep } from '../../../../functions/steps/follow/sweep.ts';
import { createExecution } from '../../../support/execution.ts';
import type { BatchScene, SceneOptions } from '../../../support/scenes/batch-scene.ts';
import { createBatchScene } from '../../../support/scenes/batch-scene.ts';
import { exampleBatch } from '../../../support/scenes/example-batch.ts';

/** The start of a second sweep over a batch whose chunks are all registered, once nothing submits any more. */
export const sweepStart = (changes: Partial<Parameters<typeof beginSweep>[1]> = {}) => {
  const { batch = exampleBatch('b-1', {}) } = changes;
  const kept = { batchId: batch.batchId, version: 0 };
  const unregistered = { chunks: [], rows: 0 };
  return { batch, kept, thisRound: '000001#000001', isSubmitting: false, unregistered, isFirst: false, ...changes };
};

/** A batch of three chunks by default, and its execution. Nothing is submitted yet. */
export const begun = async (options: SceneOptions = {}) => {
  const scene = await createBatchScene({ chunks: 3, rows: 4, ...options });
  return { scene, run: createExecution(scene) };
};

/** Everything is submitted and swept once, and the recorded requests are cleared. */
export const submitted = async (options: SceneOptions = {}, secondsBetweenChunks = 0) => {
  const { scene, run } = await begun(options);
  for (const { chunk } of scene.files) {
    await run.submit([chunk]);
    scene.passSeconds(secondsBetweenChunks);
  }
  await run.endRound();
  const sweep = async () => run.goOn(await run.sweep());
  await sweep();
  scene.listed.forgetAsked();
  return { scene, run, sweep };
};

/** The provider completes everything except these, and has the proofs. */
export const completes = (scene: BatchScene, ...except: readonly string[]): void => {
  const done = scene.listed.kept.map(({ reference = '' }) => reference).filter((one) => !except.includes(one));
  scene.listed.settle('completed', ...done);
  for (const { disbursementId } of scene.listed.kept) scene.listed.proofs.set(disbursementId, new Uint8Array([1]));
};
