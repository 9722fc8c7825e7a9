import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  isEnd,
  observedStatuses,
  payoutStatuses,
  payoutTransitions,
} from '../../../functions/domain/payout/payout-status.ts';
import { apply } from '../../../functions/payouts/apply.ts';
import { follow } from '../../../functions/payouts/decide-by-evidence.ts';
import { weigh } from '../../../functions/payouts/evidence.ts';
import { runs } from '../../support/fast-loop.ts';
import { idr } from '../../support/money.ts';
import type { BatchScene } from '../../support/scenes/batch-scene.ts';
import { createBatchScene } from '../../support/scenes/batch-scene.ts';

let scene: BatchScene;
beforeEach(async () => {
  scene = await createBatchScene({ rows: 1 });
  for (const file of scene.files) await scene.ledger.registerPayouts(file);
  await scene.arrange(1, { status: 'pending', disbursementId: 'd-ref-1' });
});

/** Applies the provider's record to a payout as it was read, possibly long ago. */
const observe = (changes: Parameters<BatchScene['disbursementOf']>[1], read = scene.payout(1)) =>
  apply(scene.dependencies, read, follow(weigh(read, [scene.disbursementOf('ref-1', changes)])));

const writes = () => scene.commands.filter(({ name }) => !/Get|Query/.test(name)).length;

describe('applying a policy', () => {
  it('writes its move once, and returns the payout’s state', async () => {
    const before = writes();
    const applied = await observe({ status: 'completed' });
    expect(applied).toEqual({ payout: scene.payout(1), hasChanged: true });
    expect(applied.payout).toMatchObject({ status: 'completed', fee: idr('1') });
    expect(writes()).toBe(before + 1);
    expect(scene.alarms).toEqual([]);
  });

  it('writes and reads nothing when nothing is to be done', async () => {
    const before = scene.commands.length;
    expect(await observe({ status: 'pending' })).toMatchObject({ hasChanged: false });
    expect(scene.commands).toHaveLength(before);
  });

  it('alarms once for a quarantine, with its code', async () => {
    await observe({ amount: idr('3') });
    await observe({ amount: idr('3') });
    expect(scene.alarms).toEqual(['PayoutQuarantined']);
    expect(scene.lines).toContainEqual({ code: 'amount_differs', batchId: 'b-1', chunk: 1, row: 1 });
  });

  it('alarms for a quarantine without a reason', async () => {
    await scene.arrange(1, { status: 'ready', disbursementId: null });
    const move = { kind: 'move', transition: payoutTransitions.quarantineUnposted } as const;
    await apply(scene.dependencies, scene.payout(1), ({ status }) => (status === 'ready' ? move : undefined));
    expect(scene.lines).toContainEqual({ code: 'quarantined', batchId: 'b-1', chunk: 1, row: 1 });
  });

  it('leaves the alarm of a contradiction to its news, and writes a line into the timeline', async () => {
    await observe({ status: 'completed' });
    await observe({ status: 'failed' });
    await observe({ status: 'failed' });
    expect(scene.alarms).toEqual([]);
    expect(scene.payout(1)).toMatchObject({ status: 'completed', contradictions: [{ code: 'changed_after_end' }] });
    await scene.publishNews();
    expect(scene.alarms).toEqual(['PayoutChangedAfterEnd']);
    expect(await scene.events('payout.contradicted')).toMatchObject([
      { by: 'system', detail: 'ref-1 is completed; changed_after_end: d-ref-1 is failed' },
    ]);
  });

  it('writes the decider into the timeline, in the same transaction', async () => {
    await scene.arrange(1, { status: 'quarantined' });
    const move = { kind: 'move', transition: payoutTransitions.writeOff } as const;
    const audit = { code: 'payout.settled', by: 'arn:person', note: 'Ticket 4711' };
    const { payout } = await apply(
      scene.dependencies,
      scene.payout(1),
      ({ status }) => (status === 'quarantined' ? move : undefined),
      audit,
    );
    expect(payout.status).toBe('failed');
    expect(await scene.events('payout.settled')).toMatchObject([{ by: 'arn:person', note: 'Ticket 4711' }]);
  });
});

describe('a late writer', () => {
  it('finds another writer’s end, and keeps it', async () => {
    const read = scene.payout(1);
    await observe({ status: 'completed' });
    expect(await observe({ status: 'on_hold' }, read)).toMatchObject({
      payout: { status: 'completed' },
      hasChanged: false,
    });
    expect(scene.alarms).toEqual([]);
  });

  it('records contradictions of another writer’s end', async () => {
    const read = scene.payout(1);
    await observe({ status: 'failed' });
    expect(await observe({ status: 'completed' }, read)).toMatchObject({
      payout: { status: 'failed', contradictions: [{ observed: 'completed' }] },
      hasChanged: true,
    });
    await scene.publishNews();
    expect(scene.alarms).toEqual(['PayoutChangedAfterEnd']);
  });

  it('leaves a payout to the call that claimed it meanwhile, and adopts a matching disbursement', async () => {
    await scene.arrange(1, { status: 'ready', disbursementId: null });
    const read = scene.payout(1);
    await scene.arrange(1, { status: 'submitting', call: 1 });
    expect(await observe({}, read)).toMatchObject({ payout: { status: 'pending' } });
    expect(scene.alarms).toEqual([]);
  });

  it('does not undo the next call’s claim', async () => {
    await scene.arrange(1, { status: 'submitting', call: 1, disbursementId: null });
    const read = scene.payout(1);
    await scene.arrange(1, { status: 'submitting', call: 2 });
    const move = { kind: 'move', transition: payoutTransitions.provenAbsent, call: 1 } as const;
    const applied = await apply(scene.dependencies, read, ({ call }) => (call === 1 ? move : undefined));
    expect(applied).toMatchObject({ payout: { status: 'submitting', call: 2 }, hasChanged: false });
  });

  it('leaves a payout quarantined that was found unposted, until the next lookup', async () => {
    for (const status of observedStatuses) {
      await scene.arrange(1, { status: 'ready', disbursementId: null, reason: null });
      expect(await observe({ status })).toMatchObject({ payout: { reason: { code: 'found_unposted' } } });
      expect(scene.payout(1).status).toBe('quarantined');
    }
    expect(scene.alarms).toEqual(observedStatuses.map(() => 'PayoutQuarantined'));
  });

  it('gives up for now after three refusals in a row', async () => {
    const move = { kind: 'move', transition: payoutTransitions.returnClaim } as const;
    const before = writes();
    expect(await apply(scene.dependencies, scene.payout(1), () => move)).toMatchObject({ hasChanged: false });
    expect(writes()).toBe(before + 3);
  });

  it('ends after twenty writes, whatever the policy', async () => {
    await scene.arrange(1, { status: 'unknown', call: 1, disbursementId: null });
    await apply(scene.dependencies, scene.payout(1), () => ({ kind: 'count_absence' }));
    expect(scene.payout(1).absences).toBe(20);
  });
});

it('moves only upward, and is idempotent, even concurrently', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...payoutStatuses),
      fc.boolean(),
      fc.array(
        fc.record({
          status: fc.constantFrom(...observedStatuses),
          disbursementId: fc.constantFrom('d-ref-1', 'd-again'),
          amount: fc.constantFrom(idr('100.50'), idr('3')),
        }),
        { maxLength: 4 },
      ),
      async (status, isKnown, sightings) => {
        await scene.arrange(1, {
          status,
          disbursementId: isKnown ? 'd-ref-1' : null,
          contradictions: null,
          reason: null,
          fee: null,
        });
        for (const seen of sightings) {
          const before = scene.payout(1);
          await Promise.all([observe(seen), observe(seen, before)]);
          // A payout found unposted is looked up once more before it rests.
          if (before.status === 'ready') await observe(seen);
          const once = scene.payout(1);
          if (isEnd(before.status)) expect(once.status).toBe(before.status);
          if (before.status !== 'ready') expect(once.status).not.toBe('ready');
          await observe(seen);
          await observe(seen, before);
          expect(scene.payout(1)).toEqual(once);
          const recorded = (once.contradictions ?? []).map(({ code, disbursementId, observed }) =>
            [code, disbursementId, code === 'reference_used_twice' ? '' : observed].join(' '),
          );
          expect(new Set(recorded).size).toBe(recorded.length);
        }
      },
    ),
    { numRuns: runs(150) },
  );
});
