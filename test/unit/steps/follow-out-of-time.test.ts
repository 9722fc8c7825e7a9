import { describe, expect, it } from 'vitest';
import type { SceneOptions } from '../../support/batch-scene.ts';
import { createBatchScene } from '../../support/batch-scene.ts';
import { createExecution } from '../../support/execution.ts';

const begun = async (options: SceneOptions) => {
  const scene = await createBatchScene(options);
  return { scene, run: createExecution(scene) };
};

describe('a sweep that runs out of time', () => {
  it('goes on from the chunk it came to, and reaches every one', async () => {
    const { scene, run } = await begun({ chunks: 40, rows: 2 });
    for (let count = 0; count < 40; count += 1)
      scene.answers.push((references) => {
        scene.accept(references);
        return { kind: 'unknown', cause: 'timeout' };
      });
    await run.submitAll();
    scene.passSeconds(120);
    const { provider } = scene.dependencies;
    const { lookUp } = provider;
    let left = 0;
    provider.lookUp = async (...of) => {
      left -= 20_000;
      return lookUp(...of);
    };
    const cursors: number[] = [];
    for (let sweeps = 0; scene.statuses().includes('unknown') && sweeps < 50; sweeps += 1) {
      left = 300_000;
      const output = await run.sweep({ remainingMs: () => left });
      cursors.push(output.cursor);
      expect(output.next).toBe(output.cursor > 0 ? 'go_on' : 'wait');
    }
    expect(scene.statuses()).toEqual(Array(80).fill('pending'));
    expect(cursors.length).toBeGreaterThan(3);
    expect(scene.listed.asked.lookUps.length).toBeLessThan(100);
  });

  it('begins the next pass with the chunk whose questions it could not all ask', async () => {
    const { scene, run } = await begun({ chunks: 1, rows: 30 });
    scene.answers.push((references) => {
      scene.accept(references);
      return { kind: 'unknown', cause: 'timeout' };
    });
    await run.submitAll();
    scene.passSeconds(120);
    const { provider } = scene.dependencies;
    const { lookUp } = provider;
    let left = 200_000;
    provider.lookUp = async (...of) => {
      left -= 20_000;
      return lookUp(...of);
    };
    expect(await run.sweep({ remainingMs: () => left })).toMatchObject({ next: 'go_on', cursor: 1 });
    expect(scene.statuses().filter((status) => status === 'unknown').length).toBeGreaterThan(0);
    left = 900_000;
    expect(await run.sweep({ remainingMs: () => left })).toMatchObject({ next: 'wait', cursor: 0 });
    expect(scene.statuses()).toEqual(Array(30).fill('pending'));
  });

  it('reaches every chunk although nothing that it asks about comes to an end', async () => {
    const { scene, run } = await begun({ chunks: 24, rows: 3 });
    await run.submitAll();
    scene.listed.settle('on_hold');
    await run.sweep();
    scene.listed.forgetAsked();
    // Lists of bank transfers do not show what is on hold: each is asked about singly, and stays as it is.
    const { provider } = scene.dependencies;
    const { lookUp } = provider;
    let left = 0;
    provider.lookUp = async (...of) => {
      left -= 15_000;
      return lookUp(...of);
    };
    for (let passes = 0; passes < 8; passes += 1) {
      left = 300_000;
      await run.sweep({ remainingMs: () => left });
    }
    expect(new Set(scene.listed.asked.lookUps).size).toBe(72);
  });
});
