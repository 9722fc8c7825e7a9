import { describe, expect, it } from 'vitest';
import type { Batch } from '../../../../functions/domain/batch/batch.ts';
import { batchTransitions } from '../../../../functions/domain/batch/batch-status.ts';
import { ProviderMisconfigured, ProviderRefused, ProviderUnavailable } from '../../../../functions/domain/errors.ts';
import { currencyPlan } from '../../../support/money.ts';
import { examplePlan } from '../../../support/scenes/example-batch.ts';
import { batchOf, createFundingScene, done, lost, shortScene } from '../../../support/scenes/funding-scene.ts';

/** A provider whose reads fail a scripted number of times. */
const withOutages = (scene: ReturnType<typeof createFundingScene>) => {
  const { readBalances, quoteConversion } = scene.provider;
  return {
    ...scene,
    fail: (read: 'readBalances' | 'quoteConversion', error: Error, times = 1) => {
      let left = times;
      const failing =
        <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
        async (...asked: Asked): Promise<Answer> => {
          left -= 1;
          if (left >= 0) throw error;
          return ask(...asked);
        };
      if (read === 'readBalances') scene.provider.readBalances = failing(readBalances);
      else scene.provider.quoteConversion = failing(quoteConversion);
    },
  };
};

type Outage = ReturnType<typeof withOutages>;

/** A batch that is short, before its conversion. */
const createOutage = async (): Promise<Outage> => withOutages(await shortScene());

/** The answer to the conversion is lost, and the following read of the balances fails. */
const loseAnswer = ({ provider, answers, fail }: Outage, error: Error, times = 1): void => {
  const { convert } = provider;
  answers.push(lost);
  provider.convert = (quote) => {
    fail('readBalances', error, times);
    return convert(quote);
  };
};

const reads = ['readBalances', 'quoteConversion'] as const;
const outages = ['GET /v1/balance: status_429', 'GET /v1/balance: status_502'];

describe.each(outages)('a provider that answers once "%s"', (code) => {
  it.each(reads)('to %s before a conversion is asked again soon, and the conversion is made once', async (read) => {
    const scene = await createOutage();
    scene.fail(read, new ProviderUnavailable(code));
    expect(await scene.convert('b-1')).toEqual({ batchId: 'b-1', next: 'wait', waitSeconds: 15 });
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['awaiting_funds', 'provider_unavailable']);
    expect([scene.converted, scene.ledger.locks.size, scene.alarms]).toEqual([[], 0, []]);

    scene.answers.push(done);
    expect(await scene.fund('b-1')).toMatchObject({ next: 'convert' });
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    scene.balances['THB'] = '1010';
    expect(await scene.fund('b-1')).toMatchObject({ next: 'disburse' });
    expect(scene.converted).toHaveLength(1);
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['processing', undefined]);
  });

  it('to the read of the balances after a lost answer is repeated, and proves the conversion', async () => {
    const scene = await createOutage();
    loseAnswer(scene, new ProviderUnavailable(code));
    expect(await scene.convert('b-1')).toMatchObject({ next: 'wait', waitSeconds: 15 });
    expect(scene.ledger.conversions).toMatchObject([{ status: 'claimed' }]);
    expect([scene.statusOf('b-1'), scene.ledger.locks.size, scene.alarms]).toEqual(['awaiting_funds', 1, []]);

    // The balances cover the batch now, and show the conversion's outcome.
    Object.assign(scene.balances, { THB: '1010', 'usdt-tron': '900' });
    expect(await scene.fund('b-1')).toMatchObject({ next: 'convert' });
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.ledger.conversions).toMatchObject([{ status: 'inferred' }]);
    expect(scene.ledger.locks.size).toBe(0);
    expect(await scene.fund('b-1')).toMatchObject({ next: 'disburse' });
    expect(scene.converted).toHaveLength(1);
  });
});

describe('a provider that does not answer the reads of a conversion for long', () => {
  it.each(reads)('at %s is no news for 75 seconds', async (read) => {
    const scene = await createOutage();
    scene.fail(read, new ProviderUnavailable('GET /v1/balance: status_502'));
    expect(await scene.convert('b-1', 4)).toEqual({ batchId: 'b-1', next: 'wait', waitSeconds: 15 });
    expect(scene.statusOf('b-1')).toBe('validating');
  });

  it('is asked as rarely as the balance is checked, and pauses the batch after too long', async () => {
    const scene = await createOutage();
    scene.fail('quoteConversion', new ProviderUnavailable('GET /v1/convert/estimate: status_502'), 99);
    const waits: (number | undefined)[] = [];
    for (const seconds of [0, 299, 1]) {
      scene.passSeconds(seconds);
      const answer = await scene.convert('b-1');
      waits.push(answer.next === 'wait' ? answer.waitSeconds : undefined);
    }
    expect(waits).toEqual([15, 15, 300]);
    scene.passSeconds(72 * 3600);
    await scene.convert('b-1');
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['paused', 'funds_overdue']);
    expect([scene.converted, scene.ledger.locks.size]).toEqual([[], 0]);
  });

  it('leaves a conversion without an answer to a person once its balances prove nothing', async () => {
    const scene = await createOutage();
    loseAnswer(scene, new ProviderUnavailable('GET /v1/balance: status_502'), 3);
    for (let run = 0; run < 3; run += 1) expect(await scene.convert('b-1')).toMatchObject({ next: 'wait' });
    expect(scene.alarms).toEqual([]);
    expect(await scene.convert('b-1')).toMatchObject({ next: 'wait', waitSeconds: 300 });
    expect(scene.ledger.conversions).toMatchObject([{ status: 'unknown' }]);
    expect(scene.alarms).toEqual(['ConversionUnknown']);
    expect(scene.converted).toHaveLength(1);
  });
});

describe('a provider that refuses the reads of a conversion', () => {
  it.each(reads)('by %s ends the step, which pauses the batch, and frees the pair', async (read) => {
    const scene = await createOutage();
    scene.fail(read, new ProviderRefused('GET /v1/balance: status_401'));
    await expect(scene.convert('b-1')).rejects.toThrow(ProviderRefused);
    expect([scene.converted, scene.ledger.locks.size]).toEqual([[], 0]);
  });

  it('after a lost answer ends the step, and the next run reads again', async () => {
    const scene = await createOutage();
    loseAnswer(scene, new ProviderRefused('GET /v1/balance: status_401'));
    await expect(scene.convert('b-1')).rejects.toThrow(ProviderRefused);
    expect(await scene.fund('b-1')).toMatchObject({ next: 'convert' });
    Object.assign(scene.balances, { THB: '1010', 'usdt-tron': '900' });
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.converted).toHaveLength(1);
  });
});

/** A batch that needs 1,010 THB, before its funding is planned for the first time. */
const unplanned = (baht: string, changes: Partial<Batch> = {}): Outage => {
  const scene = withOutages(createFundingScene({ THB: baht, 'usdt-tron': '1000' }));
  scene.add(batchOf('b-1', '1000', changes));
  return scene;
};

const notSent = { kind: 'not_sent', cause: 'connection_refused' } as const;

const oneWallet = { rail: 'crypto', currency: 'usdt-tron', count: 1, fee: '0', methods: [] } as const;

/** A batch that pays this much USDT, and no fee. */
const walletBatch = (batchId: string, amount: string): Batch => {
  const plan = currencyPlan({ ...oneWallet, amount, largestAmount: amount });
  return batchOf(batchId, '1', { fees: [], plan: examplePlan(batchId, 1, [plan]) });
};

/** Why people were told that the batch waits, in the order of time. */
const toldOf = async (scene: Outage): Promise<readonly (string | undefined)[]> => {
  const { items } = await scene.ledger.listTimeline('b-1', { limit: 50 });
  return items.flatMap(({ code, detail }) => (code === 'batch.awaiting_funds' ? [detail] : []));
};

const out = new ProviderUnavailable('GET /v1/balance: status_502');

describe('a provider that is out while funding is planned', () => {
  it.each(reads)('at %s makes the batch wait, which goes on by itself', async (read) => {
    const scene = unplanned('500');
    scene.fail(read, out);
    expect(await scene.plan('b-1')).toEqual({ batchId: 'b-1', next: 'wait', waitSeconds: 15 });
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['awaiting_funds', 'provider_unavailable']);
    expect(scene.ledger.batches.get('b-1')?.reason?.message).toContain('(GET /v1/balance: status_502)');
    expect(await scene.reserved('THB')).toEqual([]);
    expect(await scene.fund('b-1')).toMatchObject({ next: 'convert' });
  });

  it('leaves a batch that was waiting for money waiting, and it is paid once it has both', async () => {
    const scene = unplanned('500');
    Object.assign(scene.balances, { 'usdt-tron': '0' });
    expect(await scene.fund('b-1')).toMatchObject({ next: 'wait', waitSeconds: 300 });
    expect(scene.reasonOf('b-1')).toBe('insufficient_balance');
    scene.passSeconds(300);
    scene.fail('readBalances', out);
    expect(await scene.fund('b-1')).toMatchObject({ next: 'wait', waitSeconds: 300 });
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['awaiting_funds', 'provider_unavailable']);
    scene.balances['THB'] = '1010';
    expect(await scene.fund('b-1')).toMatchObject({ next: 'disburse' });
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['processing', undefined]);
  });

  it('tells nobody of it for 75 seconds', async () => {
    const scene = unplanned('500');
    scene.fail('readBalances', out, 2);
    expect(await scene.plan('b-1', 4)).toEqual({ batchId: 'b-1', next: 'wait', waitSeconds: 15 });
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['validating', undefined]);
    await scene.plan('b-1', 5);
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['awaiting_funds', 'provider_unavailable']);
  });

  it('is the reason of a batch that waits already, also in a new execution', async () => {
    const scene = unplanned('500');
    Object.assign(scene.balances, { 'usdt-tron': '0' });
    await scene.fund('b-1');
    scene.fail('readBalances', out);
    await scene.plan('b-1', 0);
    expect(scene.reasonOf('b-1')).toBe('provider_unavailable');
  });

  it.each([
    ['repeated', async (scene: Outage) => [await scene.fund('b-1'), await scene.fund('b-1')]],
    ['at once', (scene: Outage) => Promise.all([scene.fund('b-1'), scene.fund('b-1')])],
    [
      'after one that died',
      async (scene: Outage) => {
        const { moveBatch } = scene.ledger;
        scene.ledger.moveBatch = () => Promise.reject(new Error('died'));
        await scene.fund('b-1').catch(() => undefined);
        scene.ledger.moveBatch = moveBatch;
        return [await scene.fund('b-1')];
      },
    ],
  ])('tells once of the first shortage that shows after it, by runs %s', async (_, runs) => {
    const scene = unplanned('500');
    Object.assign(scene.balances, { 'usdt-tron': '0' });
    for (let time = 0; time < 2; time += 1) {
      scene.fail('readBalances', out);
      await scene.fund('b-1');
      scene.passSeconds(15);
      await runs(scene);
    }
    expect(scene.reasonOf('b-1')).toBe('insufficient_balance');
    expect(await toldOf(scene)).toEqual(['provider_unavailable', 'insufficient_balance']);
  });

  it('tells of a shortage of a batch that was funded before, when another took its money', async () => {
    const scene = unplanned('500');
    scene.add(batchOf('b-2', '400'));
    await scene.plan('b-1');
    scene.fail('quoteConversion', out, 2);
    for (let look = 0; look < 2; look += 1) await scene.plan('b-1');
    expect(await scene.fund('b-2')).toMatchObject({ next: 'disburse' });
    scene.balances['usdt-tron'] = '0';
    await scene.fund('b-1');
    expect(await toldOf(scene)).toEqual(['provider_unavailable', 'insufficient_balance']);
  });

  it('tells of a shortage that shows while another run meets the outage', async () => {
    const scene = unplanned('500');
    Object.assign(scene.balances, { 'usdt-tron': '0' });
    const { readBalances } = scene.provider;
    scene.provider.readBalances = async () => {
      scene.provider.readBalances = readBalances;
      scene.fail('readBalances', out);
      await scene.plan('b-1');
      scene.passSeconds(1);
      return readBalances();
    };
    await scene.plan('b-1');
    for (let look = 0; look < 2; look += 1) await scene.plan('b-1');
    expect(await toldOf(scene)).toEqual(['provider_unavailable', 'insufficient_balance']);
  });

  it('tells of a shortage that shows after a resume', async () => {
    const scene = unplanned('500');
    Object.assign(scene.balances, { 'usdt-tron': '0' });
    scene.fail('readBalances', out);
    await scene.plan('b-1');
    await scene.ledger.moveBatch('b-1', batchTransitions.pause, 'operator', { resumeTo: 'awaiting_funds' });
    const resumed = { resumeTo: null, reason: null, awaitingFundsSince: null };
    await scene.ledger.moveBatch('b-1', batchTransitions.resumeAwaitingFunds, 'operator', resumed);
    for (let look = 0; look < 2; look += 1) await scene.plan('b-1');
    expect(await toldOf(scene)).toEqual(['provider_unavailable', 'insufficient_balance']);
  });

  it('tells of a shortage once, however often it is unclear in between', async () => {
    const scene = unplanned('500');
    Object.assign(scene.balances, { 'usdt-tron': '0' });
    await scene.fund('b-1');
    const { funding } = scene.ledger.batches.get('b-1') ?? {};
    if (funding === undefined) throw new Error('the batch has no plan');
    const unclear = { ...funding, unclearSince: funding.plannedAt };
    const reason = { code: 'balance_unclear', message: 'unclear' };
    await scene.ledger.amendBatch('b-1', ['awaiting_funds'], { funding: unclear, reason });
    await scene.fund('b-1');
    expect(await toldOf(scene)).toEqual(['insufficient_balance']);
  });

  it('tells once of reasons that alternate and need nobody', async () => {
    const scene = await createOutage();
    for (let round = 0; round < 3; round += 1) {
      scene.passSeconds(300);
      scene.fail('readBalances', out);
      await scene.plan('b-1');
      await scene.fund('b-1');
      scene.answers.push(notSent);
      await scene.convert('b-1');
    }
    expect(scene.reasonOf('b-1')).toBe('conversion_not_sent');
    expect(await toldOf(scene)).toEqual(['provider_unavailable']);
  });

  it('shows the shortage of a batch that is paused for it', async () => {
    const scene = unplanned('500');
    Object.assign(scene.balances, { 'usdt-tron': '0' });
    scene.fail('readBalances', out);
    await scene.plan('b-1');
    scene.passSeconds(73 * 3600);
    await scene.plan('b-1');
    expect(scene.reasonOf('b-1')).toBe('funds_overdue');
    expect(scene.ledger.batches.get('b-1')?.funding).toBeDefined();
  });

  it('pauses nothing for a time before the last resume', async () => {
    const scene = unplanned('500');
    scene.fail('readBalances', out);
    await scene.plan('b-1');
    scene.passSeconds(73 * 3600);
    const { readBalances } = scene.provider;
    scene.provider.readBalances = async () => {
      scene.provider.readBalances = readBalances;
      await scene.ledger.moveBatch('b-1', batchTransitions.pause, 'operator', { resumeTo: 'awaiting_funds' });
      scene.passSeconds(1);
      const resumed = { resumeTo: null, awaitingFundsSince: null };
      await scene.ledger.moveBatch('b-1', batchTransitions.resumeAwaitingFunds, 'operator', resumed);
      throw out;
    };
    await scene.plan('b-1');
    expect(scene.statusOf('b-1')).toBe('awaiting_funds');
  });

  it('gives back what is reserved for a batch that is not released, once people are told', async () => {
    const scene = unplanned('500');
    scene.add(batchOf('b-2', '400'));
    expect(await scene.plan('b-1')).toMatchObject({ next: 'release' });
    scene.fail('quoteConversion', out, 3);
    await scene.plan('b-1', 0);
    await scene.plan('b-1');
    expect(await scene.reserved('THB')).toHaveLength(1);
    await scene.plan('b-1');
    expect(await scene.reserved('THB')).toEqual([]);
    expect(await scene.fund('b-2')).toMatchObject({ next: 'disburse' });
  });

  it('keeps what is reserved for a released batch, whose conversion may be under way', async () => {
    const scene = await createOutage();
    scene.fail('quoteConversion', out, 4);
    await scene.convert('b-1');
    for (let look = 0; look < 3; look += 1) await scene.plan('b-1');
    expect(scene.statusOf('b-1')).toBe('awaiting_funds');
    expect(await scene.reserved('THB')).toHaveLength(1);
  });

  it('lets no conversion spend what another batch has reserved meanwhile', async () => {
    const scene = await createOutage();
    scene.add(walletBatch('b-2', '940'));
    // A late run of PlanFunding gives the money back while Convert is about to claim.
    await scene.ledger.reserve('b-1', await scene.ledger.readFunds(['THB', 'usdt-tron']), new Map());
    expect(await scene.fund('b-2')).toMatchObject({ next: 'disburse' });
    scene.answers.push(done);
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.converted).toEqual([]);
  });

  it('keeps what a conversion brought reserved', async () => {
    const scene = await createOutage();
    scene.answers.push(done);
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    const reserved = await scene.reserved('THB');
    expect(reserved).toHaveLength(1);
    scene.fail('readBalances', out, 2);
    for (let look = 0; look < 2; look += 1) expect(await scene.plan('b-1')).toMatchObject({ next: 'wait' });
    expect(await scene.reserved('THB')).toEqual(reserved);
    scene.balances['THB'] = '1010';
    expect(await scene.fund('b-1')).toMatchObject({ next: 'disburse' });
    expect(scene.converted).toHaveLength(1);
  });

  it('pauses the batch after fundsWaitHours', async () => {
    const scene = unplanned('500');
    scene.fail('readBalances', out, 2);
    await scene.plan('b-1');
    scene.passSeconds(72 * 3600 + 1);
    await scene.plan('b-1');
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['paused', 'funds_overdue']);
  });

  it.each([
    ['is misconfigured', new ProviderMisconfigured('GET /v1/balance: unreadable_body'), {}],
    ['refuses the read', new ProviderRefused('GET /v1/balance: status_401'), {}],
    ['is out in a preview, which a person waits for', out, { mode: 'preview' }],
  ] as const)('fails the step when it %s', async (_, error, changes) => {
    const scene = unplanned('500', changes);
    scene.fail('readBalances', error);
    await expect(scene.plan('b-1')).rejects.toBe(error);
    expect(scene.statusOf('b-1')).toBe('validating');
  });
});
