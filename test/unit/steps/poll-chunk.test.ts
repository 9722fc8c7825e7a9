import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ProviderUnavailable } from '../../../functions/domain/errors.ts';
import type { ObservedStatus } from '../../../functions/domain/payout-lifecycle.ts';
import { payoutTransitions } from '../../../functions/domain/payout-lifecycle.ts';
import { proofKey } from '../../../functions/files/keys.ts';
import { archiveProofs } from '../../../functions/steps/archive-proofs.ts';
import { pollChunk } from '../../../functions/steps/poll-chunk.ts';
import { submitChunk } from '../../../functions/steps/submit-chunk.ts';
import { createChunkScene } from '../../support/chunk-scene.ts';

const submitted = async () => {
  const scene = createChunkScene();
  scene.answers.push(scene.accept);
  const output = await submitChunk(scene.dependencies, scene.input, scene.invocation);
  const told = new Map<string, ObservedStatus>();
  const pages: number[] = [];
  scene.provider.listDisbursements = async ({ page }) => {
    pages.push(page);
    const disbursements = [...told].map(([reference, status]) => scene.disbursementOf(reference, { status }));
    return { disbursements, page, totalPages: 1 };
  };
  const tell = (status: ObservedStatus, ...references: readonly string[]) => {
    for (const reference of references) told.set(reference, status);
  };
  return { scene, output, tell, pages };
};

describe('PollChunk', () => {
  it('learns of a whole chunk from one page and waits longer each time', async () => {
    const { scene, output, tell, pages } = await submitted();
    tell('pending', 'ref-1', 'ref-2', 'ref-3', 'ref-4');
    const first = await pollChunk(scene.dependencies, output);
    expect(first).toMatchObject({ next: 'poll', polls: 1, waitSeconds: 10, page: 1 });
    tell('completed', 'ref-1', 'ref-2', 'ref-3');
    tell('failed', 'ref-4');
    const second = await pollChunk(scene.dependencies, first);
    expect(second.next).toBe('archive');
    expect(pages).toEqual([1, 1]);
    expect(scene.statuses()).toEqual(['completed', 'completed', 'completed', 'failed']);
  });

  it('asks singly for what the pages do not show', async () => {
    const { scene, output, tell } = await submitted();
    tell('completed', 'ref-1', 'ref-2', 'ref-3');
    scene.lookups.set('d-ref-4', [
      { kind: 'found', disbursement: scene.disbursementOf('ref-4', { status: 'on_hold' }) },
    ]);
    const polled = await pollChunk(scene.dependencies, output);
    expect(scene.statuses()).toEqual(['completed', 'completed', 'completed', 'on_hold']);
    expect(polled.next).toBe('poll');
  });

  it('asks once an execution about what was quarantined, and adopts what fits', async () => {
    const { scene, output, tell } = await submitted();
    tell('completed', 'ref-1', 'ref-2', 'ref-3', 'ref-4');
    const { batchId } = output;
    for (const row of [1, 2]) {
      const reason = { code: 'followed_too_long', message: 'open for too long' };
      await scene.ledger.movePayout({ batchId, chunk: 1, row }, payoutTransitions.quarantine, { reason });
    }
    scene.lookups.set('d-ref-1', [
      { kind: 'found', disbursement: scene.disbursementOf('ref-1', { status: 'completed' }) },
    ]);
    scene.lookups.set('d-ref-2', [
      { kind: 'found', disbursement: scene.disbursementOf('ref-2', { status: 'completed', amount: '1' }) },
    ]);
    const polled = await pollChunk(scene.dependencies, output);
    expect(scene.statuses()).toEqual(['completed', 'quarantined', 'completed', 'completed']);
    expect(polled.next).toBe('archive');
    scene.lookups.set('d-ref-2', [
      { kind: 'found', disbursement: scene.disbursementOf('ref-2', { status: 'completed' }) },
    ]);
    await pollChunk(scene.dependencies, polled);
    expect(scene.statuses()[1]).toBe('quarantined');
    // Resuming starts another execution, which has not polled yet.
    const resumed = await submitChunk(scene.dependencies, scene.input, scene.invocation);
    expect(resumed.next).toBe('poll');
    await pollChunk(scene.dependencies, resumed);
    expect(scene.statuses()[1]).toBe('completed');
    expect(scene.posted).toHaveLength(1);
  });

  it('does not take a lookup that shows nothing for an end', async () => {
    const { scene, output } = await submitted();
    const polled = await pollChunk(scene.dependencies, output);
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
    expect(polled.next).toBe('poll');
  });

  it('waits an outage of the provider out', async () => {
    const { scene, output } = await submitted();
    scene.provider.listDisbursements = async () => {
      throw new ProviderUnavailable('list: status_503');
    };
    expect(await pollChunk(scene.dependencies, output)).toMatchObject({ next: 'poll', polls: 1 });
  });

  it('puts what never ends into the hands of a person after the days payouts are followed', async () => {
    const { scene, output, tell } = await submitted();
    tell('pending', 'ref-1', 'ref-2', 'ref-3', 'ref-4');
    scene.passSeconds(7 * 86_400 + 1);
    expect(await pollChunk(scene.dependencies, output)).toMatchObject({ next: 'done' });
    expect(scene.statuses()).toEqual(Array(4).fill('quarantined'));
  });

  it('follows what was submitted after a pause longer than payouts are followed', async () => {
    const scene = createChunkScene();
    await scene.ledger.registerPayouts(scene.chunk, new Map(scene.chunk.payouts.map(({ row }) => [row, 'hash'])));
    scene.passSeconds(30 * 86_400);
    scene.answers.push((references) => ({
      kind: 'answered',
      disbursements: references.map((reference) => scene.disbursementOf(reference, { destinationHash: 'hash' })),
    }));
    const output = await submitChunk(scene.dependencies, scene.input, scene.invocation);
    expect(output.next).toBe('poll');
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
  });

  it('lets payouts on hold rest once they were followed for as long as the settings say', async () => {
    const { scene, output, tell } = await submitted();
    tell('failed', 'ref-1', 'ref-2', 'ref-3');
    tell('on_hold', 'ref-4');
    expect(await pollChunk(scene.dependencies, output)).toMatchObject({ next: 'poll' });
    scene.passSeconds(1440 * 60);
    expect(await pollChunk(scene.dependencies, output)).toMatchObject({ next: 'done' });
  });
});

describe('ArchiveProofs', () => {
  const completed = async () => {
    const { scene, output, tell } = await submitted();
    tell('completed', 'ref-1', 'ref-2', 'ref-3');
    tell('failed', 'ref-4');
    return { scene, output: await pollChunk(scene.dependencies, output) };
  };

  it('stores the proof of each completed transfer once', async () => {
    const { scene, output } = await completed();
    const asked: string[] = [];
    scene.provider.downloadProof = async (id) => {
      asked.push(id);
      return new Uint8Array([1, 2, 3]);
    };
    const first = await archiveProofs(scene.dependencies, output, scene.invocation);
    expect(first.next).toBe('done');
    await archiveProofs(scene.dependencies, output, scene.invocation);
    expect(asked.sort()).toEqual(['d-ref-1', 'd-ref-2', 'd-ref-3']);
  });

  it('asks again later for a proof that is not there yet, and ends without it after six rounds', async () => {
    const { scene, output } = await completed();
    let round = await archiveProofs(scene.dependencies, output, scene.invocation);
    const nexts = [round.next];
    while (round.next === 'archive_later') {
      round = await archiveProofs(scene.dependencies, round, scene.invocation);
      nexts.push(round.next);
    }
    expect(nexts).toEqual([...Array(5).fill('archive_later'), 'done']);
  });

  it('tells of a transfer that came back instead of a missing proof, and asks for that no more', async () => {
    const { scene, output } = await completed();
    const asked: string[] = [];
    scene.provider.downloadProof = async (id) => {
      asked.push(id);
      return id === 'd-ref-1' ? undefined : new Uint8Array([1]);
    };
    const failed = scene.disbursementOf('ref-1', { status: 'failed' });
    scene.lookups.set('d-ref-1', [{ kind: 'found', disbursement: failed }]);
    let round = await archiveProofs(scene.dependencies, output, scene.invocation);
    while (round.next === 'archive_later') round = await archiveProofs(scene.dependencies, round, scene.invocation);
    expect(round.next).toBe('done');
    const [payout] = scene.ledger.payouts.values();
    expect(payout).toMatchObject({ status: 'completed', contradictions: [{ observed: 'failed' }] });
    expect(scene.alarms).toContain('PayoutChangedAfterEnd');
    const times = asked.length;
    await archiveProofs(scene.dependencies, { ...round, proofTries: 0 }, scene.invocation);
    expect(asked).toHaveLength(times);
  });

  it('ends without a proof too where the provider says nothing any more', async () => {
    const { scene, output } = await completed();
    scene.provider.lookUp = async () => {
      throw new ProviderUnavailable('down');
    };
    expect(await archiveProofs(scene.dependencies, { ...output, proofTries: 5 }, scene.invocation)).toMatchObject({
      next: 'done',
    });
  });

  it('leaves the proof that is recorded as it is, when another run stores one of its own', async () => {
    const { scene, output } = await completed();
    const bucket = new Map<string, string>();
    const { files } = scene.dependencies;
    files.putProof = async (id, row, pdf) => {
      const sha256 = createHash('sha256').update(pdf).digest('hex');
      const key = proofKey(id, row, sha256);
      bucket.set(key, sha256);
      return { key, sha256, bytes: pdf.byteLength };
    };
    // The provider makes the document anew each time it is asked.
    let made = 0;
    const bothAsked = Promise.withResolvers<void>();
    scene.provider.downloadProof = async () => {
      made += 1;
      const pdf = new Uint8Array([made]);
      if (made === 6) bothAsked.resolve();
      await bothAsked.promise;
      return pdf;
    };
    await Promise.all([
      archiveProofs(scene.dependencies, output, scene.invocation),
      archiveProofs(scene.dependencies, output, scene.invocation),
    ]);
    const proofs = [...scene.ledger.payouts.values()].flatMap(({ proof }) => proof ?? []);
    expect(proofs).toHaveLength(3);
    expect(proofs.map(({ key }) => bucket.get(key))).toEqual(proofs.map(({ sha256 }) => sha256));
  });

  it('leaves what it has no time for to its next run', async () => {
    const { scene, output } = await completed();
    expect(await archiveProofs(scene.dependencies, output, { remainingMs: () => 59_000 })).toMatchObject({
      next: 'archive',
      proofTries: 0,
    });
  });
});
