import { describe, expect, it } from 'vitest';
import type { Rail } from '../../../functions/domain/payout.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { SubmitAnswer } from '../../../functions/ports/provider.ts';
import { pollChunk } from '../../../functions/steps/poll-chunk.ts';
import { recordFailure } from '../../../functions/steps/record-failure.ts';
import { resolveChunk } from '../../../functions/steps/resolve-chunk.ts';
import type { ChunkInput } from '../../../functions/steps/step.ts';
import { chunkInput } from '../../../functions/steps/step.ts';
import { submitChunk } from '../../../functions/steps/submit-chunk.ts';
import { batchId, createChunkScene } from '../../support/chunk-scene.ts';
import { exampleBatch } from '../../support/example-batch.ts';
import { createMemoryLedger } from '../../support/memory-ledger.ts';

/** Four payouts in calls of two. */
const inTwoCalls = (rail: Rail = 'fiat') => {
  const scene = createChunkScene(rail);
  return {
    ...scene,
    dependencies: { ...scene.dependencies, settings: orchestratorSettings.parse({ payoutsPerCall: 2 }) },
  };
};
type Scene = ReturnType<typeof inTwoCalls>;

const submit = (scene: Scene, input: ChunkInput = scene.input) =>
  submitChunk(scene.dependencies, input, scene.invocation);

describe('canceling while a call is in flight', () => {
  const cases: readonly (readonly [string, (scene: Scene, references: readonly string[]) => SubmitAnswer])[] = [
    ['answered', (scene, references) => scene.accept(references)],
    ['lost', () => ({ kind: 'unknown', cause: 'timeout' })],
  ];
  it.each(cases)('follows what was claimed to its end and cancels the rest, when it is %s', async (_name, answer) => {
    const scene = inTwoCalls();
    scene.answers.push((references) => {
      const batch = scene.ledger.batches.get(batchId);
      if (batch) scene.ledger.batches.set(batchId, { ...batch, cancelRequestedAt: batch.createdAt });
      return answer(scene, references);
    });
    let output = await submit(scene);
    expect(scene.posted).toEqual([['ref-1', 'ref-2']]);
    expect(scene.statuses().slice(2)).toEqual(['canceled', 'canceled']);
    for (const reference of ['ref-1', 'ref-2']) {
      const disbursement = scene.disbursementOf(reference, { status: 'completed' });
      for (const id of [reference, disbursement.disbursementId])
        scene.lookups.set(id, [{ kind: 'found', disbursement }]);
    }
    scene.provider.listDisbursements = async ({ page }) => ({ disbursements: [], page, totalPages: 1 });
    scene.passSeconds(120);
    if (output.next === 'resolve') output = await resolveChunk(scene.dependencies, chunkInput.parse(output));
    if (output.next === 'poll') output = await pollChunk(scene.dependencies, chunkInput.parse(output));
    expect(scene.statuses()).toEqual(['completed', 'completed', 'canceled', 'canceled']);
    expect(scene.posted).toHaveLength(1);
  });

  it('cancels what a call proves never to have reached the provider', async () => {
    const scene = inTwoCalls();
    scene.answers.push(() => {
      const batch = scene.ledger.batches.get(batchId);
      if (batch) scene.ledger.batches.set(batchId, { ...batch, cancelRequestedAt: batch.createdAt });
      return { kind: 'not_sent', cause: 'refused' };
    });
    await submit(scene);
    expect(scene.statuses()).toEqual(Array(4).fill('canceled'));
  });
});

describe('resuming a batch that was halted by 401 or 403', () => {
  const halted = async () => {
    const scene = inTwoCalls();
    scene.answers.push(() => ({ kind: 'halted' }), scene.accept, scene.accept);
    await submit(scene);
    expect(scene.ledger.batches.get(batchId)).toMatchObject({ status: 'paused', resumeTo: 'processing' });
    scene.ledger.batches.set(batchId, exampleBatch(batchId, { plan: scene.ledger.batches.get(batchId)?.plan ?? plan }));
    scene.passSeconds(120);
    return scene;
  };
  const plan = { prefix: '', chunks: 1, rows: 4, validRows: 4, invalidRows: 0, errors: [], currencies: [] };

  it('submits what the refused call claimed again once it is proven absent, and the rest', async () => {
    const scene = await halted();
    let input = scene.input;
    for (let round = 1; round <= 3; round += 1) {
      input = await resolveChunk(scene.dependencies, input);
      scene.passSeconds(120);
    }
    expect(scene.statuses()).toEqual(Array(4).fill('ready'));
    await submit(scene, input);
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
    expect(scene.posted).toEqual([
      ['ref-1', 'ref-2'],
      ['ref-1', 'ref-2'],
      ['ref-3', 'ref-4'],
    ]);
  });

  it('adopts what it made all the same', async () => {
    const scene = await halted();
    for (const reference of ['ref-1', 'ref-2'])
      scene.lookups.set(reference, [{ kind: 'found', disbursement: scene.disbursementOf(reference) }]);
    const input = await resolveChunk(scene.dependencies, scene.input);
    await submit(scene, input);
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
    expect(scene.posted).toEqual([
      ['ref-1', 'ref-2'],
      ['ref-3', 'ref-4'],
    ]);
  });
});

describe('a failed execution', () => {
  it.each([
    ['ProviderUnavailable', 'provider_unavailable'],
    ['ProviderRefused', 'provider_refused'],
    ['InvariantBroken', 'invariant_broken'],
    ['States.Timeout', 'step_timed_out'],
    ['TypeError', 'step_failed'],
  ])('of %s pauses its batch with the reason %s, to go on where it was', async (name, code) => {
    const ledger = createMemoryLedger(() => 0);
    ledger.batches.set(batchId, exampleBatch(batchId, { status: 'awaiting_funds' }));
    await recordFailure({ ledger }, { batchId, execution: batchId, error: { Error: name } });
    const expected = { status: 'paused', resumeTo: 'awaiting_funds', executionEnded: true, reason: { code } };
    expect(ledger.batches.get(batchId)).toMatchObject(expected);
    await recordFailure({ ledger }, { batchId, execution: batchId, error: { Error: 'another' } });
    expect(ledger.batches.get(batchId)).toMatchObject(expected);
  });

  it('that tells of its end once more leaves the batch to the execution that was started since', async () => {
    const ledger = createMemoryLedger(() => 0);
    const resumed = exampleBatch(batchId, { status: 'processing', executions: 2 });
    ledger.batches.set(batchId, resumed);
    await recordFailure({ ledger }, { batchId, execution: batchId, error: { Error: 'TypeError' } });
    expect(ledger.batches.get(batchId)).toEqual(resumed);
    await recordFailure({ ledger }, { batchId, execution: `${batchId}-2`, error: { Error: 'TypeError' } });
    expect(ledger.batches.get(batchId)).toMatchObject({ status: 'paused', executionEnded: true });
  });
});
