import { describe, expect, it } from 'vitest';
import type { Payout, Rail } from '../../../../functions/domain/payout/payout.ts';
import { submitChunk } from '../../../../functions/steps/submit-chunk.ts';
import { idr } from '../../../support/money.ts';
import type { BatchScene } from '../../../support/scenes/batch-scene.ts';
import { batchId } from '../../../support/scenes/batch-scene.ts';
import { registeredChunk } from '../../../support/scenes/registered-chunk.ts';
import { begun, submitted } from './follow-scene.ts';

/** Payments that another system creates at the same provider, each at its own time. */
const createOthers = (scene: BatchScene, count: number): void => {
  for (let index = 0; index < count; index += 1) {
    scene.passSeconds(0.001);
    scene.listed.add(
      scene.disbursementOf('ref-1', { disbursementId: `other-${scene.clock()}-${index}`, reference: `other-${index}` }),
    );
  }
};

describe('the list of changes', () => {
  it('shows changes in any chunk on one page, and writes nothing about the others', async () => {
    const { scene, sweep } = await submitted();
    scene.listed.settle('completed', 'ref-1', 'ref-6', 'ref-9', 'ref-12');
    scene.listed.ways.fails = (_what, about) => about !== 'all';
    scene.commands.length = 0;
    await sweep();
    expect(scene.listed.asked).toMatchObject({
      lists: ['changed all 1', ...Array(3).fill('created pending 1')],
      lookUps: [],
    });
    for (const row of [1, 6, 9, 12]) expect(scene.payout(row)).toMatchObject({ status: 'completed', fee: idr('1') });
    const updates = scene.commands
      .filter(({ name }) => name === 'UpdateCommand')
      .map(({ input }) => JSON.stringify(input));
    expect(updates.filter((text) => text.includes('PAYOUT#'))).toHaveLength(4);
    // Each chunk is counted once for all its moves.
    expect(updates.filter((text) => text.includes('"sk":"CHUNK#'))).toHaveLength(3);
  });

  it('is read only back to the last sweep, however long it is', async () => {
    const { scene, sweep } = await submitted({ chunks: 10, rows: 10, traits: { pageLimit: 10 } }, 40);
    scene.listed.settle('completed', 'ref-7');
    await sweep();
    expect(scene.payout(7).status).toBe('completed');
    // After a large batch only new ended payments are read.
    expect(scene.listed.asked.lists.filter((asked) => asked.startsWith('changed'))).toEqual([
      'changed completed 1',
      'changed failed 1',
    ]);
  });

  it('may show a change half a minute late, which is noticed within another half', async () => {
    const { scene, sweep } = await submitted({ rows: 20, traits: { pageLimit: 5 } }, 60);
    scene.listed.ways.fails = (_what, about) => !['all', 'completed', 'failed'].includes(about);
    // More than a page has changed since then.
    for (let row = 49; row <= 60; row += 1) {
      scene.passSeconds(1);
      scene.listed.settle('completed', `ref-${row}`);
    }
    await sweep();
    const late = scene.listed.kept.findIndex(({ reference }) => reference === 'ref-3');
    const updatedAt = new Date(scene.clock() - 30_000).toISOString();
    scene.listed.kept[late] = scene.disbursementOf('ref-3', { status: 'completed', updatedAt });
    scene.passSeconds(25);
    await sweep();
    expect(scene.payout(3).status).toBe('completed');
  });

  it('is read a few seconds back in quick sweeps, and half a minute back once in that time', async () => {
    const { scene, sweep } = await submitted(
      { rows: 20, traits: { pageLimit: 5 }, settings: { pollMaxSeconds: 5 } },
      60,
    );
    scene.listed.ways.fails = (_what, about) => !['all', 'completed', 'failed'].includes(about);
    scene.passSeconds(60);
    const pagesOf = async (...rows: readonly number[]) => {
      scene.passSeconds(6);
      scene.listed.settle('completed', ...rows.map((row) => `ref-${row}`));
      scene.listed.forgetAsked();
      await sweep();
      return scene.listed.asked.lists.filter((asked) => /changed (all|completed)/.test(asked)).length;
    };
    expect(await pagesOf(...Array.from({ length: 15 }, (_, index) => index + 1))).toBe(3);
    await pagesOf(21);
    expect(await pagesOf(22)).toBe(1);
    scene.passSeconds(30);
    expect(await pagesOf(23)).toBe(4);
    expect(scene.statuses().filter((status) => status === 'completed')).toHaveLength(18);
  });

  it('is read half a minute back only once a minute while so much changes that it fills many pages', async () => {
    const { scene, sweep } = await submitted(
      { rows: 30, traits: { pageLimit: 5 }, settings: { pollMaxSeconds: 5 } },
      90,
    );
    scene.listed.ways.fails = (_what, about) => !['all', 'completed', 'failed'].includes(about);
    const pagesAfter = async (seconds: number, ...rows: readonly number[]) => {
      scene.passSeconds(seconds);
      if (rows.length > 0) scene.listed.settle('completed', ...rows.map((row) => `ref-${row}`));
      scene.listed.forgetAsked();
      await sweep();
      return scene.listed.asked.lists.filter((asked) => /changed (all|completed)/.test(asked)).length;
    };
    await pagesAfter(60, 1);
    expect(await pagesAfter(6, ...Array.from({ length: 60 }, (_, index) => index + 2))).toBeGreaterThan(10);
    await pagesAfter(6, 70);
    expect(await pagesAfter(30, 71)).toBe(1);
    expect(await pagesAfter(30, 72)).toBeGreaterThan(10);
  });

  it('is read again by the next sweep when a shown payout’s call is not recorded yet', async () => {
    const { scene, sweep } = await submitted({ rows: 20, traits: { pageLimit: 5 } }, 60);
    scene.listed.ways.fails = (_what, about) => !['all', 'completed', 'failed'].includes(about);
    await scene.arrange(3, { status: 'submitting', disbursementId: null });
    scene.listed.settle('completed', 'ref-3');
    scene.passSeconds(6);
    scene.listed.settle('completed', 'ref-4', 'ref-5', 'ref-6', 'ref-7', 'ref-8', 'ref-9');
    await sweep();
    await scene.arrange(3, { status: 'pending', disbursementId: 'd-ref-3' });
    await sweep();
    expect(scene.payout(3).status).toBe('completed');
  });

  it('is read from some minutes before the batch began, because the provider’s clock may be behind', async () => {
    const { scene, run } = await begun({ chunks: 1, rows: 20, traits: { pageLimit: 5 } });
    await run.submitAll();
    for (const [index, one] of scene.listed.kept.entries()) {
      const updatedAt = new Date(scene.clock() - 240_000 - index).toISOString();
      scene.listed.kept[index] = { ...one, status: 'completed', providerStatus: 'completed', updatedAt };
    }
    scene.listed.ways.fails = (_what, about) => about !== 'all';
    await run.sweep();
    expect(scene.statuses()).toEqual(Array(20).fill('completed'));
  });

  it('counts as unread when it is too long: the rest is confirmed, and it is read again', async () => {
    const { scene, sweep } = await submitted({ traits: { pageLimit: 5 } });
    scene.listed.settle('completed', 'ref-2');
    for (let index = 0; index < 400; index += 1)
      scene.listed.add({
        ...scene.disbursementOf('ref-1', { disbursementId: `other-${index}`, reference: `other-${index}` }),
        status: 'completed',
        providerStatus: 'completed',
        updatedAt: new Date(scene.clock() + 60_000 + index).toISOString(),
      });
    const before = (await scene.ledger.readFollow(batchId)).lists?.fiat?.marks['all'];
    await sweep();
    const { marks } = (await scene.ledger.readFollow(batchId)).lists?.fiat ?? {};
    expect(marks?.['completed'] ?? marks?.['all']).toBe(before);
    expect(scene.payout(2).status).toBe('completed');
  });

  it('is read beyond one page when more has changed', async () => {
    const { scene, sweep } = await submitted({ traits: { pageLimit: 5 } });
    scene.listed.settle('completed');
    await sweep();
    expect(scene.statuses()).toEqual(Array(12).fill('completed'));
    expect(scene.listed.asked.lists.slice(0, 3)).toEqual(['changed all 1', 'changed all 2', 'changed all 3']);
  });

  it('is read ten pages on before its changes are recorded, because it grows meanwhile', async () => {
    const { scene, sweep } = await submitted({ traits: { pageLimit: 1 } });
    scene.listed.settle('completed');
    const recordedAtRead: number[] = [];
    scene.listed.ways.fails = (what) => {
      if (what === 'list') recordedAtRead.push(scene.statuses().filter((status) => status === 'completed').length);
      return false;
    };
    await sweep();
    expect(recordedAtRead).toEqual([...Array(10).fill(0), 10, 10, 12]);
    expect(scene.statuses()).toEqual(Array(12).fill('completed'));
  });

  it('causes no change for payments of other batches or of nobody', async () => {
    const { scene, sweep } = await submitted();
    const [file] = scene.files;
    if (file === undefined) throw new Error('no chunk');
    const other = {
      ...file,
      batchId: 'b-0',
      payouts: [
        {
          ...file.payouts[0],
          row: 1,
          reference: 'theirs',
          amount: '5',
          recipient: { kind: 'recipientId', recipientId: 'r' },
        },
      ],
    } as const;
    await scene.ledger.registerPayouts(other);
    for (const reference of ['theirs', 'nobody’s', 'REF-1'])
      scene.listed.add(scene.disbursementOf('ref-1', { reference, disbursementId: reference, status: 'completed' }));
    const { reference: _, ...unnamed } = scene.disbursementOf('ref-1', { disbursementId: 'unnamed' });
    scene.listed.add(unnamed);
    await sweep();
    expect((await registeredChunk(scene.ledger, 'b-0', 1)).payouts).toMatchObject([{ status: 'ready' }]);
    expect(scene.statuses().filter((status) => status === 'pending')).toHaveLength(12);
    expect(scene.alarms).toEqual([]);
  });

  it('has its contradictions counted by the next sweep when one broke off after recording them', async () => {
    const { scene, run, sweep } = await submitted({ chunks: 3, rows: 4, rail: 'crypto' });
    scene.listed.settle('failed', 'ref-1');
    scene.listed.settle('completed', 'ref-2', 'ref-3', 'ref-4');
    scene.passSeconds(60);
    await sweep();
    scene.passSeconds(120);
    scene.listed.settle('completed', 'ref-1');
    const { ledger } = scene.dependencies;
    const { refreshChunk } = ledger;
    ledger.refreshChunk = async () => {
      throw new Error('Broke off');
    };
    await expect(run.sweep()).rejects.toThrow('Broke off');
    ledger.refreshChunk = refreshChunk;
    expect(scene.payout(1).contradictions).toHaveLength(1);
    await run.sweep();
    const { contradictions } = await scene.ledger.readProgress(batchId, { consistent: true });
    expect(contradictions.recorded).toBe(1);
  });

  it('shows an ended payout’s change and a second disbursement, each recorded once', async () => {
    const { scene, sweep } = await submitted({ rail: 'crypto' });
    scene.listed.settle('completed', 'ref-1');
    scene.listed.add(scene.disbursementOf('ref-2', { disbursementId: 'd-again', status: 'completed' }));
    await sweep();
    scene.listed.settle('failed', 'ref-1');
    await sweep();
    await sweep();
    expect(scene.payout(1)).toMatchObject({ status: 'completed', contradictions: [{ code: 'changed_after_end' }] });
    expect(scene.payout(2)).toMatchObject({
      status: 'pending',
      contradictions: [{ code: 'reference_used_twice', disbursementId: 'd-again' }],
    });
    await scene.publishNews();
    expect(scene.alarms).toEqual(['PayoutChangedAfterEnd', 'PayoutChangedAfterEnd']);
    expect((await scene.record()).contradictions).toMatchObject({ recorded: 2, payouts: 2 });
    expect(scene.listed.asked.lookUps).toEqual([]);
  });

  it.each([
    ['ready', 'pending', 'quarantined', 'found_unposted'],
    ['ready', 'failed', 'quarantined', 'found_unposted'],
    ['ready', 'completed', 'quarantined', 'found_unposted'],
    ['rejected', 'pending', 'rejected', 'made_after_all'],
    ['canceled', 'failed', 'canceled', 'made_after_all'],
  ] as const)(
    'shows a disbursement of a payout that is %s: %s there, it becomes %s here (%s)',
    async (status, shown, expected, code) => {
      const { scene, run } = await submitted();
      await scene.arrange(3, { status, disbursementId: null, reason: null });
      scene.listed.settle(shown, 'ref-3');
      await run.sweep();
      const { status: standing, reason, contradictions = [] } = scene.payout(3);
      expect(standing).toBe(expected);
      expect(contradictions[0]?.code ?? reason?.code).toBe(code);
      expect(scene.posted).toHaveLength(3);
      expect(await scene.record()).toMatchObject({ tallies: { [expected]: { count: 1 } } });
    },
  );

  it.each(['unknown', 'submitting', 'quarantined'] as const)(
    'leaves a payout that is %s to the rules of doubt, because a page may show one of several',
    async (status) => {
      const { scene, run } = await submitted();
      await scene.arrange(3, { status, disbursementId: null });
      scene.listed.settle('completed', 'ref-3');
      await run.sweep();
      expect(scene.payout(3).status).toBe(status);
    },
  );

  it('shows the end of a quarantined payout with a known disbursement', async () => {
    const { scene, run } = await submitted();
    await scene.arrange(3, { status: 'quarantined' });
    scene.listed.settle('completed', 'ref-3');
    await run.sweep();
    expect(scene.payout(3).status).toBe('completed');
  });

  it('proves nothing about a rejected duplicate by the disbursement of its reference', async () => {
    const { scene, sweep } = await submitted();
    await scene.arrange(3, { status: 'rejected', heldBy: 'b-0', disbursementId: null });
    await sweep();
    expect(scene.payout(3)).not.toHaveProperty('contradictions');
    expect(scene.alarms).toEqual([]);
  });
});

describe('open payouts', () => {
  it('are looked up one by one when there are two or fewer', async () => {
    const { scene, sweep } = await submitted();
    scene.listed.settle('completed', ...Array.from({ length: 10 }, (_, index) => `ref-${index + 1}`));
    await sweep();
    scene.listed.forgetAsked();
    scene.listed.settle('completed', 'ref-11');
    await sweep();
    expect(scene.listed.asked).toMatchObject({ lists: [], lookUps: ['d-ref-11', 'd-ref-12'] });
    expect(scene.payout(11).status).toBe('completed');
  });

  it('are looked up one by one when the lists of open payments omit them, such as one on hold', async () => {
    const { scene, sweep } = await submitted();
    scene.listed.settle('on_hold', 'ref-4');
    for (let count = 0; count < 3; count += 1) await sweep();
    expect(scene.payout(4)).toMatchObject({ status: 'on_hold', reason: { code: 'provider_need_check' } });
    expect(new Set(scene.listed.asked.lookUps)).toEqual(new Set(['d-ref-4']));
  });

  it('are looked up although the lists show another payout in doubt of the chunk', async () => {
    const { scene, sweep } = await submitted({ chunks: 1, rows: 5 });
    await scene.arrange(3, { status: 'unknown', disbursementId: null });
    scene.listed.ways.fails = (what, about) => what === 'look_up' && about === 'ref-3';
    scene.passSeconds(300);
    createOthers(scene, 1);
    await sweep();
    // No change shows it.
    scene.listed.ways.keepsUpdatedAt = true;
    scene.listed.settle('completed', 'ref-2');
    for (let count = 0; count < 3; count += 1) await sweep();
    expect(scene.payout(2).status).toBe('completed');
  });

  it('are searched among the changes once more when many ended meanwhile', async () => {
    const { scene, sweep } = await submitted();
    scene.listed.ways.fails = (_what, about) => {
      // During the reading of the open lists.
      if (about === 'pending') scene.listed.settle('completed');
      return false;
    };
    await sweep();
    expect(scene.statuses()).toEqual(Array(12).fill('completed'));
    expect(scene.listed.asked).toMatchObject({
      lists: ['changed all 1', 'created pending 1', 'changed all 1'],
      lookUps: [],
    });
  });

  it('are not ended by a lookup that shows nothing', async () => {
    const { scene, sweep } = await submitted();
    scene.listed.kept.splice(0);
    for (let count = 0; count < 5; count += 1) await sweep();
    expect(scene.statuses()).toEqual(Array(12).fill('pending'));
    expect(scene.listed.asked.lookUps.length).toBeGreaterThanOrEqual(12);
  });
});

describe('while lists are too long, or the batch submits', () => {
  it.each<Rail>(['fiat', 'crypto'])('only ended payments are read, one list per status (%s)', async (rail) => {
    const { scene, run } = await begun({ rail });
    for (const chunk of [1, 2]) await submitChunk(scene.dependencies, scene.inputOf(chunk), scene.invocation);
    scene.listed.settle('completed', 'ref-5');
    scene.listed.settle('failed', 'ref-1');
    await run.sweep();
    expect(scene.payout(5).status).toBe('completed');
    expect(scene.payout(1).status).toBe('failed');
    const changes = scene.listed.asked.lists.filter((asked) => asked.startsWith('changed'));
    expect(changes).toEqual(
      scene.dependencies.provider.statusLists(rail, 'ended').map((status) => `changed ${status} 1`),
    );
  });

  it('nothing is lost between both ways of reading', async () => {
    const { scene, sweep } = await submitted({ traits: { pageLimit: 5 } });
    createOthers(scene, 200);
    scene.listed.settle('completed', 'ref-2');
    createOthers(scene, 200);
    await sweep();
    expect(scene.payout(2).status).toBe('completed');
    expect(scene.listed.asked.lists).toContain('changed completed 1');
    scene.listed.settle('completed', 'ref-9');
    await sweep();
    expect(scene.payout(9).status).toBe('completed');
    expect(scene.listed.asked.lists.length).toBeLessThan(80);
  });
});

describe('lists of open payments that others fill', () => {
  it('do not delay an end that no change showed beyond two hours', async () => {
    const { scene, run } = await submitted({ chunks: 3, rows: 84, traits: { pageLimit: 10 } });
    for (let other = 0; other < 1500; other += 1)
      scene.listed.add(scene.disbursementOf('ref-1', { disbursementId: `o-${other}`, reference: `o-${other}` }));
    scene.passSeconds(3600);
    scene.listed.settle('completed', 'ref-9');
    for (let count = 0; count < 5; count += 1) await run.goOn(await run.sweep());
    scene.listed.ways.keepsUpdatedAt = true;
    scene.listed.settle('completed', 'ref-10', 'ref-250');
    await run.forSeconds(2 * 3600);
    expect([scene.payout(10).status, scene.payout(250).status]).toEqual(['completed', 'completed']);
    expect(scene.lines.filter(({ code }) => code === 'follow.lists_too_long').length).toBeLessThan(10);
  });
});

describe('stale reads of the ledger', () => {
  it('adopt no payout that is in doubt by then, because a page may show one of several', async () => {
    const { scene, run } = await submitted({ rail: 'crypto', chunks: 1 });
    await scene.arrange(1, { status: 'unknown', disbursementId: null, fee: null });
    const { ledger } = scene.dependencies;
    const { getPayouts, getPayoutsOf } = ledger;
    const old = (payouts: readonly Payout[]): readonly Payout[] =>
      payouts.map((payout) => (payout.row === 1 ? { ...payout, status: 'ready' } : payout));
    Object.assign(ledger, {
      getPayouts: async (...of: Parameters<typeof getPayouts>) => old(await getPayouts(...of)),
      getPayoutsOf: async (...of: Parameters<typeof getPayoutsOf>) => old(await getPayoutsOf(...of)),
    });
    scene.listed.ways.fails = (what) => what === 'look_up';
    scene.listed.settle('completed', 'ref-1');
    await run.sweep();
    expect(scene.payout(1).status).toBe('unknown');
  });
});

describe('an outage', () => {
  it('of one lookup has it repeated by the next sweep, not only by the next confirmation', async () => {
    const { scene, sweep } = await submitted({ traits: { pageLimit: 5 } });
    // Lists of bank transfers omit payouts on hold.
    scene.listed.settle('on_hold', 'ref-2');
    await sweep();
    scene.passSeconds(600);
    createOthers(scene, 10);
    await sweep();
    // The changes do not show its end either.
    scene.listed.ways.keepsUpdatedAt = true;
    scene.listed.settle('completed', 'ref-2');
    scene.passSeconds(3600);
    let questions = 0;
    scene.listed.ways.fails = (what) => {
      if (what === 'look_up') questions += 1;
      return what === 'look_up' && questions === 1;
    };
    await sweep();
    expect(questions).toBe(1);
    await sweep();
    expect(scene.payout(2).status).toBe('completed');
  });

  it.each([
    ['of the lists', 12],
    ['of single lookups', 2],
  ])('%s brings the next sweep soon, and one per minute while it lasts', async (_what, open) => {
    const { scene, run } = await submitted({ settings: { pollMaxSeconds: 300 } });
    for (let row = 1; row <= 12 - open; row += 1) scene.listed.settle('failed', `ref-${row}`);
    await run.goOn(await run.sweep());
    scene.passSeconds(3600);
    expect((await run.sweep()).waitSeconds).toBeGreaterThan(250);
    scene.listed.ways.fails = (what) => what !== 'proof';
    const waits: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      const output = await run.sweep();
      waits.push(output.waitSeconds);
      await run.goOn(output);
    }
    expect(waits).toEqual([5, 10, 20, 40, 60, 60, 60, 60]);
    scene.listed.ways.fails = () => false;
    expect((await run.sweep()).waitSeconds).toBeGreaterThan(250);
  });

  it('costs only a sweep', async () => {
    const { scene, run, sweep } = await submitted();
    scene.listed.ways.fails = () => true;
    scene.listed.settle('completed');
    expect(await run.sweep()).toMatchObject({ next: 'wait' });
    expect(scene.lines).toContainEqual(expect.objectContaining({ code: 'follow.provider_out', rail: 'fiat' }));
    expect(scene.statuses()).toEqual(Array(12).fill('pending'));
    scene.passSeconds(5);
    scene.listed.ways.fails = () => false;
    await sweep();
    expect(scene.statuses()).toEqual(Array(12).fill('completed'));
  });

  it('in the middle of the pages loses none of the unread ones', async () => {
    const { scene, sweep } = await submitted({ traits: { pageLimit: 5 } });
    scene.listed.settle('completed');
    let reads = 0;
    scene.listed.ways.fails = () => {
      reads += 1;
      return reads >= 2 && reads <= 4;
    };
    await sweep();
    expect(scene.statuses().filter((status) => status === 'completed')).toHaveLength(5);
    await sweep();
    expect(scene.statuses()).toEqual(Array(12).fill('completed'));
  });
});
