import { describe, expect, it } from 'vitest';
import type { SubmitAnswer } from '../../../functions/ports/provider.ts';
import { resolveChunk } from '../../../functions/steps/resolve-chunk.ts';
import { chunkInput } from '../../../functions/steps/step.ts';
import { submitChunk } from '../../../functions/steps/submit-chunk.ts';
import { batchId, createChunkScene } from '../../support/chunk-scene.ts';

const run = (scene: ReturnType<typeof createChunkScene>) =>
  submitChunk(scene.dependencies, scene.input, scene.invocation);

describe('SubmitChunk', () => {
  it('registers, claims and posts a chunk in one call, and goes on to poll', async () => {
    const scene = createChunkScene();
    scene.answers.push(scene.accept);
    const output = await run(scene);
    expect(scene.posted).toEqual([['ref-1', 'ref-2', 'ref-3', 'ref-4']]);
    expect(scene.statuses()).toEqual(['pending', 'pending', 'pending', 'pending']);
    expect(output).toMatchObject({ next: 'poll', since: '2026-11-21T08:00:00.000Z' });
    expect(scene.ledger.calls.map(({ outcome }) => outcome?.kind)).toEqual(['accepted']);
  });

  it('posts nothing when it runs again after everything was submitted', async () => {
    const scene = createChunkScene();
    scene.answers.push(scene.accept);
    await run(scene);
    await run(scene);
    expect(scene.posted).toHaveLength(1);
  });

  it('posts once when two invocations run at the same time', async () => {
    const scene = createChunkScene();
    scene.answers.push(scene.accept);
    await Promise.all([run(scene), run(scene)]);
    expect(scene.posted).toHaveLength(1);
  });

  it('does not post what an invocation that died in the middle of its call had claimed', async () => {
    const scene = createChunkScene();
    scene.answers.push(() => {
      throw new Error('the function was ended');
    });
    await expect(run(scene)).rejects.toThrow('ended');
    const output = await run(scene);
    expect(scene.posted).toHaveLength(1);
    expect(scene.statuses()).toEqual(Array(4).fill('submitting'));
    expect(output.next).toBe('resolve');
  });

  const answers: [string, SubmitAnswer, string[], string, string][] = [
    ['a timeout', { kind: 'unknown', cause: 'timeout' }, Array(4).fill('unknown'), 'resolve', 'unknown'],
    ['a refused connection', { kind: 'not_sent', cause: 'refused' }, Array(4).fill('ready'), 'submit', 'not_sent'],
    ['credentials refused', { kind: 'halted' }, Array(4).fill('submitting'), 'resolve', 'halted'],
  ];
  it.each(answers)(
    'after %s leaves the payouts where the answer leaves them',
    async (_name, answer, statuses, next, outcome) => {
      const scene = createChunkScene();
      scene.answers.push(() => answer);
      const output = await run(scene);
      expect(scene.posted).toHaveLength(1);
      expect(scene.statuses()).toEqual(statuses);
      expect(output.next).toBe(next);
      expect(scene.ledger.calls[0]?.outcome?.kind).toBe(outcome);
    },
  );

  it('halts the batch when the credentials are refused', async () => {
    const scene = createChunkScene();
    scene.answers.push(() => ({ kind: 'halted' }));
    await run(scene);
    expect(scene.ledger.batches.get(batchId)).toMatchObject({
      status: 'paused',
      reason: { code: 'credentials_refused' },
    });
    expect(scene.alarms).toEqual(['BatchHalted']);
  });

  it('isolates the row a 400 is about by halves and submits the others', async () => {
    const scene = createChunkScene();
    const judge = (references: readonly string[]): SubmitAnswer =>
      references.includes('ref-3')
        ? { kind: 'rejected', message: 'Payment method not found' }
        : scene.accept(references);
    scene.answers.push(judge, judge, judge, judge, judge);
    await run(scene);
    expect(scene.posted).toEqual([
      ['ref-1', 'ref-2', 'ref-3', 'ref-4'],
      ['ref-1', 'ref-2'],
      ['ref-3', 'ref-4'],
      ['ref-3'],
      ['ref-4'],
    ]);
    expect(scene.statuses()).toEqual(['pending', 'pending', 'rejected', 'pending']);
  });

  it('adopts what a refused call made all the same instead of submitting it again', async () => {
    const scene = createChunkScene();
    scene.lookups.set('ref-2', [{ kind: 'found', disbursement: scene.disbursementOf('ref-2') }]);
    scene.answers.push(() => ({ kind: 'rejected', message: 'bad' }), scene.accept, scene.accept);
    await run(scene);
    expect(scene.posted.flat().filter((reference) => reference === 'ref-2')).toHaveLength(1);
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
  });

  it('pauses the batch and keeps the payouts when the balance is too low', async () => {
    const scene = createChunkScene();
    scene.answers.push(() => ({ kind: 'rejected', message: 'insufficient balance' }));
    const output = await run(scene);
    expect(scene.statuses()).toEqual(Array(4).fill('ready'));
    expect(scene.ledger.batches.get(batchId)).toMatchObject({
      status: 'paused',
      reason: { code: 'insufficient_balance' },
    });
    expect(output).toMatchObject({ next: 'submit', waitSeconds: 60 });
  });

  it('keeps sight of the items an answer has and looks for those it lacks', async () => {
    const scene = createChunkScene();
    scene.answers.push(() => ({
      kind: 'answered',
      disbursements: [scene.disbursementOf('ref-4'), scene.disbursementOf('ref-1')],
    }));
    const output = await run(scene);
    expect(scene.statuses()).toEqual(['pending', 'unknown', 'unknown', 'pending']);
    expect(output.next).toBe('resolve');
  });

  it('tells of a second disbursement that the answer itself shows, which no lookup of a bank transfer would', async () => {
    const scene = createChunkScene('fiat');
    const completed = { status: 'completed' } as const;
    scene.answers.push((references) => ({
      kind: 'answered',
      disbursements: [
        ...references.map((reference) => scene.disbursementOf(reference, completed)),
        scene.disbursementOf('ref-2', { disbursementId: 'd-again' }),
        scene.disbursementOf('ref-3', completed),
      ],
    }));
    for (const reference of ['ref-2', 'ref-3'])
      scene.lookups.set(reference, [{ kind: 'found', disbursement: scene.disbursementOf(reference, completed) }]);
    let output = await run(scene);
    scene.passSeconds(120);
    if (output.next === 'resolve') output = await resolveChunk(scene.dependencies, chunkInput.parse(output));
    expect(output.next).toBe('archive');
    expect(scene.statuses()).toEqual(Array(4).fill('completed'));
    const contradicted = [...scene.ledger.payouts.values()].map(({ contradictions }) => contradictions);
    expect(contradicted).toMatchObject([
      undefined,
      [{ code: 'reference_used_twice', disbursementId: 'd-again' }],
      undefined,
      undefined,
    ]);
    expect(scene.alarms).toEqual(['PayoutChangedAfterEnd']);
  });

  it('quarantines a payout whose disbursement has another amount or destination', async () => {
    const scene = createChunkScene();
    scene.answers.push((references) => ({
      kind: 'answered',
      disbursements: references.map((reference) =>
        scene.disbursementOf(
          reference,
          reference === 'ref-1' ? { amount: '999' } : reference === 'ref-2' ? { destinationHash: 'other' } : {},
        ),
      ),
    }));
    await run(scene);
    expect(scene.statuses()).toEqual(['quarantined', 'quarantined', 'pending', 'pending']);
    expect(scene.alarms).toEqual(['PayoutQuarantined', 'PayoutQuarantined']);
  });

  it('rejects a reference that another batch holds and pays the others', async () => {
    const scene = createChunkScene();
    const other = { ...scene.chunk, batchId: 'b-0', payouts: scene.chunk.payouts.slice(1, 2) };
    await scene.ledger.registerPayouts(other, new Map());
    scene.answers.push(scene.accept);
    await run(scene);
    expect(scene.posted).toEqual([['ref-1', 'ref-3', 'ref-4']]);
    expect(scene.statuses()).toEqual(['pending', 'rejected', 'pending', 'pending']);
  });

  it('posts nothing while the batch is paused, and cancels what was not claimed when it is canceled', async () => {
    const scene = createChunkScene();
    const batch = scene.ledger.batches.get(batchId);
    if (batch === undefined) throw new Error('no batch');
    scene.ledger.batches.set(batchId, { ...batch, status: 'paused' });
    expect(await run(scene)).toMatchObject({ next: 'submit', waitSeconds: 60 });
    scene.ledger.batches.set(batchId, { ...batch, cancelRequestedAt: batch.createdAt });
    expect(await run(scene)).toMatchObject({ next: 'done' });
    expect(scene.posted).toEqual([]);
    expect(scene.statuses()).toEqual(Array(4).fill('canceled'));
  });

  it('does not begin a call when the invocation has too little time left for its answer', async () => {
    const scene = createChunkScene();
    const output = await submitChunk(scene.dependencies, scene.input, { remainingMs: () => 54_000 });
    expect(scene.posted).toEqual([]);
    expect(scene.ledger.calls).toEqual([]);
    expect(output.next).toBe('submit');
  });

  it('gives a claim back unused when making it took the time its answer needs', async () => {
    const scene = createChunkScene();
    const times = [60_000, 39_000];
    const output = await submitChunk(scene.dependencies, scene.input, { remainingMs: () => times.shift() ?? 0 });
    expect(scene.posted).toEqual([]);
    expect(scene.ledger.calls[0]?.outcome?.kind).toBe('not_sent');
    expect(scene.statuses()).toEqual(Array(4).fill('ready'));
    expect(output.next).toBe('submit');
  });
});
