import { describe, expect, it } from 'vitest';
import type { Payout, PayoutStatus } from '../../../functions/domain/payout.ts';
import { payoutTransitions } from '../../../functions/domain/payout-lifecycle.ts';
import type { Disbursement } from '../../../functions/ports/provider.ts';
import { pollChunk } from '../../../functions/steps/poll-chunk.ts';
import { submitChunk } from '../../../functions/steps/submit-chunk.ts';
import { batchId, createChunkScene } from '../../support/chunk-scene.ts';

/** A crypto chunk whose four payouts are under way, and a provider that lists what it is told. */
const underWay = async () => {
  const scene = createChunkScene('crypto');
  scene.answers.push(scene.accept);
  const output = await submitChunk(scene.dependencies, scene.input, scene.invocation);
  const listed: Disbursement[] = [];
  const asked: string[] = [];
  scene.provider.listDisbursements = async ({ page }) => {
    asked.push(`page ${page}`);
    return { disbursements: listed, page, totalPages: 1 };
  };
  const { lookUp } = scene.provider;
  scene.provider.lookUp = async (rail, id) => {
    asked.push(id);
    return lookUp(rail, id);
  };
  scene.provider.listByReference = async (reference) => {
    asked.push(`list ${reference}`);
    return [];
  };
  const shows = (reference: string, changes: Partial<Disbursement> = {}) => {
    listed.push(scene.disbursementOf(reference, changes));
  };
  const poll = () => pollChunk(scene.dependencies, output);
  const payout = (row: number) => scene.ledger.payouts.get(`${batchId}/1/${row}`);
  /** Puts a payout of the chunk into a status in which the ledger knows no disbursement of it. */
  const without = (row: number, changes: Pick<Payout, 'status'> & Partial<Payout>) => {
    const held = payout(row);
    if (held === undefined) throw new Error(`no payout ${row}`);
    const { disbursementId: _, ...rest } = held;
    scene.ledger.payouts.set(`${batchId}/1/${row}`, { ...rest, ...changes });
  };
  return { scene, shows, poll, payout, without, asked, forget: () => listed.splice(0) };
};

describe('pages that PollChunk reads anyhow', () => {
  it('show a second disbursement of a reference: it is recorded once, and the payout goes on to its end', async () => {
    const { scene, shows, poll, payout, asked, forget } = await underWay();
    for (const reference of ['ref-1', 'ref-2', 'ref-3', 'ref-4']) shows(reference);
    shows('ref-2', { disbursementId: 'd-again', status: 'completed' });
    await poll();
    const twice = { code: 'reference_used_twice', disbursementId: 'd-again', observed: 'completed' };
    expect(payout(2)).toMatchObject({ status: 'pending', disbursementId: 'd-ref-2', contradictions: [twice] });
    forget();
    shows('ref-2', { disbursementId: 'd-again', status: 'completed' });
    for (const reference of ['ref-1', 'ref-2', 'ref-3', 'ref-4']) shows(reference, { status: 'completed' });
    await poll();
    expect(scene.statuses()).toEqual(Array(4).fill('completed'));
    expect(payout(2)?.contradictions).toHaveLength(1);
    expect(scene.alarms).toEqual(['PayoutChangedAfterEnd']);
    expect(scene.ledger.events).toMatchObject([{ code: 'payout.contradicted', by: 'system' }]);
    const [record] = await scene.ledger.listChunks(batchId);
    expect(record?.contradictions).toMatchObject({ recorded: 1, payouts: 1 });
    // Nothing was asked for it.
    expect(asked).toEqual(['page 1', 'page 1']);
  });

  it('show what an ended payout of the chunk has become', async () => {
    const { shows, poll, payout, asked, forget } = await underWay();
    shows('ref-1', { status: 'completed' });
    for (const reference of ['ref-2', 'ref-3', 'ref-4']) shows(reference);
    await poll();
    forget();
    shows('ref-1', { status: 'failed' });
    for (const reference of ['ref-2', 'ref-3', 'ref-4']) shows(reference);
    await poll();
    expect(payout(1)).toMatchObject({
      status: 'completed',
      contradictions: [{ code: 'changed_after_end', disbursementId: 'd-ref-1', observed: 'failed' }],
    });
    expect(asked).toEqual(['page 1', 'page 1']);
  });

  it.each<[PayoutStatus, string, string]>([
    ['ready', 'quarantined', 'found_unposted'],
    ['rejected', 'rejected', 'made_after_all'],
    ['canceled', 'canceled', 'made_after_all'],
    ['unknown', 'unknown', 'left to ResolveChunk'],
    ['submitting', 'submitting', 'left to ResolveChunk'],
  ])('show a disbursement of one that is %s: it is %s (%s)', async (status, expected, code) => {
    const { scene, shows, poll, payout, without } = await underWay();
    without(3, { status });
    for (const reference of ['ref-1', 'ref-2', 'ref-3', 'ref-4']) shows(reference);
    await poll();
    const { status: standing, reason, contradictions = [] } = payout(3) ?? {};
    expect(standing).toBe(expected);
    const told = contradictions[0]?.code ?? reason?.code ?? 'left to ResolveChunk';
    expect(told).toBe(code);
    expect(scene.posted).toHaveLength(1);
  });

  it('tell nothing of a duplicate by the disbursement of the payout that holds its reference', async () => {
    const { scene, shows, poll, payout, without } = await underWay();
    without(3, { status: 'rejected', heldBy: 'b-0' });
    for (const reference of ['ref-1', 'ref-2', 'ref-3', 'ref-4']) shows(reference);
    await poll();
    expect(payout(3)).not.toHaveProperty('contradictions');
    expect(scene.alarms).toEqual([]);
  });
});

describe('a payout that the provider knows although nothing is posted for it', () => {
  const released = async (cancel: boolean) => {
    const scene = createChunkScene('crypto', 2);
    scene.answers.push(() => ({ kind: 'not_sent', cause: 'refused' }));
    const output = await submitChunk(scene.dependencies, scene.input, scene.invocation);
    const [first] = scene.ledger.payouts.values();
    if (first === undefined) throw new Error('no payout');
    await scene.ledger.movePayout(first, payoutTransitions.quarantineUnposted);
    if (cancel) await scene.ledger.requestCancel(batchId, 'arn:person');
    scene.answers.push(scene.accept);
    return { scene, output };
  };

  it('is left out of the calls, and the others of its chunk are submitted', async () => {
    const { scene, output } = await released(false);
    await submitChunk(scene.dependencies, output, scene.invocation);
    expect(scene.posted).toEqual([['ref-1', 'ref-2'], ['ref-2']]);
    expect(scene.statuses()).toEqual(['quarantined', 'pending']);
  });

  it('rests with a person when its batch is canceled', async () => {
    const { scene, output } = await released(true);
    const submitted = await submitChunk(scene.dependencies, output, scene.invocation);
    expect(scene.statuses()).toEqual(['quarantined', 'canceled']);
    scene.lookups.set('ref-1', [{ kind: 'found', disbursement: scene.disbursementOf('ref-1', { amount: '7' }) }]);
    const polled = await pollChunk(scene.dependencies, submitted);
    expect(polled.next).toBe('done');
    expect(scene.statuses()).toEqual(['quarantined', 'canceled']);
    expect(scene.posted).toHaveLength(1);
  });
});
