import { expect, it } from 'vitest';
import { runSeed } from '../simulation/run-seed.ts';

/** Few: a mutant that no other test kills runs them all. */
it.each([1, 2, 3])('seed %i of the simulation breaks no promise', async (seed) => {
  expect((await runSeed(seed)).violation).toBeUndefined();
});
