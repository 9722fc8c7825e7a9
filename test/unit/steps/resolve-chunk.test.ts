import { describe, expect, it } from 'vitest';
import type { Rail } from '../../../functions/domain/payout.ts';
import type { Lookup } from '../../../functions/ports/provider.ts';
import { pollChunk } from '../../../functions/steps/poll-chunk.ts';
import { resolveChunk } from '../../../functions/steps/resolve-chunk.ts';
import { chunkInput } from '../../../functions/steps/step.ts';
import { submitChunk } from '../../../functions/steps/submit-chunk.ts';
import { createChunkScene } from '../../support/chunk-scene.ts';

const afterALostAnswer = async (rail: Rail) => {
  const scene = createChunkScene(rail, 1);
  scene.answers.push(() => ({ kind: 'unknown', cause: 'timeout' }));
  await submitChunk(scene.dependencies, scene.input, scene.invocation);
  return scene;
};

const resolveTimes = async (scene: ReturnType<typeof createChunkScene>, times: number) => {
  let output = await resolveChunk(scene.dependencies, scene.input);
  for (let time = 1; time < times; time += 1) {
    scene.passSeconds(120);
    output = await resolveChunk(scene.dependencies, output);
  }
  return output;
};

describe('ResolveChunk', () => {
  it('asks nothing before the call is old enough for its function to be gone', async () => {
    const scene = await afterALostAnswer('fiat');
    scene.passSeconds(119);
    scene.lookups.set('ref-1', [{ kind: 'found', disbursement: scene.disbursementOf('ref-1') }]);
    expect(await resolveTimes(scene, 1)).toMatchObject({ next: 'resolve' });
    scene.passSeconds(1);
    expect(await resolveTimes(scene, 1)).toMatchObject({ next: 'poll' });
    expect(scene.statuses()).toEqual(['pending']);
  });

  it.each([0, 1, 2])(
    'hands a chunk back whose registration was cut off after %i of its payouts, and all of them are paid',
    async (registered) => {
      const scene = createChunkScene('fiat', 2);
      const { ledger } = scene.dependencies;
      const { registerPayouts } = ledger;
      await expect(
        submitChunk(
          {
            ...scene.dependencies,
            ledger: {
              ...ledger,
              registerPayouts: async (chunk, hashes) => {
                const inPart = { ...chunk, payouts: chunk.payouts.slice(0, registered) };
                await registerPayouts(inPart, hashes);
                // The chunk's record comes last, and it never came to that.
                scene.ledger.records.clear();
                throw new Error('the function was ended');
              },
            },
          },
          scene.input,
          scene.invocation,
        ),
      ).rejects.toThrow('ended');
      const output = await resolveChunk(scene.dependencies, scene.input);
      expect(output).toMatchObject({ next: 'submit' });
      scene.answers.push(scene.accept);
      expect(await submitChunk(scene.dependencies, output, scene.invocation)).toMatchObject({ next: 'poll' });
      expect(scene.statuses()).toEqual(['pending', 'pending']);
    },
  );

  const contradictions: [string, object][] = [
    ['another amount', { amount: '1' }],
    ['another destination', { destinationHash: 'other' }],
    ['another currency', { currency: 'PHP' }],
  ];
  it.each(contradictions)('quarantines what is found with %s', async (_name, changes) => {
    const scene = await afterALostAnswer('fiat');
    scene.passSeconds(120);
    scene.lookups.set('ref-1', [{ kind: 'found', disbursement: scene.disbursementOf('ref-1', changes) }]);
    await resolveTimes(scene, 1);
    expect(scene.statuses()).toEqual(['quarantined']);
    expect(scene.alarms).toEqual(['PayoutQuarantined']);
  });

  it('counts no proof of absence again that it has only just counted, as when it failed afterwards and is run again', async () => {
    const scene = await afterALostAnswer('fiat');
    scene.passSeconds(120);
    await resolveTimes(scene, 1);
    for (const seconds of [5, 10, 20, 40]) {
      scene.passSeconds(seconds);
      await resolveTimes(scene, 1);
    }
    expect([...scene.ledger.payouts.values()].map(({ absences }) => absences)).toEqual([1]);
    scene.passSeconds(45);
    await resolveTimes(scene, 1);
    expect([...scene.ledger.payouts.values()].map(({ absences }) => absences)).toEqual([2]);
  });

  it('lets a fiat payout be submitted again only after three proofs of absence', async () => {
    const scene = await afterALostAnswer('fiat');
    scene.passSeconds(120);
    await resolveTimes(scene, 2);
    expect(scene.statuses()).toEqual(['unknown']);
    scene.passSeconds(120);
    expect(await resolveTimes(scene, 1)).toMatchObject({ next: 'submit' });
    expect(scene.statuses()).toEqual(['ready']);
  });

  it('quarantines a fiat payout proven absent when references are not unique', async () => {
    const scene = await afterALostAnswer('fiat');
    scene.dependencies.settings.fiatReferenceUnique = false;
    scene.passSeconds(120);
    await resolveTimes(scene, 3);
    expect(scene.statuses()).toEqual(['quarantined']);
  });

  it('never submits a crypto payout again', async () => {
    const scene = await afterALostAnswer('crypto');
    scene.passSeconds(120);
    const output = await resolveTimes(scene, 3);
    expect(scene.statuses()).toEqual(['quarantined']);
    // Asked about once more, it rests.
    expect(output).toMatchObject({ next: 'poll' });
    expect(await pollChunk(scene.dependencies, chunkInput.parse(output))).toMatchObject({ next: 'done' });
    expect(scene.statuses()).toEqual(['quarantined']);
    expect(scene.posted).toHaveLength(1);
  });

  it('quarantines a crypto reference that the provider used twice', async () => {
    const scene = await afterALostAnswer('crypto');
    scene.passSeconds(120);
    scene.lookups.set('ref-1', [{ kind: 'found', disbursement: scene.disbursementOf('ref-1') }]);
    scene.provider.listByReference = async (reference) => [
      scene.disbursementOf(reference),
      scene.disbursementOf(reference, { disbursementId: 'another' }),
    ];
    await resolveTimes(scene, 1);
    expect(scene.statuses()).toEqual(['quarantined']);
  });

  it('does not take an outage for a proof of absence', async () => {
    const scene = await afterALostAnswer('fiat');
    scene.passSeconds(120);
    const outage: Lookup = { kind: 'unknown', cause: 'status_503' };
    scene.lookups.set('ref-1', [outage]);
    expect(await resolveTimes(scene, 5)).toMatchObject({ next: 'resolve' });
    expect(scene.statuses()).toEqual(['unknown']);
  });

  it('starts counting again after a payout was submitted again', async () => {
    const scene = await afterALostAnswer('fiat');
    scene.passSeconds(120);
    await resolveTimes(scene, 3);
    scene.answers.push(() => ({ kind: 'unknown', cause: 'timeout' }));
    await submitChunk(scene.dependencies, scene.input, scene.invocation);
    scene.passSeconds(120);
    await resolveTimes(scene, 2);
    expect(scene.statuses()).toEqual(['unknown']);
    expect(scene.posted).toHaveLength(2);
  });

  it.each(['fiat', 'crypto'] as const)(
    'takes nothing from the next call when it comes late with what it learned of the one before (%s)',
    async (rail) => {
      const scene = createChunkScene(rail, 2);
      scene.answers.push(
        () => ({ kind: 'rejected', message: 'one of them is wrong' }),
        () => ({ kind: 'unknown', cause: 'timeout' }),
        () => ({ kind: 'unknown', cause: 'timeout' }),
      );
      let overtaken = false;
      const { lookUp } = scene.provider;
      scene.provider.lookUp = async (...asked) => {
        if (!overtaken) {
          overtaken = true;
          // While this lookup is on its way, others settle the refused call and submit its rows again, by halves.
          await resolveTimes(scene, 1);
          await submitChunk(scene.dependencies, scene.input, scene.invocation);
        }
        return lookUp(...asked);
      };
      await submitChunk(scene.dependencies, scene.input, scene.invocation);
      expect(scene.posted).toEqual([['ref-1', 'ref-2'], ['ref-1'], ['ref-2']]);
      expect(scene.statuses()).toEqual(['unknown', 'unknown']);
    },
  );
});
