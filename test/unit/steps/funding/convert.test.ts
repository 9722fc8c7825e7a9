import { describe, expect, it } from 'vitest';
import { ProviderUnavailable } from '../../../../functions/domain/errors.ts';
import type { ConvertAnswer } from '../../../../functions/ports/provider.ts';
import { thb, usdt } from '../../../support/money.ts';
import { conversionBy } from '../../../support/scenes/conversion-by.ts';
import { batchOf, createFundingScene, done, lost, shortScene } from '../../../support/scenes/funding-scene.ts';

describe('Convert', () => {
  it('converts the shortfall, frees the pair, and has the funding planned again', async () => {
    const scene = await shortScene();
    scene.answers.push(done);
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.ledger.conversions).toMatchObject([{ status: 'completed', convertId: 'c-1' }]);
    expect(scene.ledger.locks.size).toBe(0);
    scene.balances['THB'] = '1010';
    expect(await scene.fund('b-1')).toMatchObject({ next: 'disburse' });
  });

  it('reserves its proceeds for its batch immediately, and no longer its input', async () => {
    const scene = await shortScene();
    expect(await scene.reserved('usdt-tron')).toEqual([{ batchId: 'b-1', amount: '101.010102' }]);
    scene.answers.push(done);
    await scene.convert('b-1');
    expect(await scene.reserved('THB')).toEqual([{ batchId: 'b-1', amount: '1010' }]);
    expect(await scene.reserved('usdt-tron')).toEqual([{ batchId: 'b-1', amount: '1.010102' }]);
    // No other batch counts it as free.
    scene.balances['THB'] = '1010';
    scene.add(batchOf('b-2', '400'));
    expect(await scene.fund('b-2')).toMatchObject({ next: 'convert' });
    expect(await scene.fund('b-1')).toMatchObject({ next: 'disburse' });
  });

  it('leaves its proceeds to others when its batch was funded without it meanwhile', async () => {
    const scene = await shortScene();
    scene.answers.push(lost);
    await scene.convert('b-1');
    scene.balances['THB'] = '1010';
    expect(await scene.fund('b-1')).toMatchObject({ next: 'disburse' });
    const [made] = scene.ledger.conversions;
    if (made === undefined) throw new Error('no conversion');
    expect(await scene.ledger.recordConversion({ ...made, status: 'completed' }, ['unknown'])).toBe(true);
    expect(await scene.reserved('THB')).toEqual([{ batchId: 'b-1', amount: '1010' }]);
    expect(scene.ledger.locks.size).toBe(0);
  });

  it('keeps a conversion’s expected proceeds from other batches until its outcome is known', async () => {
    const scene = await shortScene();
    scene.add(batchOf('b-2', '300'));
    scene.provider.convert = async () => {
      // The money arrived, but not the answer.
      Object.assign(scene.balances, { THB: '1010', 'usdt-tron': '900' });
      expect(await scene.fund('b-2')).toMatchObject({ next: 'wait', waitSeconds: 1 });
      expect(scene.reasonOf('b-2')).toBe('balance_unclear');
      return done;
    };
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(await scene.fund('b-2')).toMatchObject({ next: 'convert' });
    expect(scene.ledger.batches.get('b-2')?.funding?.conversions).toMatchObject([{ output: thb('310') }]);
  });

  it('claims nothing when another batch has reserved money since the balances were read', async () => {
    const scene = await shortScene();
    const { quoteConversion } = scene.provider;
    scene.add(batchOf('b-2', '1'));
    scene.provider.quoteConversion = async (asked) => {
      scene.provider.quoteConversion = quoteConversion;
      scene.balances['THB'] = '511';
      await scene.fund('b-2');
      return quoteConversion(asked);
    };
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect([scene.converted, scene.ledger.conversions, scene.ledger.locks.size]).toEqual([[], [], 0]);
  });

  it('makes a plan’s conversion once, even when run again after its end', async () => {
    const scene = await shortScene();
    scene.answers.push(done, done);
    for (let run = 0; run < 3; run += 1) expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.converted).toHaveLength(1);
    // A later shortfall, with its own plan, is another conversion.
    expect(await scene.fund('b-1')).toMatchObject({ next: 'convert' });
    await scene.convert('b-1');
    expect(scene.converted).toHaveLength(2);
  });

  it('uses no plan again whose conversion was refused', async () => {
    const scene = await shortScene();
    scene.answers.push({ kind: 'rejected', message: 'insufficient input balance' });
    await scene.convert('b-1');
    // A late run finds the plan from before it.
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.converted).toHaveLength(1);
  });

  it('plans no other conversion while the outcome of the last one is in doubt', async () => {
    const scene = await shortScene();
    scene.answers.push(lost);
    await scene.convert('b-1');
    expect(await scene.plan('b-1')).toEqual({ batchId: 'b-1', next: 'convert' });
  });

  it('never repeats a conversion whose answer was lost, however often it runs', async () => {
    const scene = await shortScene();
    scene.answers.push(lost);
    for (let run = 0; run < 5; run += 1) expect(await scene.convert('b-1')).toMatchObject({ next: 'wait' });
    expect(scene.converted).toHaveLength(1);
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['awaiting_funds', 'conversion_in_doubt']);
    expect(scene.alarms).toEqual(['ConversionUnknown']);
    expect(scene.ledger.locks.size).toBe(1);
  });

  it('infers from both balances that a conversion without an answer happened', async () => {
    const scene = await shortScene();
    scene.answers.push(lost);
    await scene.convert('b-1');
    Object.assign(scene.balances, { THB: '1010', 'usdt-tron': '900' });
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.ledger.conversions[0]?.status).toBe('inferred');
    expect(scene.ledger.locks.size).toBe(0);
  });

  const unclear: [string, Record<string, string>][] = [
    ['only the output arrived', { THB: '1010' }],
    ['other money moved as well', { THB: '1008', 'usdt-tron': '900' }],
  ];
  it.each(unclear)('leaves it to a person when %s', async (_name, balances) => {
    const scene = await shortScene();
    scene.answers.push(lost);
    await scene.convert('b-1');
    Object.assign(scene.balances, balances);
    expect(await scene.convert('b-1')).toMatchObject({ next: 'wait' });
    expect(scene.ledger.conversions[0]?.status).toBe('unknown');
  });

  it('does not convert at a rate that fell by more than the cap', async () => {
    const scene = await shortScene();
    scene.setRate('34.6');
    expect(await scene.convert('b-1')).toMatchObject({ next: 'wait' });
    expect(scene.reasonOf('b-1')).toBe('rate_moved');
    expect(scene.converted).toEqual([]);
    expect(scene.ledger.locks.size).toBe(0);
  });

  it('takes no more than its reservation when a flat fee reduces the output', async () => {
    const scene = createFundingScene({ THB: '0', 'usdt-tron': '31' });
    // Like the provider's client: repeats the quote, scaled up, when less would arrive. 20 of 40 baht per token are the fee.
    scene.provider.quoteConversion = async ({ output: asked }) => {
      const wanted = Number(asked.amount);
      const scaled = wanted ** 2 / (wanted - 20);
      const [input, output] = [scaled / 40, scaled - 20];
      const amounts = { input: usdt(`${input}`), output: thb(`${output}`), fee: thb('20'), rate: `${output / input}` };
      return { kind: 'quoted', quote: { quoteId: 'q-1', ...amounts } };
    };
    scene.add(batchOf('b-1', '30'));
    await scene.fund('b-1');
    const [own] = (await scene.reserved('usdt-tron')) ?? [];
    scene.answers.push(done);
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(Number(scene.converted[0]?.input.amount)).toBeLessThanOrEqual(Number(own?.amount));
  });

  it('rejects a quote that takes more than the reservation, however good its rate', async () => {
    const scene = await shortScene();
    const { quoteConversion } = scene.provider;
    scene.provider.quoteConversion = async (asked) => {
      const answer = await quoteConversion(asked);
      if (answer.kind === 'refused') return answer;
      return { ...answer, quote: { ...answer.quote, input: usdt('150'), output: thb('5250') } };
    };
    expect(await scene.convert('b-1')).toMatchObject({ next: 'wait' });
    expect(scene.reasonOf('b-1')).toBe('rate_moved');
    expect(scene.converted).toEqual([]);
  });

  it('asks the provider nothing for a batch that was paused', async () => {
    const scene = await shortScene();
    const batch = scene.ledger.batches.get('b-1') ?? batchOf('b-1', '1000');
    scene.ledger.putBatch({ ...batch, status: 'paused', resumeTo: 'validating' });
    scene.provider.quoteConversion = () => Promise.reject(new Error('nothing is asked'));
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.ledger.locks.size).toBe(0);
  });

  it('claims nothing and frees the pair when its turn under the provider’s limit is later', async () => {
    const scene = await shortScene();
    scene.turns.push({ kind: 'later', waitMs: 7200 });
    expect(await scene.convert('b-1')).toEqual({ batchId: 'b-1', next: 'wait', waitSeconds: 8 });
    expect([scene.converted, scene.ledger.conversions, scene.ledger.locks.size]).toEqual([[], [], 0]);
    scene.answers.push(done);
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.converted).toHaveLength(1);
  });

  it('waits while another batch converts the same pair', async () => {
    const scene = await shortScene();
    await scene.ledger.lockPair(conversionBy('b-0'));
    expect(await scene.convert('b-1')).toMatchObject({ next: 'wait', waitSeconds: 15 });
    expect(scene.converted).toEqual([]);
  });

  it('takes the lock from an ended holder, but never while a conversion is in doubt', async () => {
    const scene = await shortScene();
    scene.add(batchOf('b-0', '1'));
    await scene.ledger.lockPair(conversionBy('b-0'));
    const conversion = {
      ...(await madeConversion()),
      batchId: 'b-0',
      status: 'unknown',
    } as const;
    scene.ledger.putConversion(conversion);
    scene.passSeconds(3600);
    expect(await scene.convert('b-1')).toMatchObject({ next: 'wait', waitSeconds: 300 });
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['awaiting_funds', 'conversion_locked']);
    expect(scene.ledger.batches.get('b-1')?.reason?.message).toContain('Conversion 1 of batch b-0');
    expect(scene.alarms).toEqual(['TreasuryLockStuck']);
    scene.ledger.putConversion({ ...conversion, status: 'completed' });
    expect(await scene.convert('b-1')).toMatchObject({ next: 'wait', waitSeconds: 1 });
    scene.answers.push(done);
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.converted).toHaveLength(1);
  });

  const madeConversion = async () => {
    const other = await shortScene();
    other.answers.push(done);
    await other.convert('b-1');
    const [made] = other.ledger.conversions;
    if (made === undefined) throw new Error('no conversion');
    return made;
  };

  it('takes the lock of a holder that crashed before its claim, once that holder cannot be alive', async () => {
    const scene = await shortScene();
    await scene.ledger.lockPair(conversionBy('b-0'));
    scene.passSeconds(119);
    expect(await scene.convert('b-1')).toMatchObject({ next: 'wait', waitSeconds: 15 });
    scene.passSeconds(1);
    expect(await scene.convert('b-1')).toMatchObject({ next: 'wait', waitSeconds: 1 });
    expect(scene.ledger.locks.size).toBe(0);
  });

  it('keeps the pair that another run of the batch claimed under meanwhile', async () => {
    const scene = await shortScene();
    const { quoteConversion } = scene.provider;
    scene.answers.push(lost);
    scene.provider.quoteConversion = async () => {
      scene.provider.quoteConversion = quoteConversion;
      await scene.convert('b-1');
      throw new ProviderUnavailable('status_503');
    };
    expect(await scene.convert('b-1')).toMatchObject({ next: 'wait' });
    expect(scene.ledger.conversions).toMatchObject([{ n: 1, status: 'unknown' }]);
    expect([...scene.ledger.locks]).toEqual([['usdt-tron~THB', 'b-1#1']]);
  });

  it('makes no request about a conversion that another run of the batch has made and ended', async () => {
    const scene = await shortScene();
    const { quoteConversion } = scene.provider;
    scene.answers.push(done);
    scene.provider.quoteConversion = async (asked) => {
      scene.provider.quoteConversion = quoteConversion;
      expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
      return quoteConversion(asked);
    };
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['validating', undefined]);
    expect(scene.converted).toHaveLength(1);
    expect(scene.ledger.locks.size).toBe(0);
  });

  it('leaves no lock behind when the batch is canceled after a crash, unless its conversion is in doubt', async () => {
    const scene = await shortScene();
    await scene.ledger.lockPair(conversionBy('b-1'));
    await scene.ledger.requestCancel('b-1', 'operator');
    expect(await scene.fund('b-1')).toMatchObject({ next: 'ended' });
    expect(scene.ledger.locks.size).toBe(0);
    const doubtful = await shortScene();
    doubtful.answers.push(lost);
    await doubtful.convert('b-1');
    await doubtful.ledger.requestCancel('b-1', 'operator');
    expect(await doubtful.fund('b-1')).toMatchObject({ next: 'ended' });
    expect(doubtful.ledger.locks.size).toBe(1);
    expect(await doubtful.reserved('usdt-tron')).toEqual([]);
  });

  it('converts nothing for a batch that another run has begun to disburse since it was found short', async () => {
    const scene = await shortScene();
    scene.answers.push(done);
    const { quoteConversion } = scene.provider;
    scene.provider.quoteConversion = async (asked) => {
      scene.provider.quoteConversion = quoteConversion;
      scene.balances['THB'] = '1010';
      expect(await scene.fund('b-1')).toMatchObject({ next: 'disburse' });
      return quoteConversion(asked);
    };
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.converted).toEqual([]);
    expect(scene.ledger.locks.size).toBe(0);
  });

  it('pauses a batch that another run already disburses when refused credentials stop a conversion', async () => {
    const scene = await shortScene();
    scene.provider.convert = async () => {
      scene.balances['THB'] = '1010';
      // The other run checks the conversion first, and finds no proof of it.
      expect(await scene.fund('b-1')).toMatchObject({ next: 'convert' });
      expect(await scene.convert('b-1')).toMatchObject({ next: 'wait' });
      expect(await scene.fund('b-1')).toMatchObject({ next: 'disburse' });
      return { kind: 'halted' };
    };
    await scene.convert('b-1');
    expect(scene.ledger.batches.get('b-1')).toMatchObject({ status: 'paused', resumeTo: 'processing' });
    expect(scene.alarms).toEqual(['ConversionUnknown', 'BatchHalted']);
  });

  const refusals: [string, ConvertAnswer, string, string][] = [
    ['refused', { kind: 'rejected', message: 'insufficient input balance' }, 'awaiting_funds', 'conversion_rejected'],
    ['not sent', { kind: 'not_sent', cause: 'refused' }, 'awaiting_funds', 'conversion_not_sent'],
    ['answered with 401', { kind: 'halted', madeNothing: true }, 'paused', 'credentials_refused'],
  ];
  it.each(refusals)('says why when the conversion is %s', async (_name, answer, status, code) => {
    const scene = await shortScene();
    scene.answers.push(answer);
    await scene.convert('b-1');
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual([status, code]);
    expect(scene.ledger.locks.size).toBe(0);
  });

  it.each([
    [54_999, 'provider_unavailable', 0],
    [55_000, undefined, 1],
  ])('with %i ms left after a slow quote, has the reason %s, and converts %i times', async (leftMs, reason, posts) => {
    const scene = await shortScene();
    const { quoteConversion } = scene.provider;
    scene.provider.quoteConversion = (asked) => {
      scene.setLeft(leftMs);
      return quoteConversion(asked);
    };
    scene.answers.push(done);
    await scene.convert('b-1');
    expect([scene.reasonOf('b-1'), scene.converted.length]).toEqual([reason, posts]);
    expect([scene.ledger.conversions.length, scene.ledger.locks.size]).toEqual([posts, 0]);
  });

  it.each([
    [39_999, 'not_sent', 0],
    [40_000, 'completed', 1],
  ])('with %i ms left after a slow claim, ends as %s', async (leftMs, status, posts) => {
    const scene = await shortScene();
    const { claimConversion } = scene.ledger;
    scene.ledger.claimConversion = (...claim) => {
      scene.setLeft(leftMs);
      return claimConversion(...claim);
    };
    scene.answers.push(done);
    await scene.convert('b-1');
    expect(scene.ledger.conversions).toMatchObject([{ status }]);
    expect([scene.converted.length, scene.ledger.locks.size]).toEqual([posts, 0]);
  });

  it('leaves a lost answer to the next run when no time is left to read the balances', async () => {
    const scene = await shortScene();
    const { readBalances } = scene.provider;
    scene.provider.convert = async () => {
      scene.setLeft(16_000);
      Object.assign(scene.balances, { THB: '1010', 'usdt-tron': '900' });
      scene.provider.readBalances = () => Promise.reject(new Error('no time'));
      return lost;
    };
    expect(await scene.convert('b-1')).toMatchObject({ next: 'wait' });
    expect(scene.ledger.conversions).toMatchObject([{ status: 'claimed' }]);
    scene.provider.readBalances = readBalances;
    scene.setLeft(90_000);
    expect(await scene.convert('b-1')).toMatchObject({ next: 'fund' });
    expect(scene.ledger.conversions).toMatchObject([{ status: 'inferred' }]);
    expect(scene.alarms).toEqual([]);
  });

  it('keeps a conversion in doubt that a gateway refused, maybe on the way back, and halts', async () => {
    const scene = await shortScene();
    scene.answers.push({ kind: 'halted' });
    await scene.convert('b-1');
    expect([scene.statusOf('b-1'), scene.reasonOf('b-1')]).toEqual(['paused', 'credentials_refused']);
    expect(await scene.ledger.listConversions('b-1')).toMatchObject([{ status: 'claimed' }]);
    expect(scene.ledger.locks.size).toBe(1);
  });
});
