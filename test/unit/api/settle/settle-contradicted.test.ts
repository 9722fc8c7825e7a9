import { describe, expect, it } from 'vitest';
import { payoutView } from '../../../../functions/api/schemas/payout.ts';
import { batchId } from '../../../support/scenes/batch-scene.ts';
import { operator } from '../fixtures.ts';

import { problem, quarantined } from './settle-scene.ts';

describe('a payout that the provider contradicts', () => {
  const failedNow = { code: 'changed_after_end', disbursementId: 'd-ref-1', observed: 'failed' } as const;
  const canceledNow = { ...failedNow, observed: 'canceled' } as const;

  const contradicted = async () => {
    const world = await quarantined();
    await world.settle('paid');
    const record = async (found: typeof failedNow | typeof canceledNow) => {
      const payout = world.standing();
      if (payout === undefined) throw new Error('no payout');
      await world.scene.ledger.recordContradiction(payout, found);
    };
    await record(failedNow);
    await world.scene.ledger.refreshChunk(batchId, 1);
    const waiting = async () => (await world.scene.ledger.listChunks(batchId))[0]?.contradictions.payouts;
    return { ...world, record, waiting };
  };

  it('waits until an operator notes it once, in the audit trail, and keeps its status', async () => {
    const { scene, standing, settle, waiting } = await contradicted();
    scene.provider.lookUp = async () => {
      throw new Error('nobody need be asked');
    };
    expect(await waiting()).toBe(1);
    const first = await settle('noted');
    expect(first).toMatchObject({
      status: 200,
      body: { status: 'completed', contradictions: [{ ...failedNow, noted: true }] },
    });
    if (first.kind === 'answer') {
      expect(payoutView.parse(first.body)).toEqual(first.body);
      expect(first.body).not.toHaveProperty('wayOut');
    }
    expect(await settle('noted')).toEqual(first);
    expect(await waiting()).toBe(0);
    expect(standing()?.status).toBe('completed');
    expect(scene.ledger.events.filter(({ detail }) => detail?.includes('noted'))).toMatchObject([
      {
        code: 'payout.settled',
        by: operator,
        note: 'Ticket 4711',
        detail: 'ref-1 noted; changed_after_end: d-ref-1 is failed',
      },
    ]);
  });

  it('waits again when the provider shows something new', async () => {
    const { settle, record, waiting } = await contradicted();
    await settle('noted');
    await record(canceledNow);
    expect(await settle('paid')).toMatchObject({
      body: {
        wayOut: { code: 'payout_contradicted' },
        contradictions: [{ noted: true }, { ...canceledNow, noted: false }],
      },
    });
    expect(await waiting()).toBe(1);
  });

  it('is not noted when a new contradiction comes concurrently', async () => {
    const { scene, settle, record, waiting } = await contradicted();
    const { noteContradictions } = scene.ledger;
    scene.ledger.noteContradictions = async (...of) => {
      await record(canceledNow);
      return noteContradictions(...of);
    };
    expect(await settle('noted')).toMatchObject(problem('payout_conflict'));
    expect(await waiting()).toBe(1);
  });

  it.each([
    [1, 1, 'answer'],
    [2, 2, 'answer'],
    [2, 1, 'problem'],
    [1, 2, 'problem'],
  ])('with %d contradictions of which %d were read gives: %s', async (recorded, contradictions, kind) => {
    const { settle, record, waiting } = await contradicted();
    if (recorded === 2) await record(canceledNow);
    const outcome = await settle('noted', undefined, contradictions);
    expect(outcome.kind).toBe(kind);
    if (kind === 'problem') expect(outcome).toMatchObject(problem('payout_conflict'));
    expect(await waiting()).toBe(kind === 'problem' ? 1 : 0);
  });

  it('is noted once by several concurrent requests', async () => {
    const { scene, settle } = await contradicted();
    const outcomes = await Promise.all([settle('noted'), settle('noted'), settle('noted')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['answer', 'answer', 'answer']);
    expect(scene.ledger.events.filter(({ detail }) => detail?.includes('noted'))).toHaveLength(1);
  });

  it('cannot be noted without a contradiction', async () => {
    const { standing, settle } = await quarantined();
    expect(await settle('noted')).toMatchObject({
      ...problem('nothing_contradicts'),
      about: { payoutStatus: 'quarantined' },
    });
    expect(standing()?.status).toBe('quarantined');
  });

  it('is found by a lookup of an ended payout, and counted', async () => {
    const { standing, knows, settle, waiting } = await contradicted();
    knows({ status: 'canceled' });
    expect(await settle('as_provider_says')).toMatchObject({
      ...problem('payout_conflict'),
      about: { detail: expect.stringContaining('now shows canceled. Its contradictions record that') },
    });
    expect(standing()).toMatchObject({ status: 'completed', contradictions: [failedNow, canceledNow] });
    expect(await waiting()).toBe(1);
  });

  it('may show a second disbursement during settling', async () => {
    const { scene, standing, knows, settle } = await quarantined();
    knows({ status: 'pending' });
    expect(await settle('as_provider_says')).toMatchObject({ body: { status: 'pending' } });
    knows({ disbursementId: 'd-again', status: 'completed' });
    expect(await settle('as_provider_says')).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect(standing()?.contradictions).toMatchObject([{ code: 'reference_used_twice', disbursementId: 'd-again' }]);
    expect((await scene.ledger.listChunks(batchId))[0]?.contradictions).toMatchObject({ recorded: 1 });
  });
});
