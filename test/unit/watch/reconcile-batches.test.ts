import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import { sumProgress } from '../../../functions/domain/batch/progress.ts';
import { InvariantBroken, ProviderUnavailable } from '../../../functions/domain/errors.ts';
import type { ObservedStatus } from '../../../functions/domain/payout/payout-status.ts';
import { reconcileAt } from '../../../functions/domain/payout/reconciliation.ts';
import { planOf } from '../../../functions/steps/as-step.ts';
import type { ReconcileDependencies } from '../../../functions/watch/reconcile-batches.ts';
import { reconcileBatches } from '../../../functions/watch/reconcile-batches.ts';
import { applyHint } from '../../../functions/webhooks/apply-hint.ts';
import { usdt } from '../../support/money.ts';
import type { SceneOptions } from '../../support/scenes/batch-scene.ts';
import { batchId, createBatchScene } from '../../support/scenes/batch-scene.ts';

const day = 86_400;

/** An ended batch with completed payouts, and a provider with other payments before and after them. */
const createEndedScene = async ({
  rows = 30,
  isMixed = false,
  ...options
}: SceneOptions & { readonly isMixed?: boolean } = {}) => {
  const traits = { pageLimit: 10, ...options.traits };
  const scene = await createBatchScene({ ...options, rows, traits });
  const { ledger, listed, dependencies } = scene;
  const [, second] = scene.files;
  const onCrypto = isMixed ? ({ rail: 'crypto', currency: 'usdt-tron' } as const) : {};
  if (second !== undefined) scene.files[1] = { ...second, ...onCrypto };
  const addOthers = (count: number, name: string): void => {
    for (let one = 0; one < count; one += 1)
      listed.add({ ...scene.disbursementOf('ref-1'), reference: `${name}-${one}`, disbursementId: `d-${name}-${one}` });
  };
  addOthers(200, 'before');
  scene.passSeconds(day);
  const references = scene.files.flatMap(({ payouts }) => payouts.map(({ reference }) => reference));
  for (const file of scene.files) await ledger.registerPayouts(file);
  scene.passSeconds(1);
  for (const reference of references) {
    const { destinationHash: _, ...disbursement } = scene.disbursementOf(reference, { status: 'completed' });
    const inCrypto = { rail: 'crypto', amount: usdt(disbursement.amount.amount), fee: usdt('1') } as const;
    listed.add({ ...disbursement, ...(isMixed && references.indexOf(reference) >= rows ? inCrypto : {}) });
  }
  scene.passSeconds(day);
  addOthers(200, 'after');
  for (const [index, reference] of references.entries())
    await scene.arrange(index + 1, { status: 'completed', disbursementId: `d-${reference}` });
  const end = async (): Promise<void> => {
    const { chunkVersions } = sumProgress(await ledger.listChunks(batchId), 0);
    const report = { resultsKey: 'r', evidenceKey: 'e', reportedAt: '', chunkVersions };
    const at = reconcileAt(new Date(scene.clock()).toISOString(), 0, dependencies.settings);
    const due = at === undefined ? {} : { reconcileAt: at };
    const { executions, executionEnded } = await scene.batch();
    if (executionEnded) await ledger.beginExecution(batchId, executions, 'system');
    await ledger.moveBatch(batchId, batchTransitions.complete, 'system', {
      report,
      endedExecution: executionEnded ? executions + 1 : executions,
      ...due,
    });
  };
  await end();
  listed.forgetAsked();
  const started: string[] = [];
  const workflow: ReconcileDependencies['workflow'] = {
    start: async (name) => {
      started.push(name);
      return 'started';
    },
  };
  return {
    ...scene,
    started,
    workflow,
    end,
    run: (remainingMs: () => number = () => 840_000, pace: ReconcileDependencies['pace'] = dependencies.pace) =>
      reconcileBatches({ ...dependencies, workflow, pace }, { remainingMs }),
    left: () => scene.table.items().filter(({ sk }) => String(sk).startsWith('RECONCILE#')),
  };
};

/** An ended batch, one of whose payouts came back. The provider answers four requests, then none until a pause is over. */
const createPausingScene = async (rows: number, pauseSeconds: number) => {
  const scene = await createEndedScene({ rows });
  scene.listed.settle('failed', 'ref-2');
  scene.passSeconds(day + 1);
  let answered = 0;
  let pausedUntil = 0;
  let waitedSeconds = 0;
  scene.listed.ways.fails = () => {
    if (scene.clock() < pausedUntil) return true;
    answered += 1;
    if (answered <= 4) return false;
    answered = 0;
    pausedUntil = scene.clock() + pauseSeconds * 1000;
    return true;
  };
  const pace: ReconcileDependencies['pace'] = {
    waitOutPause: async (_kind, withinMs) => {
      const waitMs = pausedUntil - scene.clock();
      if (waitMs <= 0 || waitMs > withinMs) return false;
      scene.passSeconds(waitMs / 1000);
      waitedSeconds += waitMs / 1000;
      return true;
    },
  };
  return {
    ...scene,
    waited: () => waitedSeconds,
    run: (leftMs = 840_000) => {
      const endsAt = scene.clock() + leftMs;
      return scene.run(() => endsAt - scene.clock(), pace);
    },
  };
};

describe('an ended batch', () => {
  it('is compared by pages after one, three and seven days only', async () => {
    const scene = await createEndedScene();
    const pages: number[] = [];
    for (let hour = 0; hour <= 9 * 24; hour += 1) {
      await scene.run();
      if (scene.listed.asked.lists.length > 0) pages.push(hour);
      scene.listed.forgetAsked();
      scene.passSeconds(day / 24);
    }
    expect(pages).toEqual([25, 73, 169]);
    expect(scene.listed.asked.lookUps).toEqual([]);
    expect(scene.left()).toEqual([]);
    expect(scene.alarms).toEqual([]);
    expect(scene.started).toEqual([]);
  });

  it('whose report found altered files is not reported anew until a person has restored them', async () => {
    const scene = await createEndedScene();
    const batch = await scene.batch();
    if (batch.report === undefined) throw new Error('no report');
    scene.ledger.putBatch({ ...batch, report: { ...batch.report, chunkVersions: 0 } });
    for (let hour = 0; hour <= 9 * 24; hour += 1) {
      await scene.run();
      scene.passSeconds(day / 24);
    }
    expect(scene.started).toEqual([]);
    expect(scene.left()).toEqual([]);
  });

  it('is not compared with the list of another account, which an alarm tells once for each comparison', async () => {
    const scene = await createEndedScene();
    const batch = await scene.batch();
    scene.ledger.putBatch({ ...batch, plan: { ...planOf(batch), account: 'former' } });
    scene.listed.settle('failed', 'ref-7');
    for (let hour = 0; hour <= 9 * 24; hour += 1) {
      await scene.run();
      scene.passSeconds(day / 24);
    }
    expect(scene.listed.asked).toMatchObject({ lists: [], lookUps: [] });
    expect(scene.alarms).toEqual(Array(3).fill('BatchNotReconciled'));
    expect(scene.left()).toEqual([]);
  });

  it.each([
    ['found in the first comparison', 12],
    ['found in the second comparison', 40],
    ['found in the last comparison', 100],
  ])('with a payout that is never answered for is compared all the same: a change %s', async (_case, changedAtHour) => {
    const scene = await createEndedScene();
    // A person settled it as paid, and the provider answers with another record.
    await scene.arrange(5, { status: 'completed', disbursementId: null });
    scene.listed.settle('failed', 'ref-5');
    const { lookUp } = scene.dependencies.provider;
    scene.dependencies.provider.lookUp = async (rail, id, ...rest) =>
      id === 'ref-5' ? { kind: 'unknown', cause: 'other_record' } : lookUp(rail, id, ...rest);
    for (let hour = 0; hour <= 20 * 24; hour += 4) {
      if (hour === changedAtHour) scene.listed.settle('failed', 'ref-9');
      await scene.run();
      scene.passSeconds(day / 6);
    }
    expect(scene.payout(9).contradictions).toHaveLength(1);
    expect(scene.started).not.toEqual([]);
    expect(scene.alarms).toContain('BatchNotReconciled');
    expect(scene.left()).toEqual([]);
  });

  it('is compared once its own account is deployed again', async () => {
    const scene = await createEndedScene();
    const batch = await scene.batch();
    const planned = (account: string) => scene.ledger.putBatch({ ...batch, plan: { ...planOf(batch), account } });
    planned('former');
    scene.listed.settle('failed', 'ref-7');
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.payout(7).contradictions).toBeUndefined();
    planned('listed');
    await scene.run();
    expect(scene.payout(7).contradictions).toHaveLength(1);
    expect(scene.alarms).toEqual([]);
  });

  it('is found among others on few pages, and sooner the next time', async () => {
    const scene = await createEndedScene();
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.listed.asked.lists.length).toBeLessThanOrEqual(1 + 6 + 3);
    scene.listed.forgetAsked();
    scene.passSeconds(2 * day);
    await scene.run();
    expect(scene.listed.asked.lists).toEqual(['created all 21', 'created all 22', 'created all 23']);
  });

  it('is not compared when no days are set', async () => {
    const scene = await createEndedScene({ settings: { reconcileAfterDays: [] } });
    expect(scene.left()).toEqual([]);
  });

  it.each<
    [string, { readonly keepsUpdatedAt?: boolean; readonly ignoresSort?: boolean; readonly ignoresStatus?: boolean }]
  >([
    ['as documented', {}],
    ['that hide when something changed', { keepsUpdatedAt: true, ignoresSort: true, ignoresStatus: true }],
  ])('whose payout the bank returns gets an alarm and a new report, with lists %s', async (_, ways) => {
    const scene = await createEndedScene();
    Object.assign(scene.listed.ways, ways);
    scene.listed.settle('failed', 'ref-7');
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.payout(7)).toMatchObject({
      status: 'completed',
      contradictions: [{ code: 'changed_after_end', disbursementId: 'd-ref-7', observed: 'failed' }],
    });
    expect((await scene.record()).contradictions).toMatchObject({ recorded: 1, payouts: 1 });
    await scene.publishNews();
    expect(scene.alarms).toEqual(['PayoutChangedAfterEnd']);
    expect(scene.started).toEqual(['b-1-2']);
    expect(scene.listed.asked.lookUps).toEqual([]);
    expect(await scene.events('batch.execution_started')).toMatchObject([{ by: 'system' }]);
  });

  it.each<[string, ObservedStatus, string, string[]]>([
    ['completes', 'completed', 'completed', ['b-1-3']],
    ['fails', 'failed', 'failed', ['b-1-3']],
    ['holds still', 'on_hold', 'on_hold', []],
  ])('whose held payout the provider %s', async (_, word, status, started) => {
    const scene = await createEndedScene();
    scene.listed.settle(word, 'ref-3');
    await scene.arrange(3, { status: 'on_hold' });
    await scene.end();
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.payout(3).status).toBe(status);
    expect(scene.started).toEqual(started);
    expect(scene.alarms).toEqual(status === 'on_hold' ? ['PayoutsHeld'] : []);
  });

  /** The hint of a webhook about these payouts that arrives now. */
  const applyHintAbout = async (scene: Awaited<ReturnType<typeof createEndedScene>>, ...candidates: string[]) => {
    const receivedAt = new Date(scene.clock()).toISOString();
    scene.passSeconds(1);
    const { dependencies } = scene;
    const unanswered = await applyHint(
      { ...dependencies, lookupWindowSeconds: 30 },
      { webhook: 'h', receivedAt, candidates },
    );
    expect(unanswered).toBeUndefined();
    scene.listed.forgetAsked();
  };

  it.each<[string, number[], ObservedStatus]>([
    ['fails after the last comparison', [1], 'failed'],
    ['is worked on after the last comparison', [1], 'pending'],
    ['fails, and no days are set', [], 'failed'],
  ])('whose held payout %s, as a webhook says, is reported anew', async (_, reconcileAfterDays, status) => {
    const scene = await createEndedScene({ settings: { reconcileAfterDays } });
    scene.listed.settle('on_hold', 'ref-3', 'ref-5', 'ref-6');
    for (const row of [3, 5, 6]) await scene.arrange(row, { status: 'on_hold' });
    await scene.end();
    scene.passSeconds(8 * day);
    await scene.run();
    await scene.run();
    expect(scene.left()).toEqual([]);
    scene.listed.settle(status, 'ref-3', 'ref-5', 'ref-6');
    await applyHintAbout(scene, 'ref-3', 'ref-5');
    await applyHintAbout(scene, 'ref-6');
    expect(scene.left()).toHaveLength(1);
    await scene.run();
    expect(scene.started).toEqual([]);
    scene.passSeconds(day / 24 + 60);
    await scene.run();
    expect([scene.started, scene.left(), scene.listed.asked.lists]).toEqual([['b-1-3'], [], []]);
  });

  it('is reported anew for a webhook before its next comparison, which stays due', async () => {
    const scene = await createEndedScene();
    scene.listed.settle('failed', 'ref-3');
    await applyHintAbout(scene, 'ref-3');
    scene.passSeconds(day / 24 + 60);
    await scene.run();
    expect([scene.started, scene.listed.asked.lists]).toEqual([['b-1-2'], []]);
    expect(scene.left()).toMatchObject([{ round: 0 }]);
  });

  it.each<[string, (what: string) => boolean, number]>([
    ['the provider shows no lists', (what) => what === 'list', 840_000],
    ['an overdue comparison uses up the run', () => false, 0],
  ])('is reported anew for a webhook although %s', async (_, fails, leftMs) => {
    const scene = await createEndedScene({ chunks: 2, isMixed: true });
    scene.passSeconds(day);
    scene.listed.settle('failed', 'ref-3');
    await applyHintAbout(scene, 'ref-3');
    scene.passSeconds(day / 24 + 60);
    scene.listed.ways.fails = fails;
    await scene.run(() => (scene.listed.asked.lists.length > 0 ? leftMs : 840_000));
    expect(scene.started).toEqual(['b-1-2']);
  });

  it('raises no alarm about held payouts that only a new report was due for', async () => {
    const scene = await createEndedScene();
    scene.listed.settle('on_hold', 'ref-5');
    await scene.arrange(5, { status: 'on_hold' });
    scene.listed.settle('failed', 'ref-3');
    await applyHintAbout(scene, 'ref-3');
    await scene.end();
    scene.passSeconds(day / 24 + 60);
    await scene.run();
    expect(scene.alarms).not.toContain('PayoutsHeld');
  });

  it('is not reported anew when a report after the webhook has shown its change', async () => {
    const scene = await createEndedScene();
    scene.listed.settle('failed', 'ref-3');
    await applyHintAbout(scene, 'ref-3');
    await scene.end();
    scene.passSeconds(day / 24 + 60);
    await scene.run();
    expect([scene.started, scene.left().length]).toEqual([[], 2]);
  });

  describe.each([3, 30])('of %i payouts', (rows) => {
    it.each<[string, Parameters<Awaited<ReturnType<typeof createEndedScene>>['arrange']>[1], string]>([
      ['failed', { status: 'failed' }, 'changed_after_end'],
      ['was canceled there', { status: 'canceled' }, 'changed_after_end'],
      ['was written off', { status: 'failed', disbursementId: null }, 'made_after_all'],
      [
        'was settled as not paid',
        { status: 'rejected', disbursementId: null, reason: { code: 'settled_not_paid', message: 'Settled.' } },
        'made_after_all',
      ],
    ])('shows that one which %s was paid after all', async (_, arranged, code) => {
      const scene = await createEndedScene({ rows });
      await scene.arrange(2, arranged);
      await scene.end();
      scene.passSeconds(day + 1);
      await scene.run();
      expect(scene.payout(2).status).toBe(arranged.status);
      expect(scene.payout(2).contradictions).toMatchObject([
        { code, disbursementId: 'd-ref-2', observed: 'completed' },
      ]);
      await scene.publishNews();
      expect(scene.alarms).toEqual(['PayoutChangedAfterEnd']);
      expect(scene.started).toEqual(['b-1-3']);
    });
  });

  describe('with a failed payout that the provider works on again', () => {
    const createUncompared = async () => {
      const scene = await createEndedScene();
      await scene.arrange(2, { status: 'failed' });
      await scene.end();
      scene.listed.settle('pending', 'ref-2');
      scene.passSeconds(day + 1);
      return scene;
    };

    /** Another payout came back too. */
    const createAlsoReturned = async () => {
      const scene = await createUncompared();
      scene.listed.settle('failed', 'ref-1');
      return scene;
    };

    /** It has been compared twice. */
    const createWorkedOn = async () => {
      const scene = await createUncompared();
      await scene.run();
      await scene.run();
      expect(scene.payout(2)).not.toHaveProperty('contradictions');
      expect(scene.left()).toMatchObject([{ round: 0 }]);
      const { chunk, row } = scene.payout(2);
      expect(scene.lines).toContainEqual({ code: 'reconcile.worked_on_again', batchId, chunk, row });
      return scene;
    };

    it('is not done until that payout has ended again', async () => {
      const scene = await createWorkedOn();
      scene.listed.settle('failed', 'ref-2');
      await scene.run();
      expect(scene.payout(2)).not.toHaveProperty('contradictions');
      expect(scene.left()).toMatchObject([{ round: 1 }]);
      expect(scene.alarms).toEqual([]);
    });

    it('notices that it is paid after all', async () => {
      const scene = await createWorkedOn();
      scene.listed.settle('completed', 'ref-2');
      await scene.run();
      await scene.publishNews();
      expect(scene.alarms).toEqual(['PayoutChangedAfterEnd']);
    });

    it('reports meanwhile that another payout came back, and still looks it up in each run', async () => {
      const scene = await createAlsoReturned();
      await scene.run();
      expect(scene.left()).toMatchObject([{ round: 0 }]);
      expect(scene.started).toEqual(['b-1-3']);
      scene.passSeconds(60);
      await scene.end();
      expect(scene.left()).toHaveLength(2);
      scene.listed.settle('completed', 'ref-2');
      scene.passSeconds(900);
      await scene.run();
      expect(scene.payout(2).contradictions).toHaveLength(1);
      // The new end's first comparison.
      expect(scene.left()).toHaveLength(1);
    });

    it('still looks it up after a run that broke off while it began the new report', async () => {
      const scene = await createAlsoReturned();
      const { start } = scene.workflow;
      const breakOff: typeof start = async (...execution) => {
        await start(...execution);
        throw new Error('Broke off');
      };
      Object.assign(scene.workflow, { start: breakOff });
      await expect(scene.run()).rejects.toThrow();
      Object.assign(scene.workflow, { start });
      scene.passSeconds(60);
      await scene.end();
      scene.listed.settle('completed', 'ref-2');
      scene.passSeconds(900);
      await scene.run();
      expect(scene.payout(2).contradictions).toHaveLength(1);
    });

    it('asks once in each run', async () => {
      const scene = await createWorkedOn();
      scene.listed.forgetAsked();
      await scene.run();
      expect(scene.listed.asked.lookUps).toHaveLength(1);
    });

    it('raises an alarm a day later', async () => {
      const scene = await createWorkedOn();
      scene.passSeconds(day);
      await scene.run();
      expect(scene.alarms).toEqual(['BatchNotReconciled']);
    });
  });

  /** Time for this many looks at the clock, and then none. */
  const timeFor = (looks: number) => {
    let left = looks;
    return () => {
      left -= 1;
      return left < 0 ? 0 : 840_000;
    };
  };

  it('goes on with what it has to look up singly, whatever changes and is reported meanwhile', async () => {
    const scene = await createEndedScene({ traits: { pageLimit: 0 } });
    await scene.arrange(25, { status: 'failed' });
    await scene.end();
    scene.listed.settle('failed', 'ref-2');
    scene.passSeconds(day + 1);
    let reported = 0;
    let runs = 0;
    for (; scene.payout(25).contradictions === undefined && runs < 10; runs += 1) {
      await scene.run(timeFor(14));
      if (scene.started.length > reported) {
        reported = scene.started.length;
        scene.passSeconds(60);
        await scene.end();
      }
      scene.passSeconds(900);
    }
    expect(reported).toBeGreaterThan(0);
    expect(runs).toBeLessThan(10);
  });

  it('does not report anew while its list is being read', async () => {
    const scene = await createEndedScene({ rows: 60, traits: { pageLimit: 2 } });
    scene.listed.settle('failed', 'ref-1');
    scene.passSeconds(day + 1);
    await scene.run(() => (scene.payout(1).contradictions === undefined ? 840_000 : 0));
    expect(scene.left()).toMatchObject([{ cursor: { rails: [{ page: expect.any(Number) }] } }]);
    expect(scene.started).toEqual([]);
    await scene.run();
    expect(scene.started).toEqual(['b-1-2']);
  });

  it.each(['settled_paid', 'settled_written_off'])(
    'is done although the provider works on a payout that an operator decided (%s)',
    async (code) => {
      const scene = await createEndedScene();
      const status = code === 'settled_paid' ? 'completed' : 'failed';
      await scene.arrange(2, { status, reason: { code, message: 'Decided.' } });
      await scene.end();
      scene.listed.settle('pending', 'ref-2');
      scene.passSeconds(day + 1);
      await scene.run();
      expect(scene.left()).toMatchObject([{ round: 1 }]);
      expect(scene.payout(2)).not.toHaveProperty('contradictions');
    },
  );

  it('counts a contradiction as soon as it is recorded, because other batches are released by the counts', async () => {
    const scene = await createEndedScene();
    scene.listed.settle('failed', 'ref-1');
    scene.passSeconds(day + 1);
    const counted: number[] = [];
    const { listDisbursements } = scene.dependencies.provider;
    scene.dependencies.provider.listDisbursements = async (query) => {
      if (scene.payout(1).contradictions !== undefined)
        counted.push((await scene.ledger.readProgress(batchId, { consistent: true })).contradictions.recorded);
      return listDisbursements(query);
    };
    await scene.run();
    expect(counted.length).toBeGreaterThan(0);
    expect(new Set(counted)).toEqual(new Set([1]));
  });

  it.each(['rejected', 'canceled'] as const)(
    'shows that a payout which was %s before it was submitted was made after all, if a page shows it',
    async (status) => {
      const scene = await createEndedScene();
      await scene.arrange(2, { status, disbursementId: null });
      await scene.end();
      scene.passSeconds(day + 1);
      await scene.run();
      expect(scene.payout(2).contradictions).toMatchObject([{ code: 'made_after_all', observed: 'completed' }]);
    },
  );

  it('shows that a payout was made twice, although both are completed', async () => {
    const scene = await createEndedScene();
    const at = scene.listed.kept.findIndex(({ reference }) => reference === 'ref-2');
    const first = scene.listed.kept[at];
    if (first === undefined) throw new Error('nothing was made');
    scene.listed.kept.splice(at, 0, { ...first, disbursementId: 'd-second' });
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.payout(2).contradictions).toMatchObject([
      { code: 'reference_used_twice', disbursementId: 'd-second', observed: 'completed' },
    ]);
  });

  it('looks up a payout of which the pages show only another disbursement', async () => {
    const scene = await createEndedScene();
    const at = scene.listed.kept.findIndex(({ reference }) => reference === 'ref-9');
    const own = scene.listed.kept[at];
    if (own === undefined) throw new Error('nothing was made');
    scene.listed.kept[at] = { ...own, disbursementId: 'd-second' };
    const { lookUp } = scene.dependencies.provider;
    scene.dependencies.provider.lookUp = async (rail, id) =>
      id === 'd-ref-9' ? { kind: 'found', disbursement: { ...own, status: 'failed' } } : lookUp(rail, id);
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.payout(9).contradictions).toMatchObject([
      { code: 'reference_used_twice', disbursementId: 'd-second' },
      { code: 'changed_after_end', disbursementId: 'd-ref-9', observed: 'failed' },
    ]);
  });

  it('looks up no payout whose reference another batch holds', async () => {
    const scene = await createEndedScene();
    await scene.arrange(2, { status: 'rejected', heldBy: 'b-0', disbursementId: null });
    await scene.end();
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.listed.asked.lookUps).toEqual([]);
    expect(scene.payout(2)).not.toHaveProperty('contradictions');
  });

  it.each(['rejected', 'canceled'] as const)('misses no payout that was never submitted and is %s', async (status) => {
    const scene = await createEndedScene();
    await scene.arrange(2, { status, disbursementId: null });
    scene.listed.kept.splice(
      scene.listed.kept.findIndex(({ reference }) => reference === 'ref-2'),
      1,
    );
    await scene.end();
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.listed.asked.lookUps).toEqual([]);
    expect(scene.lines.filter(({ code }) => code !== 'reconcile.done')).toEqual([]);
    expect([scene.started, scene.left().length]).toEqual([[], 1]);
  });

  it('needs a lookup for a quarantined payout, and for payouts on no page', async () => {
    const scene = await createEndedScene();
    await scene.arrange(3, { status: 'quarantined', disbursementId: null });
    const hidden = scene.listed.kept.findIndex(({ reference }) => reference === 'ref-9');
    const [own] = scene.listed.kept.splice(hidden, 1);
    if (own === undefined) throw new Error('nothing to hide');
    const { lookUp } = scene.dependencies.provider;
    scene.dependencies.provider.lookUp = async (rail, id) =>
      id === 'd-ref-9' ? { kind: 'found', disbursement: { ...own, status: 'failed' } } : lookUp(rail, id);
    await scene.end();
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.payout(3).status).toBe('completed');
    expect(scene.payout(9).contradictions).toMatchObject([{ observed: 'failed' }]);
    expect(scene.listed.asked.lookUps).toEqual(['ref-3']);
  });

  it.each([
    ['by pages', 30],
    ['one payout after another', 6],
  ])('is compared %s in one run by a provider that answers four requests in half a minute', async (_, rows) => {
    const scene = await createPausingScene(rows, 30);
    await scene.run();
    expect(scene.payout(2).contradictions).toMatchObject([{ observed: 'failed' }]);
    expect(scene.started).toEqual(['b-1-2']);
  });

  it.each([
    ['the provider demands a pause of hours', 7200, 840_000],
    ['half of the run is over', 30, 420_000],
  ])('waits for the next run when %s', async (_, pauseSeconds, leftMs) => {
    const scene = await createPausingScene(30, pauseSeconds);
    await scene.run(leftMs);
    expect([scene.started, scene.left().length, scene.waited()]).toEqual([[], 1, 0]);
  });

  it('is continued after a timeout, and no page is read twice', async () => {
    const scene = await createEndedScene({ rows: 65 });
    scene.listed.settle('failed', 'ref-55');
    scene.passSeconds(day + 1);
    const read: string[] = [];
    const asked: string[] = [];
    for (let runs = 0; runs < 20 && scene.started.length === 0; runs += 1) {
      let left = runs === 0 ? 12 : 3;
      await scene.run(() => {
        left -= 1;
        return left < 0 ? 0 : 840_000;
      });
      read.push(...scene.listed.asked.lists);
      asked.push(...scene.listed.asked.lookUps);
      scene.listed.forgetAsked();
    }
    expect(scene.payout(55).contradictions).toHaveLength(1);
    const own = [21, 22, 23, 24, 25, 26, 27].map((page) => `created all ${page}`);
    expect(read.slice(-7)).toEqual(own);
    expect(asked).toEqual([]);
  });

  it('waits while the provider is unavailable, with an alarm after a day', async () => {
    const scene = await createEndedScene();
    scene.listed.ways.fails = (what) => what === 'list';
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.alarms).toEqual([]);
    scene.passSeconds(day);
    await scene.run();
    expect(scene.alarms).toEqual(['BatchNotReconciled']);
    scene.listed.ways.fails = () => false;
    await scene.run();
    expect(scene.left()).toMatchObject([{ round: 1 }]);
  });

  it('is still compared when the provider is unavailable until its next comparison is due', async () => {
    const scene = await createEndedScene();
    scene.listed.settle('failed', 'ref-2');
    scene.listed.ways.fails = (what) => what === 'list';
    for (const days of [1, 3, 4]) {
      scene.passSeconds(days * day + 1);
      await scene.run();
      expect(scene.left()).toMatchObject([{ round: 0 }]);
    }
    scene.listed.ways.fails = () => false;
    await scene.run();
    expect(scene.payout(2).contradictions).toMatchObject([{ observed: 'failed' }]);
    expect(scene.left()).toMatchObject([{ round: 1 }]);
  });

  it('that ended again is compared by its new end', async () => {
    const scene = await createEndedScene();
    scene.passSeconds(day / 2);
    await scene.end();
    expect(scene.left()).toHaveLength(2);
    scene.passSeconds(day / 2 + 1);
    await scene.run();
    expect(scene.listed.asked.lists).toEqual([]);
    expect(scene.left()).toHaveLength(1);
    scene.passSeconds(day / 2);
    await scene.run();
    expect(scene.listed.asked.lists).not.toEqual([]);
  });

  it('with only fiat is compared although crypto was unavailable for the batch before it', async () => {
    const scene = await createEndedScene({ rows: 30, chunks: 2, isMixed: true });
    const { listDisbursements } = scene.dependencies.provider;
    scene.dependencies.provider.listDisbursements = async (query) => {
      if (query.rail === 'crypto') throw new ProviderUnavailable('out');
      return listDisbursements(query);
    };
    scene.passSeconds(day + 1);
    const { ledger } = scene;
    const ended: string[] = [];
    // A second batch with only the first chunk.
    const two: typeof ledger = {
      ...ledger,
      listDueReconciliations: async () =>
        (await ledger.listDueReconciliations()).flatMap((due) => [due, { ...due, batchId: 'b-2' }]),
      readReconciliation: async (of) => {
        const due = await ledger.readReconciliation({ ...of, batchId });
        return due && { ...due, batchId: of.batchId };
      },
      getBatch: async (id) => {
        const { report: _, ...batch } = await scene.batch();
        return { ...batch, batchId: id };
      },
      listChunks: async (id) =>
        (await ledger.listChunks(batchId)).filter(({ rail }) => id === batchId || rail === 'fiat'),
      getPayoutsOf: (_, chunk) => ledger.getPayoutsOf(batchId, chunk),
      keepReconciliation: async () => undefined,
      endReconciliation: async (due) => void ended.push(due.batchId),
    };
    const workflow: ReconcileDependencies['workflow'] = { start: async () => 'started' };
    await reconcileBatches({ ...scene.dependencies, ledger: two, workflow }, { remainingMs: () => 840_000 });
    expect(ended).toEqual(['b-2']);
  });

  it('that cannot be read holds up no other, and the run ends with an error', async () => {
    const scene = await createEndedScene();
    const { ledger } = scene;
    const one: typeof ledger = {
      ...ledger,
      listDueReconciliations: async () =>
        (await ledger.listDueReconciliations()).flatMap((due) => [{ ...due, batchId: 'b-0' }, due]),
      readReconciliation: async (of) => {
        if (of.batchId === 'b-0') throw new InvariantBroken('ledger_item_unreadable');
        return ledger.readReconciliation(of);
      },
    };
    const workflow: ReconcileDependencies['workflow'] = { start: async () => 'started' };
    scene.passSeconds(day + 1);
    await expect(
      reconcileBatches({ ...scene.dependencies, ledger: one, workflow }, { remainingMs: () => 840_000 }),
    ).rejects.toThrow('1 ended batches could not be compared');
    expect(scene.lines).toContainEqual({ code: 'reconcile.failed', batchId: 'b-0', error: 'InvariantBroken' });
    expect(scene.left()).toMatchObject([{ round: 1 }]);
  });

  it('leaves a quarantined payout while the provider shows it as pending, and follows it when it moves', async () => {
    const scene = await createEndedScene({ rows: 3 });
    const reason = { code: 'followed_too_long', message: '' };
    await scene.arrange(2, { status: 'quarantined', disbursementId: 'd-ref-2', reason });
    scene.listed.settle('pending', 'ref-2');
    await scene.end();
    scene.passSeconds(day + 1);
    await scene.run();
    expect([scene.payout(2).status, scene.started]).toEqual(['quarantined', []]);
    scene.listed.settle('on_hold', 'ref-2');
    scene.passSeconds(3 * day);
    await scene.run();
    expect([scene.payout(2).status, scene.started.length]).toEqual(['on_hold', 1]);
  });

  it('is compared again in the same run when the provider did not answer', async () => {
    const scene = await createEndedScene({ rows: 3 });
    scene.listed.settle('failed', 'ref-2');
    let failures = 2;
    scene.listed.ways.fails = (_, about) => about === 'd-ref-2' && failures-- > 0;
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.payout(2).contradictions).toHaveLength(1);
    expect(scene.left()).toMatchObject([{ round: 1 }]);
  });

  it('has its crypto payouts compared while a fiat payout gets no answer, and then that one', async () => {
    const scene = await createEndedScene({ rows: 3, chunks: 2, isMixed: true });
    scene.listed.settle('failed', 'ref-2', 'ref-5');
    scene.listed.ways.fails = (_, about) => about === 'd-ref-2';
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.payout(5).contradictions).toHaveLength(1);
    expect(scene.left()).toMatchObject([{ round: 0 }]);
    expect(scene.started).toEqual(['b-1-2']);
    scene.listed.ways.fails = () => false;
    scene.listed.forgetAsked();
    await scene.run();
    expect(scene.payout(2).contradictions).toHaveLength(1);
    expect(scene.listed.asked.lookUps).toEqual(['d-ref-2']);
    expect(new Set(scene.started)).toEqual(new Set(['b-1-2']));
  });

  it('has its crypto payouts compared while the list of fiat is unavailable', async () => {
    const scene = await createEndedScene({ rows: 30, chunks: 2, isMixed: true });
    const { listDisbursements } = scene.dependencies.provider;
    const asked: string[] = [];
    scene.dependencies.provider.listDisbursements = async (query) => {
      asked.push(query.rail);
      if (query.rail === 'fiat') throw new ProviderUnavailable('out');
      return listDisbursements(query);
    };
    scene.listed.settle('failed', 'ref-35');
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.payout(35).contradictions).toHaveLength(1);
    expect(scene.left()).toMatchObject([{ round: 0, cursor: { rails: [{ rail: 'fiat' }] } }]);
    asked.length = 0;
    await scene.run();
    expect(new Set(asked)).toEqual(new Set(['fiat']));
  });

  it('with few payouts needs a lookup of each', async () => {
    const scene = await createEndedScene({ rows: 3 });
    scene.listed.settle('failed', 'ref-2');
    scene.passSeconds(day + 1);
    await scene.run();
    expect(scene.listed.asked).toMatchObject({ lists: [], lookUps: ['d-ref-1', 'd-ref-2', 'd-ref-3'] });
    expect(scene.payout(2).contradictions).toHaveLength(1);
  });
});
