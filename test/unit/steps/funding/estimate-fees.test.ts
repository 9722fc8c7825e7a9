import { describe, expect, it } from 'vitest';
import type { Batch } from '../../../../functions/domain/batch/batch.ts';
import { batchTransitions } from '../../../../functions/domain/batch/batch-status.ts';
import { ProviderMisconfigured, ProviderRefused, ProviderUnavailable } from '../../../../functions/domain/errors.ts';
import type { Rail } from '../../../../functions/domain/payout/payout.ts';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import type { CheckedProvider } from '../../../../functions/ports/provider-check.ts';
import { estimateBatchFees } from '../../../../functions/steps/funding/estimate-fees.ts';
import { minute } from '../../../support/durations.ts';
import { createMemoryLedger } from '../../../support/memory-ledger.ts';
import { currencyPlan, thb, usdt } from '../../../support/money.ts';
import { exampleBatch, examplePlan } from '../../../support/scenes/example-batch.ts';
import { silentLog } from '../../../support/silent-log.ts';

const ofRail = (rail: Rail) =>
  currencyPlan({
    rail,
    currency: rail === 'fiat' ? 'THB' : 'usdt-tron',
    count: 1,
    amount: '5',
    fee: '1',
    largestAmount: '5',
    methods: [],
  });

const out = new ProviderUnavailable('GET /v1/disbursement/crypto/estimate: status_502');

/** Batches to be priced, and the findings of a check of the provider. */
const createScene = () => {
  let now = Date.parse('2026-11-21T08:00:00Z');
  const ledger = createMemoryLedger(() => now);
  const asked: Rail[] = [];
  const state: {
    found: CheckedProvider;
    settingsHash: string;
    error: Error | undefined;
    meanwhile: () => unknown;
    checking: () => unknown;
  } = {
    found: { kind: 'fits' },
    settingsHash: 'as set',
    error: undefined,
    meanwhile: () => undefined,
    checking: () => undefined,
  };
  const run = (batchId: string, waits = 5) =>
    estimateBatchFees(
      {
        ledger,
        provider: {
          estimateFee: async (rail) => {
            if (rail === 'crypto' && state.error !== undefined) throw state.error;
            await state.meanwhile();
            return rail === 'crypto' ? usdt('2') : undefined;
          },
        },
        providerCheck: {
          settingsHash: state.settingsHash,
          run: async (rail) => {
            asked.push(rail);
            await state.checking();
            return state.found;
          },
        },
        settings: orchestratorSettings().parse({}),
        clock: () => now,
        log: silentLog,
      },
      { batchId, waits },
    );
  return {
    ledger,
    asked,
    state,
    run,
    pause: (batchId: string) => ledger.moveBatch(batchId, batchTransitions.pause, 'operator', {}),
    resume: (batchId: string) => ledger.moveBatch(batchId, batchTransitions.resumeAwaitingFunds, 'operator', {}),
    passMs: (ms: number) => {
      now += ms;
    },
    start: (batchId: string, rails: readonly Rail[] = ['fiat'], changes: Partial<Batch> = {}, waits = 5) => {
      const plan = examplePlan(batchId, 1, rails.map(ofRail));
      ledger.putBatch(exampleBatch(batchId, { status: 'validating', plan, ...changes }));
      return run(batchId, waits);
    },
    feesOf: (batchId: string) => ledger.batches.get(batchId)?.fees,
    stateOf: (batchId: string) => {
      const batch = ledger.batches.get(batchId);
      return [batch?.status, batch?.reason?.code, batch?.reason?.message];
    },
  };
};

describe('EstimateFees', () => {
  it('records the cost of the payouts of both rails', async () => {
    const scene = createScene();
    expect(await scene.start('b-1', ['fiat', 'crypto'])).toEqual({ batchId: 'b-1', next: 'fund' });
    expect(scene.feesOf('b-1')).toMatchObject([
      { rail: 'fiat', fee: thb('1') },
      { rail: 'crypto', fee: usdt('2') },
    ]);
  });

  it('stops a batch whose provider does not match the settings, with the repair, and checks again at the retry', async () => {
    const scene = createScene();
    scene.state.found = { kind: 'unfit', problem: 'fiat list: page size: 401. Mend the secret.' };
    await expect(scene.start('b-1')).rejects.toThrow(
      new ProviderMisconfigured('fiat list: page size: 401. Mend the secret.'),
    );
    expect(scene.feesOf('b-1')).toBeUndefined();
    scene.state.found = { kind: 'fits' };
    expect(await scene.run('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.asked).toEqual(['fiat', 'fiat']);
  });

  it('lets a batch continue when the provider does not answer, and checks again at the next', async () => {
    const scene = createScene();
    scene.state.found = { kind: 'unanswered' };
    expect(await scene.start('b-1')).toMatchObject({ next: 'fund' });
    await scene.start('b-2');
    expect(scene.asked).toEqual(['fiat', 'fiat']);
  });

  it('checks once an hour, however many batches start', async () => {
    const scene = createScene();
    await scene.start('b-1');
    scene.passMs(60 * minute - 1);
    await scene.start('b-2');
    expect(scene.asked).toEqual(['fiat']);
    scene.passMs(1);
    await scene.start('b-3');
    expect(scene.asked).toEqual(['fiat', 'fiat']);
  });

  it('counts that hour from the beginning of a check that took long', async () => {
    const scene = createScene();
    scene.state.checking = () => scene.passMs(minute);
    await scene.start('b-1');
    scene.passMs(59 * minute);
    await scene.start('b-2');
    expect(scene.asked).toEqual(['fiat', 'fiat']);
  });

  it('checks each rail of a batch, and again once the settings change', async () => {
    const scene = createScene();
    await scene.start('b-1');
    await scene.start('b-2', ['fiat', 'crypto']);
    expect(scene.asked).toEqual(['fiat', 'crypto']);
    scene.state.settingsHash = 'set anew';
    await scene.start('b-3');
    expect(scene.asked).toEqual(['fiat', 'crypto', 'fiat']);
  });

  it('makes a batch wait while the provider is out: briefly at first, then as long as for money', async () => {
    const scene = createScene();
    scene.state.error = out;
    expect(await scene.start('b-1', ['fiat', 'crypto'])).toEqual({ batchId: 'b-1', next: 'wait', waitSeconds: 15 });
    expect(scene.stateOf('b-1')).toEqual([
      ...['awaiting_funds', 'provider_unavailable'],
      'The provider gave no estimate of the fees (GET /v1/disbursement/crypto/estimate: status_502).',
    ]);
    scene.passMs(5 * minute);
    expect(await scene.run('b-1')).toEqual({ batchId: 'b-1', next: 'wait', waitSeconds: 300 });
    scene.state.error = undefined;
    expect(await scene.run('b-1')).toEqual({ batchId: 'b-1', next: 'fund' });
    expect(scene.feesOf('b-1')).toHaveLength(2);
    const { items } = await scene.ledger.listTimeline('b-1', { limit: 20 });
    expect(items.filter(({ code }) => code === 'batch.awaiting_funds')).toHaveLength(1);
  });

  it('checks both rails at once, so that a provider that hangs leaves time for the estimate', async () => {
    const scene = createScene();
    const both = Promise.withResolvers<void>();
    scene.state.checking = () => {
      if (scene.asked.length === 2) both.resolve();
      return both.promise;
    };
    expect(await scene.start('b-1', ['fiat', 'crypto'])).toMatchObject({ next: 'fund' });
  });

  it.each<[string, Error, Partial<Batch>]>([
    ['the settings are wrong', new ProviderMisconfigured('unreadable_body'), {}],
    ['the provider refuses', new ProviderRefused('status_401'), {}],
    ['the provider is out in a preview, which a person waits for', out, { mode: 'preview' }],
    ['the provider is out, and a batch without fees is paid already', out, { status: 'processing' }],
    [
      'the provider is out, and a batch without fees was paused while it was paid',
      out,
      { status: 'paused', resumeTo: 'processing' },
    ],
  ])('fails when %s', async (_, error, changes) => {
    const scene = createScene();
    scene.state.error = error;
    await expect(scene.start('b-1', ['crypto'], changes)).rejects.toBe(error);
    expect(scene.stateOf('b-1')).toEqual([changes.status ?? 'validating', undefined, undefined]);
  });

  it('tells nobody of an outage of 75 seconds', async () => {
    const scene = createScene();
    scene.state.error = out;
    expect(await scene.start('b-1', ['crypto'], {}, 0)).toEqual({ batchId: 'b-1', next: 'wait', waitSeconds: 15 });
    expect(await scene.run('b-1', 4)).toMatchObject({ next: 'wait', waitSeconds: 15 });
    expect(scene.stateOf('b-1')).toEqual(['validating', undefined, undefined]);
    expect(await scene.run('b-1', 5)).toMatchObject({ next: 'wait', waitSeconds: 15 });
    expect(scene.stateOf('b-1').slice(0, 2)).toEqual(['awaiting_funds', 'provider_unavailable']);
  });

  it('estimates the fees of a batch that was paused while it waited for the provider only after its resume', async () => {
    const scene = createScene();
    scene.state.error = out;
    await scene.start('b-1', ['crypto']);
    await scene.pause('b-1');
    scene.state.error = undefined;
    // It has no fees while it is paused, so it must not go on to PlanFunding.
    expect(await scene.run('b-1')).toEqual({ batchId: 'b-1', next: 'wait', waitSeconds: 300 });
    await scene.resume('b-1');
    expect(await scene.run('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.feesOf('b-1')).toHaveLength(1);
  });

  it('does not go on without fees when a person pauses the batch during the estimate', async () => {
    const scene = createScene();
    scene.state.error = out;
    await scene.start('b-1', ['crypto']);
    scene.state.error = undefined;
    scene.state.meanwhile = () => scene.pause('b-1');
    expect(await scene.run('b-1')).toEqual({ batchId: 'b-1', next: 'wait', waitSeconds: 300 });
    expect(scene.feesOf('b-1')).toBeUndefined();
  });

  it('lets a cancellation end a batch for which the provider gives no estimate', async () => {
    const scene = createScene();
    scene.state.error = out;
    expect(await scene.start('b-1', ['crypto'])).toMatchObject({ next: 'wait' });
    const canceled = { status: 'paused', cancelRequestedAt: '2026-11-21T08:00:00.000Z' } as const;
    expect(await scene.start('b-1', ['crypto'], canceled)).toMatchObject({ next: 'fund' });
  });

  it('leaves a batch without fees to the person who decides about it', async () => {
    const scene = createScene();
    scene.state.error = out;
    expect(await scene.start('b-1', ['crypto'], { status: 'pending_approval' })).toMatchObject({ next: 'fund' });
    expect(scene.stateOf('b-1')).toEqual(['pending_approval', undefined, undefined]);
  });

  it('records the fees of a batch without them that is paid already', async () => {
    const scene = createScene();
    expect(await scene.start('b-1', ['fiat'], { status: 'processing' })).toMatchObject({ next: 'fund' });
    expect(scene.feesOf('b-1')).toHaveLength(1);
  });

  it.each<[string, Partial<Batch>]>([
    ['is paid already', { status: 'processing' }],
    ['was paused while it was paid', { status: 'paused', resumeTo: 'processing' }],
    ['is canceled', { cancelRequestedAt: '2026-11-21T08:00:00.000Z' }],
  ])('does not delay a batch that %s', async (_, changes) => {
    const scene = createScene();
    scene.state.found = { kind: 'unfit', problem: 'x' };
    expect(await scene.start('b-1', ['fiat'], changes)).toMatchObject({ next: 'fund' });
    expect(scene.asked).toEqual([]);
  });
});
