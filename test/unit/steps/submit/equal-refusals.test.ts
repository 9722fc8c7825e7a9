import { describe, expect, it } from 'vitest';
import { resumeBatch } from '../../../../functions/api/batches/resume-batch.ts';
import { inParallel } from '../../../../functions/domain/in-parallel.ts';
import type { SubmitAnswer } from '../../../../functions/ports/provider.ts';
import { submitChunk } from '../../../../functions/steps/submit-chunk.ts';
import { createExecution } from '../../../support/execution.ts';
import type { BatchScene, SceneOptions } from '../../../support/scenes/batch-scene.ts';
import { batchId, createBatchScene } from '../../../support/scenes/batch-scene.ts';
import { fakeWorkflow } from '../../../support/scenes/fake-workflow.ts';
import { registeredChunk } from '../../../support/scenes/registered-chunk.ts';
import { operator } from '../../api/fixtures.ts';

const run = (scene: BatchScene, chunk = 1) => submitChunk(scene.dependencies, scene.inputOf(chunk), scene.invocation);

/** A provider that judges each POST by this function. */
const createScene = async (
  options: SceneOptions,
  judge: (references: readonly string[]) => string | undefined,
  isTaken?: true,
) => {
  const scene = await createBatchScene(options);
  const state = { judge };
  const { provider } = scene.dependencies;
  provider.submit = async (_rail, body): Promise<SubmitAnswer> => {
    const references: string[] = JSON.parse(body);
    scene.posted.push(references);
    const message = state.judge(references);
    return message === undefined
      ? scene.accept(references)
      : { kind: 'rejected', message, ...(isTaken && { isTaken }) };
  };
  return { scene, state };
};

const refusing =
  (...rows: readonly number[]) =>
  (references: readonly string[]) =>
    rows.some((row) => references.includes(`ref-${row}`)) ? `The recipient ${rows.length} cannot be paid` : undefined;

const countOf = (scene: BatchScene, status: string): number => scene.statuses().filter((one) => one === status).length;

const resume = (scene: BatchScene) =>
  resumeBatch(
    { ledger: scene.ledger, workflow: fakeWorkflow(), clock: scene.clock },
    { path: { batchId }, caller: operator, body: {} },
  );

describe('one row that the provider refuses', () => {
  it.each([1, 2, 50, 97, 98])('is rejected when it is row %i of 98, and the others are paid', async (bad) => {
    const { scene } = await createScene({ rows: 98 }, refusing(bad));
    await run(scene);
    expect(await scene.batch()).toMatchObject({ status: 'processing' });
    expect(countOf(scene, 'pending')).toBe(97);
    // No later call shows which row is at fault, so the next round does.
    expect(scene.payout(bad).status).toBe(bad === 98 ? 'ready' : 'rejected');
    await run(scene);
    expect(scene.payout(bad)).toMatchObject({ status: 'rejected', reason: { code: 'provider_rejected' } });
    expect(scene.posted.filter((references) => references.includes(`ref-${bad}`)).length).toBeLessThanOrEqual(9);
  });

  it('is rejected in the second round when it is the only one of its batch', async () => {
    const { scene } = await createScene({ rows: 1 }, refusing(1));
    await run(scene);
    expect(scene.statuses()).toEqual(['ready']);
    await run(scene);
    expect(scene.statuses()).toEqual(['rejected']);
    expect(scene.posted).toHaveLength(2);
  });
});

it('rejects any number of rows while others are accepted in between', async () => {
  const bad = Array.from({ length: 14 }, (_, index) => 7 * (index + 1));
  const { scene } = await createScene({ rows: 98 }, refusing(...bad));
  for (let round = 1; round <= 2; round += 1) await run(scene);
  expect(await scene.batch()).toMatchObject({ status: 'processing' });
  expect([countOf(scene, 'rejected'), countOf(scene, 'pending')]).toEqual([14, 84]);
});

describe('a provider that refuses everything in equal words', () => {
  const words = ['Insufficient funds', 'The service is under maintenance'] as const;

  it.each(words)('pauses the batch after a few calls of a chunk of 98, and no row is rejected: %s', async (message) => {
    const { scene, state } = await createScene({ rows: 98 }, () => `${message} (${scene.posted.length})`);
    await run(scene);
    expect(scene.posted).toHaveLength(11);
    expect(countOf(scene, 'ready')).toBe(98);
    const batch = await scene.batch();
    expect(batch).toMatchObject({ status: 'paused', resumeTo: 'processing', reason: { code: 'refused_alike' } });
    expect(batch.reason?.message).toContain(message);
    state.judge = () => undefined;
    await resume(scene);
    await run(scene);
    expect(countOf(scene, 'pending')).toBe(98);
  });

  it('pauses a batch of 205 chunks, 40 concurrently, after tens of calls', async () => {
    const { scene } = await createScene({ chunks: 205, rows: 8 }, () => words[0]);
    const chunks = Array.from({ length: 205 }, (_, index) => index + 1);
    await inParallel(chunks, 40, async (chunk) => void (await run(scene, chunk)));
    expect(await scene.batch()).toMatchObject({ status: 'paused', reason: { code: 'refused_alike' } });
    // Thirty refused calls, plus those in flight.
    expect(scene.posted.length).toBeLessThanOrEqual(30 + 40);
    // Chunks that were not begun have no registered rows.
    expect(countOf(scene, 'ready')).toBe(scene.statuses().length);
    expect(scene.statuses().length).toBeLessThanOrEqual((30 + 40) * 8);
  });

  it('pauses a batch whose chunks have one row each', async () => {
    const { scene } = await createScene({ chunks: 5, rows: 1 }, () => words[1]);
    for (const chunk of [1, 2, 3, 4, 5]) await run(scene, chunk);
    expect(scene.posted).toHaveLength(3);
    expect(scene.statuses()).toEqual(Array(3).fill('ready'));
  });

  it('does not pause again for words that a person has seen, and rejects those rows', async () => {
    const { scene } = await createScene({ rows: 5 }, () => words[1]);
    await run(scene);
    expect(await scene.batch()).toMatchObject({ status: 'paused' });
    await resume(scene);
    await run(scene);
    expect(await scene.batch()).toMatchObject({ status: 'processing' });
    expect(scene.statuses()).toEqual(Array(5).fill('rejected'));
  });

  it('does not undo a resume by the answer of an earlier call', async () => {
    const { scene } = await createScene({ chunks: 2, rows: 5 }, () => words[1]);
    const posted = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const { submit } = scene.dependencies.provider;
    scene.dependencies.provider.submit = async (...sent) => {
      posted.resolve();
      await answered.promise;
      return submit(...sent);
    };
    const late = run(scene, 2);
    await posted.promise;
    scene.dependencies.provider.submit = submit;
    await run(scene, 1);
    expect(await scene.batch()).toMatchObject({ status: 'paused' });
    await resume(scene);
    answered.resolve();
    await late;
    expect(await scene.batch()).toMatchObject({ status: 'processing' });
  });

  it('never rejects a row of the call that paused the batch when the call is found later', async () => {
    const { scene } = await createScene({ rows: 1, settings: { equalRefusals: 1 } }, () => words[1]);
    for (let round = 1; round <= 2; round += 1) {
      await run(scene);
      expect(await scene.batch()).toMatchObject({ status: 'paused', reason: { code: 'refused_alike' } });
      // A concurrent pause for another reason hides the words from the person who resumes it.
      await scene.resume();
    }
    const { calls } = await registeredChunk(scene.ledger, batchId, 1);
    const outcome = { kind: 'rejected', message: words[1], isUnconfirmed: true };
    expect(calls.map((call) => call.outcome)).toEqual([outcome, outcome]);
  });

  it('pauses again for other words', async () => {
    const { scene, state } = await createScene({ rows: 5 }, () => words[1]);
    await run(scene);
    await resume(scene);
    state.judge = () => words[0];
    await run(scene);
    expect(await scene.batch()).toMatchObject({ status: 'paused', reason: { code: 'refused_alike' } });
    // Rows that were refused alone in the new words are looked up three times first.
    expect(countOf(scene, 'ready') + countOf(scene, 'submitting')).toBe(5);
    await createExecution(scene).forSeconds(900);
    expect(scene.statuses()).toEqual(Array(5).fill('ready'));
  });
});

it('does not count taken references, because such a row is looked up', async () => {
  const { scene } = await createScene({ rows: 4 }, () => 'The reference must be unique', true);
  await run(scene);
  expect(await scene.batch()).toMatchObject({ status: 'processing' });
});
