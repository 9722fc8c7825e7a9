import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordSecondDisbursement } from '../../../functions/domain/contradiction.ts';
import { observePayout } from '../../../functions/domain/observe-payout.ts';
import type { Payout, PayoutStatus } from '../../../functions/domain/payout.ts';
import { payoutStatuses } from '../../../functions/domain/payout.ts';
import type { ObservedStatus } from '../../../functions/domain/payout-lifecycle.ts';
import { isEnd } from '../../../functions/domain/payout-lifecycle.ts';
import type { PayoutLedger } from '../../../functions/ports/payout-ledger.ts';
import type { Disbursement } from '../../../functions/ports/provider.ts';

const payout: Payout = {
  batchId: 'b-1',
  chunk: 2,
  row: 7,
  reference: 'r-7',
  rail: 'fiat',
  currency: 'IDR',
  amount: '150000.50',
  destinationHash: 'hash-of-the-account',
  status: 'pending',
  disbursementId: 'd-7',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

const disbursement: Disbursement = {
  disbursementId: 'd-7',
  reference: 'r-7',
  rail: 'fiat',
  currency: 'IDR',
  amount: '150000.5',
  fee: '4000',
  status: 'completed',
  providerStatus: 'completed',
  destinationHash: 'hash-of-the-account',
};

/** A ledger of one payout that keeps the real rule of a conditional move, and a log that keeps what it was told. */
const surroundings = (held: Payout) => {
  let current = held;
  const moves: string[] = [];
  const alarms: string[] = [];
  const movePayout: PayoutLedger['movePayout'] = async (_key, transition, changes) => {
    if (!transition.from.includes(current.status)) return { kind: 'refused', payout: current };
    moves.push(transition.name);
    current = { ...current, ...changes, status: transition.to };
    return { kind: 'moved', payout: current };
  };
  const recordContradiction: PayoutLedger['recordContradiction'] = async (read, found) => {
    const { contradictions = [], status } = current;
    if (read.status !== status || (read.contradictions ?? []).length !== contradictions.length)
      return { kind: 'refused', payout: current };
    current = { ...current, contradictions: [...contradictions, { ...found, at: 't' }] };
    return { kind: 'moved', payout: current };
  };
  return {
    moves,
    alarms,
    held: () => current,
    dependencies: {
      ledger: { movePayout, recordContradiction },
      log: { info: () => undefined, warn: () => undefined, alarm: (metric: string) => void alarms.push(metric) },
    },
  };
};

const withoutId = (status: PayoutStatus): Payout => {
  const { disbursementId: _, ...rest } = payout;
  return { ...rest, status };
};

describe('an observation that fits the payout', () => {
  it('ends it with its fee, however the amount is written', async () => {
    const { dependencies, alarms } = surroundings(payout);
    const observed = await observePayout(dependencies, payout, disbursement);
    expect(observed).toMatchObject({ status: 'completed', fee: '4000', disbursementId: 'd-7' });
    expect(alarms).toEqual([]);
  });

  it('adopts the disbursement of a payout whose call was lost', async () => {
    const lost = withoutId('unknown');
    const { dependencies } = surroundings(lost);
    const observed = await observePayout(dependencies, lost, { ...disbursement, status: 'pending' });
    expect(observed).toMatchObject({ status: 'pending', disbursementId: 'd-7' });
  });

  it('says why a payout failed', async () => {
    const { dependencies } = surroundings(payout);
    const observed = await observePayout(dependencies, payout, { ...disbursement, status: 'failed' });
    expect(observed).toMatchObject({ status: 'failed', reason: { code: 'provider_failed' } });
  });

  it('writes nothing when it says what the ledger says', async () => {
    const { dependencies, moves } = surroundings(payout);
    expect(await observePayout(dependencies, payout, { ...disbursement, status: 'pending' })).toBe(payout);
    expect(moves).toEqual([]);
  });

  it('believes a known id without a reference', async () => {
    const { reference: _, ...unnamed } = disbursement;
    const { dependencies } = surroundings(payout);
    expect(await observePayout(dependencies, payout, unnamed)).toMatchObject({ status: 'completed' });
  });
});

describe('a disbursement that contradicts the payout', () => {
  it.each([
    ['another id', { disbursementId: 'd-8' }, 'another_disbursement'],
    ['another reference', { reference: 'r-8' }, 'reference_differs'],
    ['another currency', { currency: 'PHP' }, 'currency_differs'],
    ['another rail', { rail: 'crypto' }, 'currency_differs'],
    ['another amount', { amount: '150000.51' }, 'amount_differs'],
    ['another destination', { destinationHash: 'hash-of-another' }, 'destination_differs'],
  ] as const)('quarantines it and raises an alarm: %s', async (_name, difference, code) => {
    const { dependencies, alarms } = surroundings(payout);
    const observed = await observePayout(dependencies, payout, { ...disbursement, ...difference });
    expect(observed).toMatchObject({ status: 'quarantined', reason: { code }, disbursementId: 'd-7' });
    expect(alarms).toEqual(['PayoutQuarantined']);
  });

  it('is not adopted without a reference when its id is not known', async () => {
    const { reference: _, ...unnamed } = disbursement;
    const lost = withoutId('unknown');
    const { dependencies } = surroundings(lost);
    expect(await observePayout(dependencies, lost, unnamed)).toMatchObject({ status: 'quarantined' });
  });

  it('leaves an end as it is, is recorded, and raises an alarm', async () => {
    const ended: Payout = { ...payout, status: 'completed' };
    const { dependencies, moves, alarms } = surroundings(ended);
    const seen = { ...disbursement, amount: '1' };
    const recorded = { code: 'amount_differs', disbursementId: 'd-7', observed: 'completed' };
    expect(await observePayout(dependencies, ended, seen)).toMatchObject({
      status: 'completed',
      contradictions: [recorded],
    });
    expect({ moves, alarms }).toEqual({ moves: [], alarms: ['PayoutChangedAfterEnd'] });
  });

  it('raises no second alarm for a payout in quarantine', async () => {
    const held: Payout = { ...payout, status: 'quarantined' };
    const { dependencies, alarms } = surroundings(held);
    expect(await observePayout(dependencies, held, { ...disbursement, amount: '1' })).toBe(held);
    expect(alarms).toEqual([]);
  });
});

describe('a late writer', () => {
  it('finds an end that another writer made, and keeps it', async () => {
    const { dependencies, alarms, held } = surroundings({ ...payout, status: 'completed' });
    await observePayout(dependencies, payout, { ...disbursement, status: 'on_hold' });
    expect(held().status).toBe('completed');
    expect(alarms).toEqual([]);
  });

  it('raises an alarm when the end another writer made contradicts what it saw', async () => {
    const { dependencies, alarms, held } = surroundings({ ...payout, status: 'failed' });
    await observePayout(dependencies, payout, disbursement);
    expect(held().status).toBe('failed');
    expect(alarms).toEqual(['PayoutChangedAfterEnd']);
  });

  it.each([
    ['fits', {}, 'found_unposted'],
    ['differs', { amount: '3' }, 'amount_differs'],
  ])(
    'quarantines a payout that nothing is posted for when a disbursement has its reference: one that %s',
    async (_name, difference, code) => {
      const ready = withoutId('ready');
      const { dependencies, alarms, moves } = surroundings(ready);
      const observed = await observePayout(dependencies, ready, { ...disbursement, ...difference });
      expect(observed).toMatchObject({ status: 'quarantined', reason: { code } });
      expect(observed).not.toHaveProperty('disbursementId');
      expect({ alarms, moves }).toEqual({ alarms: ['PayoutQuarantined'], moves: ['quarantineUnposted'] });
    },
  );

  it('leaves a payout to the call that claimed it meanwhile, and adopts what fits', async () => {
    const { dependencies } = surroundings(withoutId('submitting'));
    const observed = await observePayout(dependencies, withoutId('ready'), { ...disbursement, status: 'pending' });
    expect(observed.status).toBe('pending');
  });
});

describe('what contradicts a payout after its end', () => {
  /** How it ended, with the id it is known by or without, what the provider says, and what is recorded of it. */
  const cases: readonly (readonly [PayoutStatus, boolean, ObservedStatus, string | undefined])[] = [
    ['completed', true, 'failed', 'changed_after_end'],
    ['completed', true, 'canceled', 'changed_after_end'],
    ['failed', true, 'completed', 'changed_after_end'],
    ['completed', true, 'pending', undefined],
    ['failed', true, 'on_hold', undefined],
    ['completed', true, 'completed', undefined],
    ['rejected', false, 'pending', 'made_after_all'],
    ['rejected', false, 'failed', 'made_after_all'],
    ['canceled', false, 'pending', 'made_after_all'],
    ['canceled', false, 'completed', 'made_after_all'],
    ['canceled', false, 'canceled', undefined],
    ['failed', false, 'on_hold', 'made_after_all'],
    ['failed', false, 'failed', undefined],
    ['completed', false, 'pending', undefined],
    ['completed', false, 'failed', 'changed_after_end'],
  ];
  it.each(cases)(
    'of one that is %s (known by its id: %s), when the provider says %s: %s',
    async (status, isKnown, says, code) => {
      const ended = isKnown ? { ...payout, status } : withoutId(status);
      const { dependencies, moves, alarms } = surroundings(ended);
      const observed = await observePayout(dependencies, ended, { ...disbursement, status: says });
      const recorded = [{ code, disbursementId: 'd-7', observed: says, at: 't' }];
      expect(observed).toEqual(code === undefined ? ended : { ...ended, contradictions: recorded });
      expect(moves).toEqual([]);
      expect(alarms).toEqual(code === undefined ? [] : ['PayoutChangedAfterEnd']);
    },
  );

  it('is recorded once a word, by whoever sees it, however it was read', async () => {
    const ended: Payout = { ...payout, status: 'completed' };
    const { dependencies, alarms, held } = surroundings(ended);
    for (const status of ['failed', 'failed', 'canceled', 'failed'] as const)
      await observePayout(dependencies, ended, { ...disbursement, status });
    expect(held().contradictions?.map(({ observed }) => observed)).toEqual(['failed', 'canceled']);
    expect(alarms).toHaveLength(2);
  });
});

describe('a second disbursement under the reference of a payout', () => {
  const second: Disbursement = { ...disbursement, disbursementId: 'd-8', status: 'pending' };

  it.each(['pending', 'on_hold', 'completed', 'failed', 'quarantined'] as const)(
    'is recorded once beside the status %s, whatever becomes of it',
    async (status) => {
      const world = surroundings({ ...payout, status });
      await recordSecondDisbursement(world.dependencies, world.held(), second);
      await recordSecondDisbursement(world.dependencies, payout, { ...second, status: 'completed' });
      const recorded = { code: 'reference_used_twice', disbursementId: 'd-8', observed: 'pending', at: 't' };
      expect(world.held()).toEqual({ ...payout, status, contradictions: [recorded] });
      expect({ moves: world.moves, alarms: world.alarms }).toEqual({ moves: [], alarms: ['PayoutChangedAfterEnd'] });
    },
  );

  it('has the same name when it is found as the one of a payout that has ended', async () => {
    const ended: Payout = { ...payout, status: 'completed' };
    const { dependencies } = surroundings(ended);
    const observed = await observePayout(dependencies, ended, second);
    expect(observed.contradictions).toMatchObject([{ code: 'reference_used_twice', disbursementId: 'd-8' }]);
    expect(await recordSecondDisbursement(dependencies, observed, second)).toBe(observed);
  });

  it.each<[string, Payout, Partial<Disbursement>]>([
    ['its own', payout, { disbursementId: 'd-7' }],
    ['of another reference', payout, { reference: 'r-8' }],
    ['of a payout that has none yet', withoutId('submitting'), {}],
    ['of the payout that holds the reference', { ...payout, heldBy: 'b-0' }, {}],
  ])('is none when it is %s', async (_name, held, difference) => {
    const { dependencies, alarms } = surroundings(held);
    expect(await recordSecondDisbursement(dependencies, held, { ...second, ...difference })).toBe(held);
    expect(alarms).toEqual([]);
  });
});

const observedStatuses: readonly ObservedStatus[] = ['pending', 'on_hold', 'completed', 'failed', 'canceled'];

it('never changes an end, whatever was read before and whatever the provider says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...payoutStatuses),
      fc.constantFrom(...payoutStatuses),
      fc.array(fc.constantFrom(...observedStatuses), { maxLength: 6 }),
      fc.boolean(),
      async (read, stands, observations, fits) => {
        const world = surroundings({ ...payout, status: stands });
        let before = stands;
        for (const status of observations) {
          const seen: Disbursement = { ...disbursement, status, amount: fits ? payout.amount : '3' };
          await observePayout(world.dependencies, { ...payout, status: read }, seen);
          const after = world.held().status;
          expect(isEnd(before) ? after : before).toBe(before);
          before = after;
        }
      },
    ),
  );
});
