import { expect, it } from 'vitest';
import type { SubmitAnswer } from '../../../functions/ports/provider.ts';
import { watchBatches } from '../../../functions/watch/watch-batches.ts';
import { createExecution } from '../../support/execution.ts';
import { createBatchScene } from '../../support/scenes/batch-scene.ts';

const letters = (n: number): string => n.toString(2).replaceAll('0', 'a').replaceAll('1', 'b');

it.each<[string, (calls: number) => SubmitAnswer]>([
  ['whose calls are never sent', () => ({ kind: 'not_sent', cause: 'credentials_unavailable' })],
  ['whose calls are never answered', () => ({ kind: 'unknown', cause: 'status_503' })],
  ['that is refused alone, each time in other words', (n) => ({ kind: 'rejected', message: `Request ${letters(n)}` })],
])('payouts raise an alarm an hour after they were registered: one %s', async (_name, answer) => {
  const scene = await createBatchScene({ rows: 1 });
  const run = createExecution(scene);
  scene.answers.push(...Array.from({ length: 100 }, () => () => answer(scene.posted.length)));
  const workflow = { stateOf: async () => 'running' as const, start: async () => 'running' as const };
  const watch = () => watchBatches({ ...scene.dependencies, workflow });
  await run.submitAll();
  await run.forSeconds(3300);
  await watch();
  expect(scene.alarms).toEqual([]);
  await run.forSeconds(600);
  await watch();
  expect(scene.alarms).toEqual(['PayoutsNotSubmitted']);
  expect(scene.posted.length).toBeGreaterThan(3);
});
