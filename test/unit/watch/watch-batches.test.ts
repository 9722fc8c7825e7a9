import { describe, expect, it } from 'vitest';
import type { Batch, Conversion } from '../../../functions/domain/batch/batch.ts';
import { InvariantBroken } from '../../../functions/domain/errors.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import { watchBatches } from '../../../functions/watch/watch-batches.ts';
import { createMemoryLedger } from '../../support/memory-ledger.ts';
import { currencyPlan, tally, thb, usdt } from '../../support/money.ts';
import { conversionBy } from '../../support/scenes/conversion-by.ts';
import { exampleBatch, exampleChunk, examplePlan } from '../../support/scenes/example-batch.ts';
import { silentLog } from '../../support/silent-log.ts';

const startedAt = Date.parse('2026-11-21T08:00:00Z');

const plan = examplePlan('b-1', 1, [
  currencyPlan({ rail: 'fiat', currency: 'THB', count: 1, amount: '10', fee: '0', largestAmount: '10', methods: [] }),
]);

const createScene = (changes: Partial<Batch> = {}, state: 'running' | 'over' | 'absent' = 'running') => {
  let now = startedAt;
  const ledger = createMemoryLedger(() => now);
  ledger.putBatch(exampleBatch('b-1', { plan, ...changes }));
  const alarms: string[] = [];
  const asked: string[] = [];
  const begun: string[] = [];
  const dependencies = {
    ledger: { ...ledger },
    workflow: {
      stateOf: async (name: string) => {
        asked.push(name);
        return state;
      },
      start: async (name: string) => {
        begun.push(name);
        return state === 'absent' ? ('started' as const) : state;
      },
    },
    settings: orchestratorSettings().parse({}),
    clock: () => now,
    log: { ...silentLog, alarm: (metric: string) => alarms.push(metric) },
  };
  return {
    ledger,
    alarms,
    asked,
    begun,
    dependencies,
    batch: () => ledger.batches.get('b-1'),
    watch: () => watchBatches(dependencies),
    /** A sweep ended now, and the next one is due immediately. */
    follow: () => ledger.writeFollow({ batchId: 'b-1', version: 0, nextSweepAt: new Date(now).toISOString() }),
    passSeconds: (seconds: number) => {
      now += seconds * 1000;
    },
  };
};

describe('a batch whose execution is over', () => {
  it.each(['accepted', 'validating', 'awaiting_funds', 'processing'] as const)(
    'is paused while %s, with an alarm and the next step',
    async (status) => {
      const scene = createScene({ status, executions: 2 }, 'over');
      await scene.watch();
      await scene.watch();
      expect(scene.batch()).toMatchObject({
        status: 'paused',
        resumeTo: status,
        executionEnded: true,
        reason: { code: 'execution_stopped' },
      });
      expect(scene.alarms).toEqual(['BatchStuck', 'BatchWaits']);
      expect(scene.asked).toEqual(['b-1-2']);
    },
  );

  it('keeps the reason it was paused for', async () => {
    const reason = { code: 'paused_by_operator', message: 'paused' };
    const scene = createScene({ status: 'paused', resumeTo: 'processing', reason }, 'over');
    await scene.watch();
    expect(scene.batch()).toMatchObject({ status: 'paused', reason, executionEnded: true });
  });

  it('is not paused when it ended well since it was read', async () => {
    const scene = createScene({}, 'over');
    scene.dependencies.workflow.stateOf = async () => {
      scene.ledger.putBatch(exampleBatch('b-1', { status: 'completed', executionEnded: true }));
      return 'over';
    };
    await scene.watch();
    expect(scene.batch()?.status).toBe('completed');
    expect(scene.alarms).toEqual([]);
  });

  it('is not paused when a person has resumed it in another execution since it was read', async () => {
    const scene = createScene({}, 'over');
    scene.dependencies.workflow.stateOf = async () => {
      scene.ledger.putBatch(exampleBatch('b-1', { plan, executions: 2 }));
      return 'over';
    };
    await scene.watch();
    expect(scene.batch()).toMatchObject({ status: 'processing', executions: 2 });
    expect(scene.alarms).toEqual([]);
  });

  it('raises an alarm when it was never started, after the time for a start', async () => {
    const scene = createScene({ status: 'accepted' }, 'absent');
    scene.passSeconds(60);
    await scene.watch();
    expect(scene.alarms).toEqual([]);
    scene.passSeconds(61);
    await scene.watch();
    expect(scene.alarms).toEqual(['BatchStuck']);
  });

  it.each([
    ['runs', { status: 'processing' }],
    ['has ended', { status: 'completed' }],
    ['has said so itself', { status: 'processing', executionEnded: true }],
  ] as const)('does not count when it %s', async (_name, changes) => {
    const scene = createScene(changes, 'running');
    await scene.watch();
    expect(scene.alarms).toEqual([]);
    expect(scene.batch()).toMatchObject(changes);
  });
});

describe('a batch with a start time', () => {
  const scheduled = { status: 'scheduled', executions: 2, startAt: '2026-11-21T16:00:00+07:00' } as const;

  it('waits until then without a start or an alarm', async () => {
    const scene = createScene(scheduled, 'absent');
    scene.passSeconds(3500);
    await scene.watch();
    expect([scene.begun, scene.asked, scene.alarms]).toEqual([[], [], []]);
    expect(scene.batch()).toMatchObject(scheduled);
  });

  it('is begun when no schedule did, with an alarm when it stays scheduled', async () => {
    const scene = createScene(scheduled, 'absent');
    scene.passSeconds(3600);
    await scene.watch();
    expect([scene.begun, scene.alarms]).toEqual([['b-1-2'], []]);
    scene.passSeconds(1201);
    await scene.watch();
    expect([scene.begun, scene.alarms]).toEqual([['b-1-2', 'b-1-2'], ['BatchStuck']]);
    expect(scene.batch()).toMatchObject(scheduled);
  });
});

describe('a batch that needs a person', () => {
  const reason = { code: 'insufficient_balance', message: 'The balance is too low.' };
  const byOperator = { code: 'paused_by_operator', message: 'Paused.' };
  const statusSince = new Date(startedAt).toISOString();
  const nearlyOld = { ...examplePlan('b-1', 1, []), payableUntil: new Date(startedAt + 6 * 86_400_000).toISOString() };

  it.each([
    ['paused by itself', { status: 'paused', reason }, 0],
    ['paused by itself, its execution over', { status: 'paused', reason, executionEnded: true }, 0],
    ['awaiting funds for longer than until it looks again', { status: 'awaiting_funds', reason }, 301],
    [
      'paused by an operator, with days left to resume it',
      { status: 'paused', reason: byOperator, plan: nearlyOld },
      0,
    ],
  ] as const)('raises an alarm at every run while it is %s', async (_name, changes, seconds) => {
    const scene = createScene({ ...changes, statusSince });
    scene.passSeconds(seconds);
    await scene.watch();
    await scene.watch();
    expect(scene.alarms).toEqual(['BatchWaits', 'BatchWaits']);
    expect(scene.batch()).toMatchObject(changes);
  });

  it.each([
    ['awaits funds that may be there at its next look', { status: 'awaiting_funds', reason }],
    ['is paused by an operator', { status: 'paused', reason: byOperator }],
    ['is being canceled', { status: 'paused', reason, cancelRequestedAt: statusSince }],
  ] as const)('is not one that %s', async (_name, changes) => {
    const scene = createScene({ ...changes, statusSince });
    scene.passSeconds(60);
    await scene.watch();
    expect(scene.alarms).toEqual([]);
  });

  it('has a separate alarm when it awaits approval, and does not count as stuck', async () => {
    const scene = createScene({ status: 'pending_approval', reason, statusSince }, 'running');
    scene.passSeconds(70 * 3600);
    await scene.watch();
    expect(scene.alarms).toEqual(['BatchAwaitsApproval']);
    expect(scene.batch()).toMatchObject({ status: 'pending_approval' });
  });

  it('is not one that awaits approval, but is being canceled', async () => {
    const cancelRequestedAt = '2026-01-04T09:00:00.000Z';
    const scene = createScene({ status: 'pending_approval', reason, statusSince, cancelRequestedAt }, 'running');
    await scene.watch();
    expect(scene.alarms).toEqual([]);
  });

  it('is not one that ended since the index was read', async () => {
    const scene = createScene({ status: 'completed', reason, statusSince }, 'over');
    scene.dependencies.ledger.listOpenBatches = async () => ['b-1'];
    await scene.watch();
    expect(scene.alarms).toEqual([]);
    expect(scene.asked).toEqual([]);
  });
});

describe('fees', () => {
  it.each([
    ['as estimated raise no alarm', '1', []],
    ['far beyond the estimate raise an alarm', '140000', ['FeesBeyondEstimate']],
  ])('%s while the batch continues', async (_, fee, alarms) => {
    const scene = createScene({ fees: [{ rail: 'fiat', fee: thb('1'), source: 'payment_methods' }] });
    const tallies = { pending: tally(1, '10', fee, 'THB') };
    scene.ledger.putChunk(exampleChunk('b-1', { currency: 'THB', tallies }));
    await scene.watch();
    expect(scene.alarms).toEqual(alarms);
  });
});

describe('payouts that wait to be submitted', () => {
  const statusSince = new Date(startedAt).toISOString();
  const readySince = (seconds: number) =>
    exampleChunk('b-1', {
      tallies: { ready: tally(1, '10') },
      registeredAt: new Date(startedAt + seconds * 1000).toISOString(),
    });
  const submitted = exampleChunk('b-1', { tallies: { pending: tally(1, '10') } });

  it.each([
    ['an hour, though the batch may submit', { statusSince }, readySince(0), 3601, ['PayoutsNotSubmitted']],
    ['less than an hour', { statusSince }, readySince(1), 3601, []],
    [
      'an hour, but the batch may submit for less',
      { statusSince: '2026-11-21T08:00:01.000Z' },
      readySince(0),
      3601,
      [],
    ],
    ['an hour without being registered', { statusSince }, undefined, 3601, ['PayoutsNotSubmitted']],
    ['less than an hour without being registered', { statusSince }, undefined, 3600, []],
    ['no time: they are with the provider', { statusSince }, submitted, 36_000, []],
    [
      'an hour in a batch that is being canceled',
      { statusSince, cancelRequestedAt: statusSince },
      readySince(0),
      3601,
      [],
    ],
  ] as const)('for %s', async (_name, changes, record, seconds, alarms) => {
    const scene = createScene(changes);
    if (record !== undefined) scene.ledger.putChunk(record);
    scene.passSeconds(seconds);
    await scene.follow();
    await scene.watch();
    expect(scene.alarms).toEqual(alarms);
  });

  it('raise no alarm for a paused batch, which has its own', async () => {
    const scene = createScene({ status: 'paused', statusSince, reason: { code: 'halted', message: 'Halted.' } });
    scene.ledger.putChunk(readySince(0));
    scene.passSeconds(3601);
    await scene.watch();
    expect(scene.alarms).toEqual(['BatchWaits']);
  });
});

describe('a batch that disburses', () => {
  it.each([
    ['half an hour', 1800, []],
    ['longer', 1801, ['BatchNotFollowed']],
  ] as const)('with its next sweep late by %s', async (_name, seconds, alarms) => {
    const scene = createScene({ status: 'processing', statusSince: new Date(startedAt).toISOString() });
    scene.ledger.putChunk(exampleChunk('b-1', { tallies: { pending: tally(1, '10') } }));
    await scene.follow();
    scene.passSeconds(seconds);
    await scene.watch();
    expect(scene.alarms).toEqual(alarms);
  });

  it('is late from its start when no sweep ever came, and not while it is paused', async () => {
    const changes = { statusSince: new Date(startedAt).toISOString() };
    const never = createScene({ ...changes, status: 'processing' });
    const paused = createScene({ ...changes, status: 'paused', reason: { code: 'halted', message: 'Halted.' } });
    for (const scene of [never, paused]) {
      scene.ledger.putChunk(exampleChunk('b-1', { tallies: { pending: tally(1, '10') } }));
      scene.passSeconds(1801);
      await scene.watch();
    }
    expect(never.alarms).toEqual(['BatchNotFollowed']);
    expect(paused.alarms).toEqual(['BatchWaits']);
  });

  it.each([
    ['in time', 1800, []],
    ['late', 1801, ['BatchNotFollowed']],
  ] as const)('is %s after it was resumed, although its last sweep was hours ago', async (_name, seconds, alarms) => {
    const scene = createScene({ status: 'processing' });
    scene.ledger.putChunk(exampleChunk('b-1', { tallies: { pending: tally(1, '10') } }));
    await scene.follow();
    scene.passSeconds(7200);
    const statusSince = new Date(scene.dependencies.clock()).toISOString();
    scene.ledger.putBatch(exampleBatch('b-1', { plan, status: 'processing', statusSince }));
    scene.passSeconds(seconds);
    await scene.watch();
    expect(scene.alarms).toEqual(alarms);
  });
});

describe('reserved money', () => {
  it('is returned when its batch has ended, and not before', async () => {
    const scene = createScene({ status: 'validating' });
    scene.ledger.putBatch(exampleBatch('b-2', { plan, status: 'validating' }));
    for (const batchId of ['b-1', 'b-2'])
      await scene.ledger.reserve(batchId, await scene.ledger.readFunds(['THB']), new Map([['THB', thb('10')]]));
    scene.ledger.putBatch(exampleBatch('b-1', { plan, status: 'canceled' }));
    await scene.watch();
    expect((await scene.ledger.readFunds(['THB']))[0]?.reservations).toEqual([{ batchId: 'b-2', amount: thb('10') }]);
  });
});

describe('reserved money of a paused batch', () => {
  it.each<[string, Partial<Batch>, number]>([
    ['is returned when its execution is over before it disburses', { resumeTo: 'validating', executionEnded: true }, 0],
    ['is left to an execution that still runs', { resumeTo: 'validating' }, 1],
    ['is kept by a batch that disburses', { resumeTo: 'processing', executionEnded: true }, 1],
  ])('%s', async (_name, changes, kept) => {
    const scene = createScene({ status: 'validating' }, 'running');
    await scene.ledger.reserve('b-1', await scene.ledger.readFunds(['THB']), new Map([['THB', thb('10')]]));
    scene.ledger.putBatch(exampleBatch('b-1', { plan, status: 'paused', ...changes }));
    await scene.watch();
    expect((await scene.ledger.readFunds(['THB']))[0]?.reservations).toHaveLength(kept);
  });
});

it('reserved money is kept when a person resumes the batch, and it disburses, just before it is returned', async () => {
  const scene = createScene({ status: 'validating' }, 'running');
  await scene.ledger.reserve('b-1', await scene.ledger.readFunds(['THB']), new Map([['THB', thb('10')]]));
  const paused = { plan, status: 'paused', resumeTo: 'validating', executionEnded: true } as const;
  scene.ledger.putBatch(exampleBatch('b-1', { ...paused, statusSince: '2026-11-21T08:00:00.000Z' }));
  const { reserve } = scene.ledger;
  scene.dependencies.ledger.reserve = async (...of) => {
    const statusSince = '2026-11-21T08:00:01.000Z';
    scene.ledger.putBatch(exampleBatch('b-1', { plan, status: 'processing', statusSince }));
    return reserve(...of);
  };
  await scene.watch();
  expect((await scene.ledger.readFunds(['THB']))[0]?.reservations).toHaveLength(1);
});

describe('a locked pair', () => {
  const conversionIn = (status: Conversion['status']): Conversion => ({
    batchId: 'b-1',
    n: 1,
    status,
    planned: { input: usdt('1'), output: thb('1'), fee: thb('0'), rate: '1' },
    quoteId: 'q',
    inputBalanceBefore: usdt('1'),
    outputBalanceBefore: thb('1'),
    claimId: 'c',
    claimedAt: new Date(startedAt).toISOString(),
  });

  it.each([
    ['an unknown conversion', 'unknown', 0, true, ['TreasuryLockStuck']],
    ['a conversion under way', 'claimed', 60, true, []],
    ['one with a claim that no run can still be working on', 'claimed', 120, true, ['TreasuryLockStuck']],
    ['one that has ended', 'completed', 0, false, []],
    ['one that an operator settled', 'not_made', 0, false, []],
    ['one about to be claimed', undefined, 60, true, []],
    ['one that was never claimed', undefined, 120, false, []],
  ] as const)('of %s', async (_name, status, age, staysLocked, alarms) => {
    const scene = createScene();
    await scene.ledger.lockPair(conversionBy('b-1'));
    if (status !== undefined) scene.ledger.putConversion(conversionIn(status));
    scene.passSeconds(age);
    await scene.watch();
    expect(scene.ledger.locks.size).toBe(staysLocked ? 1 : 0);
    expect(scene.alarms).toEqual(alarms);
  });

  it('is not taken from a holder that took it again meanwhile', async () => {
    const scene = createScene();
    await scene.ledger.lockPair(conversionBy('b-1'));
    scene.passSeconds(130);
    scene.dependencies.ledger.listPairLocks = async () => {
      const read = await scene.ledger.listPairLocks();
      await scene.ledger.lockPair(conversionBy('b-1'));
      return read;
    };
    await scene.watch();
    expect(scene.ledger.locks.size).toBe(1);
    expect(scene.alarms).toEqual([]);
  });
});

describe('a batch that cannot be read', () => {
  const unreadable = new InvariantBroken('ledger_item_unreadable');

  /** Of three batches the first is unreadable, the second waits for a person, and the third has ended. */
  const createThree = async () => {
    const scene = createScene({ status: 'validating' });
    const { ledger, dependencies } = scene;
    ledger.putBatch(exampleBatch('b-3', { plan, status: 'validating' }));
    for (const batchId of ['b-1', 'b-3'])
      await ledger.reserve(batchId, await ledger.readFunds(['THB']), new Map([['THB', thb('10')]]));
    const reason = { code: 'halted', message: 'Halted.' };
    ledger.putBatch(exampleBatch('b-2', { plan, status: 'paused', reason }));
    ledger.putBatch(exampleBatch('b-3', { plan, status: 'canceled' }));
    await ledger.lockPair(conversionBy('b-3'));
    scene.passSeconds(120);
    dependencies.ledger.getBatch = async (batchId) => {
      if (batchId === 'b-1') throw unreadable;
      return ledger.getBatch(batchId);
    };
    return scene;
  };

  it('holds up no other batch, no reservation and no lock, and the run ends with an error', async () => {
    const scene = await createThree();
    const warnings: unknown[] = [];
    scene.dependencies.log.warn = (code: string, fields?: object) => void warnings.push({ code, ...fields });
    await expect(scene.watch()).rejects.toThrow('1 batches or parts could not be watched');
    expect(scene.alarms).toEqual(['BatchWaits']);
    expect((await scene.ledger.readFunds(['THB']))[0]?.reservations).toMatchObject([{ batchId: 'b-1' }]);
    expect(scene.ledger.locks.size).toBe(0);
    expect(warnings).toContainEqual({ code: 'watch.failed', batchId: 'b-1', error: 'InvariantBroken' });
  });

  it('holds up no lock when it is the list of funds that cannot be read', async () => {
    const scene = await createThree();
    scene.dependencies.ledger.listFundedCurrencies = async () => {
      throw unreadable;
    };
    await expect(scene.watch()).rejects.toThrow('2 batches or parts could not be watched');
    expect(scene.ledger.locks.size).toBe(0);
  });
});
