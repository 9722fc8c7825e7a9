import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import type { ObservedStatus, PayoutStatus } from '../../../functions/domain/payout/payout-status.ts';
import { isEnd, observedStatuses, payoutStatuses } from '../../../functions/domain/payout/payout-status.ts';
import type { Move } from '../../../functions/payouts/decide-by-evidence.ts';
import { follow, followNews, followOne, recordBeside } from '../../../functions/payouts/decide-by-evidence.ts';
import { weigh } from '../../../functions/payouts/evidence.ts';
import type { Disbursement } from '../../../functions/ports/provider.ts';
import { runs } from '../../support/fast-loop.ts';
import { idr } from '../../support/money.ts';
import { disbursement, payout, withoutId } from './example.ts';

/** The ledger's effect of a move: see functions/ledger/payouts/payouts.ts. */
const perform = (of: Payout, move: Move): Payout => {
  switch (move.kind) {
    case 'move':
      expect(move.transition.from).toContain(of.status);
      return { ...of, ...move.changes, status: move.transition.to };
    case 'record':
      return { ...of, contradictions: [...(of.contradictions ?? []), { ...move.found, at: 't' }] };
    case 'count_absence':
      return { ...of, absences: (of.absences ?? 0) + 1 };
  }
};

/** Decides and performs until nothing is left to do. */
const settle = (of: Payout, ...shown: readonly Disbursement[]): Payout => {
  let current = of;
  for (let moves = 0; moves < 10; moves += 1) {
    const move = follow(weigh(current, shown))(current);
    if (move === undefined) return current;
    current = perform(current, move);
    if (move.kind === 'move' && move.isLast) return current;
  }
  throw new Error('it never comes to rest');
};

describe('following a matching disbursement', () => {
  it('ends the payout with its fee', () => {
    expect(settle(payout, disbursement)).toMatchObject({
      status: 'completed',
      fee: idr('4000'),
      disbursementId: 'd-7',
    });
  });

  it('adopts the disbursement of a payout whose call was lost', () => {
    const pending = { ...disbursement, status: 'pending' } as const;
    expect(settle(withoutId('unknown'), pending)).toMatchObject({ status: 'pending', disbursementId: 'd-7' });
  });

  it.each([
    ['failed', 'provider_failed'],
    ['canceled', 'provider_canceled'],
    ['on_hold', 'provider_need_check'],
  ] as const)('gives the reason when it is %s', (status, code) => {
    expect(settle(payout, { ...disbursement, status })).toMatchObject({ status, reason: { code } });
    const statusText = 'Account closed';
    expect(settle(payout, { ...disbursement, status, statusText }).reason).toMatchObject({ providerText: statusText });
  });

  it('changes nothing for a known status, and treats a missing fee as none', () => {
    const { fee: _, ...free } = disbursement;
    expect(settle(payout, { ...disbursement, status: 'pending' })).toBe(payout);
    expect(settle(payout, free)).not.toHaveProperty('fee');
  });

  it.each(['absent', 'unknown'] as const)('ignores %s', (kind) => {
    const evidence = kind === 'absent' ? { kind } : { kind, cause: 'timeout', isRefused: false };
    for (const status of payoutStatuses) expect(follow(evidence)({ ...payout, status })).toBeUndefined();
  });
});

describe('following one disbursement of an answer', () => {
  const submitting = withoutId('submitting');
  const pending = { ...disbursement, status: 'pending' } as const;
  const again = { ...pending, disbursementId: 'd-again' };

  it('adopts it, and records the others', () => {
    const policy = followOne(pending, [again]);
    const [first, second] = [policy(submitting), policy({ ...submitting, status: 'pending', disbursementId: 'd-7' })];
    expect(first).toMatchObject({ kind: 'move', transition: { to: 'pending' }, changes: { disbursementId: 'd-7' } });
    expect(second).toMatchObject({
      kind: 'record',
      found: { code: 'reference_used_twice', disbursementId: 'd-again' },
    });
  });

  it.each([
    ['amount_differs', { amount: idr('3') }],
    ['destination_differs', { destinationHash: 'other' }],
  ])('compares it with the payout: %s', (code, differs) => {
    expect(followOne({ ...pending, ...differs }, [])(submitting)).toMatchObject({
      kind: 'move',
      transition: { to: 'quarantined' },
      changes: { reason: { code } },
    });
  });
});

describe('following a differing disbursement', () => {
  const differs = { ...disbursement, amount: idr('3') };

  it.each<[PayoutStatus, PayoutStatus]>([
    ['submitting', 'quarantined'],
    ['unknown', 'quarantined'],
    ['pending', 'quarantined'],
    ['on_hold', 'quarantined'],
    ['ready', 'quarantined'],
    ['quarantined', 'quarantined'],
  ])('quarantines one that is %s, without its id', (status, expected) => {
    const settled = settle(withoutId(status), differs);
    expect(settled.status).toBe(expected);
    expect(settled).not.toHaveProperty('disbursementId');
    if (status !== 'quarantined') expect(settled.reason?.code).toBe('amount_differs');
    expect(settled).not.toHaveProperty('contradictions');
  });

  it('is recorded beside an end', () => {
    const recorded = { code: 'amount_differs', disbursementId: 'd-7', observed: 'completed' };
    expect(settle({ ...payout, status: 'completed' }, differs)).toMatchObject({
      status: 'completed',
      contradictions: [recorded],
    });
  });

  it('does not hide a change of the same disbursement', () => {
    const settled = settle({ ...payout, status: 'completed' }, { ...differs, status: 'failed' });
    const { contradictions } = settle(settled, { ...disbursement, status: 'failed' });
    expect(contradictions?.map(({ code }) => code)).toEqual(['amount_differs', 'changed_after_end']);
  });
});

describe('a disbursement of an unposted payout', () => {
  it.each([...observedStatuses])('quarantines it, even one that is %s', (status) => {
    const settled = settle(withoutId('ready'), { ...disbursement, status });
    expect(settled).toMatchObject({ status: 'quarantined', reason: { code: 'found_unposted' } });
    expect(settled).not.toHaveProperty('disbursementId');
  });

  it('quarantines it when there are several', () => {
    const second = { ...disbursement, disbursementId: 'd-8' };
    expect(settle(withoutId('ready'), disbursement, second)).toMatchObject({ status: 'quarantined' });
  });
});

describe('several disbursements under one reference', () => {
  const second: Disbursement = { ...disbursement, disbursementId: 'd-8', status: 'pending' };

  it('are no contradiction of a canceled payout while no id of it is known', () => {
    const canceled = withoutId('canceled');
    const named = weigh(canceled, [{ ...disbursement, status: 'canceled' }, second], 'd-7');
    expect(follow(named)(canceled)).toBeUndefined();
  });

  it.each(['submitting', 'unknown'] as const)('quarantine a payout that is %s', (status) => {
    const settled = settle(withoutId(status), disbursement, second);
    expect(settled).toMatchObject({ status: 'quarantined', reason: { code: 'several_disbursements' } });
    expect(settled).not.toHaveProperty('contradictions');
  });

  it('let the payout continue to its own end, and are recorded once', () => {
    const settled = settle(payout, second, disbursement);
    const twice = { code: 'reference_used_twice', disbursementId: 'd-8', observed: 'pending' };
    expect(settled).toMatchObject({ status: 'completed', contradictions: [twice] });
    expect(settle(settled, disbursement, { ...second, status: 'completed' })).toBe(settled);
  });

  it('are recorded without its own, whose id was found since they were shown', () => {
    const evidence = weigh(withoutId('pending'), [disbursement, second]);
    expect(evidence.kind).toBe('several');
    expect(follow(evidence)(payout)).toMatchObject({ kind: 'record', found: { disbursementId: 'd-8' } });
  });

  it('are both recorded when none is its own', () => {
    const third = { ...second, disbursementId: 'd-9' };
    expect(settle(payout, second, third).contradictions).toMatchObject([
      { disbursementId: 'd-8' },
      { disbursementId: 'd-9' },
    ]);
  });

  it('show that a payout that ended without any was made', () => {
    expect(settle(withoutId('rejected'), disbursement, second)).toMatchObject({
      status: 'rejected',
      contradictions: [{ code: 'made_after_all' }],
    });
  });

  it.each<[string, Partial<Payout>]>([
    ['settled as not paid', { status: 'rejected', reason: { code: 'settled_not_paid', message: '' } }],
    ['written off', { status: 'failed', reason: { code: 'settled_written_off', message: '' } }],
    ['refused', { status: 'rejected' }],
  ])('show that a payout that was %s may have been paid by any of them', (_name, ended) => {
    const first: Disbursement = { ...disbursement, status: 'failed' };
    const paid = { disbursementId: 'd-8', observed: 'completed' };
    for (const failed of [first, { ...first, amount: idr('3') }])
      expect(
        settle({ ...withoutId('rejected'), ...ended }, failed, { ...second, status: 'completed' }).contradictions,
      ).toMatchObject([paid]);
  });

  it('add nothing to a quarantined payout', () => {
    const held = withoutId('quarantined');
    expect(settle(held, disbursement, second)).toBe(held);
  });

  it.each<[string, Payout, Partial<Disbursement>, string | undefined]>([
    ['one that has its own', payout, {}, 'reference_used_twice'],
    ['its own', payout, { disbursementId: 'd-7' }, undefined],
    ['one of another reference', payout, { reference: 'r-8' }, undefined],
    ['the first that is known of it', withoutId('unknown'), {}, undefined],
    ['that of the payout that holds the reference', { ...payout, status: 'rejected', heldBy: 'b-0' }, {}, undefined],
  ])('shown alone: %s', (_name, of, difference, code) => {
    const { contradictions: [recorded] = [] } = settle(of, { ...second, ...difference });
    expect(recorded?.code).toBe(code);
  });

  it.each<[string, Payout, Partial<Disbursement>]>([
    ['its own', payout, { disbursementId: 'd-7' }],
    ['of another reference', payout, { reference: 'r-8' }],
    ['of the payout that holds the reference', { ...payout, heldBy: 'b-0' }, {}],
  ])('do not count when the other is %s', (_name, held, difference) => {
    expect(recordBeside([{ ...second, ...difference }], held.disbursementId)(held)).toBeUndefined();
  });
});

describe('contradictions of an ended payout', () => {
  /** The end, whether its id is known, the provider's status, and the recorded contradiction. */
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
    (status, isKnown, says, code) => {
      const ended = isKnown ? { ...payout, status } : withoutId(status);
      const recorded = [{ code, disbursementId: 'd-7', observed: says, at: 't' }];
      expect(settle(ended, { ...disbursement, status: says })).toEqual(
        code === undefined ? ended : { ...ended, contradictions: recorded },
      );
    },
  );

  it('are recorded once per status, however often they are shown', () => {
    const contradicted = (['failed', 'failed', 'canceled', 'failed'] as const).reduce<Payout>(
      (of, status) => settle(of, { ...disbursement, status }),
      { ...payout, status: 'completed' },
    );
    expect(contradicted.contradictions?.map(({ observed }) => observed)).toEqual(['failed', 'canceled']);
  });

  it('belong to another payout when the reference does', () => {
    const duplicate: Payout = { ...withoutId('rejected'), heldBy: 'b-0' };
    expect(settle(duplicate, disbursement)).toBe(duplicate);
  });
});

const shown = fc.record({
  disbursementId: fc.constantFrom('d-7', 'd-8', 'd-9'),
  status: fc.constantFrom(...observedStatuses),
  amount: fc.constantFrom(idr('150000.5'), idr('3')),
  reference: fc.constantFrom('r-7', 'r-8'),
});
const held = fc
  .record({ status: fc.constantFrom(...payoutStatuses), isKnown: fc.boolean() })
  .map(({ status, isKnown }) => (isKnown ? { ...payout, status } : withoutId(status)));

it.each(['failed', 'canceled'] as const)(
  'a disbursement that is %s is no contradiction of a payout that was settled as not paid',
  (status) => {
    const settled = { ...withoutId('rejected'), reason: { code: 'settled_not_paid', message: '' } };
    expect(settle(settled, { ...disbursement, status })).toBe(settled);
  },
);

describe('news of a payout that was quarantined as overdue', () => {
  const overdue: Payout = { ...payout, status: 'quarantined', reason: { code: 'followed_too_long', message: '' } };
  const shown = (status: ObservedStatus) => followNews(weigh(payout, [{ ...disbursement, status }]));

  it('changes nothing while it is pending', () => {
    expect(shown('pending')(overdue)).toBeUndefined();
  });

  it.each(observedStatuses.filter((status) => status !== 'pending'))('is followed once it is %s', (status) => {
    expect(shown(status)(overdue)).toMatchObject({ transition: { to: status } });
  });

  it.each<[string, Payout]>([
    ['quarantined for another reason', { ...overdue, reason: { code: 'several_disbursements', message: '' } }],
    ['in doubt', { ...overdue, status: 'unknown' }],
  ])('of a pending payout that is %s instead is followed', (_name, other) => {
    expect(shown('pending')(other)).toMatchObject({ transition: { to: 'pending' } });
  });
});

describe('any answers of the provider, repeated', () => {
  it('never move a payout from an end or back to ready, never replace its disbursement, and let it come to rest', () => {
    fc.assert(
      fc.property(held, fc.array(fc.array(shown, { maxLength: 3 }), { maxLength: 5 }), (before, sightings) => {
        let current = before;
        for (const seen of sightings) {
          const after = settle(current, ...seen.map((one) => ({ ...disbursement, ...one })));
          if (isEnd(current.status)) expect(after.status).toBe(current.status);
          if (current.status !== 'ready') expect(after.status).not.toBe('ready');
          if (current.disbursementId !== undefined) expect(after.disbursementId).toBe(current.disbursementId);
          current = after;
        }
      }),
      { numRuns: runs(2000) },
    );
  });

  it('cause no further decision when repeated', () => {
    fc.assert(
      fc.property(held, fc.array(shown, { maxLength: 3 }), (before, seen) => {
        const all = seen.map((one) => ({ ...disbursement, ...one }));
        // A payout found unposted is looked up once more before it rests.
        const once = settle(settle(before, ...all), ...all);
        expect(settle(once, ...all)).toBe(once);
      }),
      { numRuns: runs(2000) },
    );
  });
});
