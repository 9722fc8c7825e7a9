import { describe, expect, it } from 'vitest';
import type { Call, CallOutcome } from '../../../functions/domain/batch/chunk.ts';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import type { PayoutStatus, PayoutTransition } from '../../../functions/domain/payout/payout-status.ts';
import { payoutStatuses, payoutTransitions } from '../../../functions/domain/payout/payout-status.ts';
import {
  cancel,
  confirmRefusal,
  isInDoubt,
  isUnconfirmed,
  keepUnrepeatable,
  lookupAllowedFrom,
  refuseRetry,
  resolve,
  returnClaim,
} from '../../../functions/payouts/decide-by-calls.ts';
import type { Move } from '../../../functions/payouts/decide-by-evidence.ts';
import type { RailTraits } from '../../../functions/ports/provider.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { idr } from '../../support/money.ts';
import { disbursement, withoutId } from './example.ts';

/** With fiat references that are unique for so long. */
const uniqueFor = (referenceUniqueHours: RailTraits['referenceUniqueHours']) => {
  const { rails } = documentedTraits();
  return { resolveAfterSeconds: 120, rails: { ...rails, fiat: { ...rails.fiat, referenceUniqueHours } } };
};
const settings = uniqueFor('forever');
const claimedAt = '2026-01-01T00:00:00.000Z';
const call: Call = { batchId: 'b-1', chunk: 2, k: 3, rows: [7, 8], payloadHash: 'h', claimId: 'c', claimedAt };
const afterSeconds = (seconds: number): number => Date.parse(claimedAt) + seconds * 1000;
const lost = (changes: Partial<Payout> = {}): Payout => ({
  ...withoutId('unknown'),
  call: 3,
  updatedAt: claimedAt,
  ...changes,
});

const nameOf = new Map<PayoutTransition, string>(Object.entries(payoutTransitions).map(([name, one]) => [one, name]));

const describeMove = (move: Move | undefined): string => {
  if (move?.kind !== 'move') return move?.kind ?? 'nothing';
  const { transition, changes } = move;
  return changes?.reason?.code ?? nameOf.get(transition) ?? 'no transition of the table';
};

const decided = (
  payout: Payout,
  outcome: CallOutcome | undefined,
  changes: Partial<Call> = {},
  at = 1000,
  earlier: readonly Call[] = [],
) => {
  const of = { ...call, ...changes, ...(outcome === undefined ? {} : { outcome }) };
  return describeMove(
    resolve({ kind: 'absent' }, { call: of, calls: [...earlier, of] }, settings, afterSeconds(at))(payout),
  );
};

const unknown: CallOutcome = { kind: 'unknown', cause: 'timeout' };
const taken = { kind: 'rejected', message: 'It is there', isTaken: true } as const satisfies CallOutcome;
const rejected = (message = 'Payment method not found'): CallOutcome => ({ kind: 'rejected', message });

describe('an absent payout', () => {
  it.each([
    ['is counted three times when its call was lost', lost({ absences: 2 }), unknown, {}, 'count_absence'],
    ['goes out again after that, when it is fiat', lost({ absences: 3 }), unknown, {}, 'provenAbsent'],
    [
      'is quarantined after that, when it is crypto',
      lost({ absences: 3, rail: 'crypto' }),
      unknown,
      {},
      'absent_but_not_repeatable',
    ],
    ['is counted as often when the call has no outcome', lost({ absences: 2 }), undefined, {}, 'count_absence'],
    ['goes out again when the call has no outcome', lost({ absences: 3 }), undefined, {}, 'provenAbsent'],
    [
      'goes out again when the provider itself refused the credentials, crypto too',
      lost({ absences: 3, rail: 'crypto' }),
      { kind: 'halted', madeNothing: true },
      {},
      'provenAbsent',
    ],
    [
      'is quarantined when a gateway refused it, maybe on the way back, and it is crypto',
      lost({ absences: 3, rail: 'crypto' }),
      { kind: 'halted' },
      {},
      'absent_but_not_repeatable',
    ],
    [
      'goes out again when a gateway refused it and it is fiat',
      lost({ absences: 3 }),
      { kind: 'halted' },
      {},
      'provenAbsent',
    ],
    ['goes out again in halves of a refused call, by one look', lost(), rejected(), {}, 'provenAbsent'],
    ['needs three looks for that, when it is crypto', lost({ rail: 'crypto' }), rejected(), {}, 'count_absence'],
    [
      'goes out again alone after that, when it is crypto',
      lost({ absences: 3, rail: 'crypto' }),
      rejected(),
      {},
      'provenAbsent',
    ],
    [
      'is the row at fault when it was alone, crypto too',
      lost({ rail: 'crypto' }),
      rejected(),
      { rows: [7] },
      'provider_rejected',
    ],
    [
      'is never submitted again when the provider said that it made it',
      lost({ absences: 3 }),
      { kind: 'accepted' },
      {},
      'accepted_but_not_found',
    ],
    ['is the row at fault when it was alone', lost(), rejected(), { rows: [7] }, 'provider_rejected'],
    [
      'is not at fault when the balance was too low',
      lost(),
      { ...rejected(), isBalanceTooLow: true },
      { rows: [7] },
      'provenAbsent',
    ],
    ['is another call’s to judge', lost({ call: 4, absences: 3 }), unknown, {}, 'nothing'],
    ['is not in doubt anymore', lost({ status: 'pending', absences: 3 }), unknown, {}, 'nothing'],
  ] as const)('%s', (_name, payout, outcome, changes, expected) => {
    expect(decided(payout, outcome, changes)).toBe(expected);
  });

  it('is quarantined when the provider promises no unique references', () => {
    const policy = resolve(
      { kind: 'absent' },
      { call: { ...call, outcome: unknown }, calls: [] },
      uniqueFor(0),
      afterSeconds(1000),
    );
    expect(describeMove(policy(lost({ absences: 3 })))).toBe('absent_but_not_repeatable');
  });

  it.each([
    [2759, 'provenAbsent'],
    [2760, 'absent_but_not_repeatable'],
  ] as const)('relies on a reference that is unique for an hour until %d s after the call: %s', (seconds, expected) => {
    const policy = resolve(
      { kind: 'absent' },
      { call: { ...call, outcome: unknown }, calls: [] },
      uniqueFor(1),
      afterSeconds(seconds),
    );
    expect(describeMove(policy(lost({ absences: 3 })))).toBe(expected);
  });

  it.each([
    [{ fiat: 'forever', crypto: 24 }, 'crypto', 'provenAbsent'],
    [{ fiat: 'forever', crypto: 0.25 }, 'crypto', 'absent_but_not_repeatable'],
    [{ fiat: 0, crypto: 'forever' }, 'fiat', 'absent_but_not_repeatable'],
    [{ fiat: 0, crypto: 'forever' }, 'crypto', 'provenAbsent'],
  ] as const)('asks how long references are unique on its own rail: %o, %s', (hours, rail, expected) => {
    const of = (referenceUniqueHours: RailTraits['referenceUniqueHours']) => ({
      ...documentedTraits().rails[rail],
      referenceUniqueHours,
    });
    const policy = resolve(
      { kind: 'absent' },
      { call: { ...call, outcome: unknown }, calls: [] },
      { ...settings, rails: { fiat: of(hours.fiat), crypto: of(hours.crypto) } },
      afterSeconds(1000),
    );
    expect(describeMove(policy(lost({ absences: 3, rail })))).toBe(expected);
  });

  it('counts from the first call that may have made it', () => {
    const earlier = {
      ...call,
      k: call.k - 1,
      claimedAt: new Date(afterSeconds(-3000)).toISOString(),
      outcome: unknown,
    };
    const policy = resolve(
      { kind: 'absent' },
      { call: { ...call, outcome: unknown }, calls: [earlier] },
      uniqueFor(1),
      afterSeconds(1000),
    );
    expect(describeMove(policy(lost({ absences: 3 })))).toBe('absent_but_not_repeatable');
  });

  it('counts only over growing intervals: 120 s after the claim, then 240 and 480 s after the last absence', () => {
    const since = new Date(afterSeconds(1000)).toISOString();
    const firstCounted = [0, 1, 2].map((absences) => {
      const payout = absences === 0 ? lost() : lost({ absences, updatedAt: since });
      const start = absences === 0 ? 0 : 1000;
      return Array.from({ length: 600 }, (_, second) => second).find(
        (second) => decided(payout, unknown, {}, start + second) === 'count_absence',
      );
    });
    expect(firstCounted).toEqual([120, 240, 480]);
  });

  it('names its call in every move, so that it cannot undo the next one', () => {
    for (const [payout, outcome] of [
      [lost({ absences: 3 }), unknown],
      [lost({ absences: 3, rail: 'crypto' }), unknown],
      [lost({ absences: 1 }), rejected()],
    ] as const) {
      const doubt = { call: { ...call, rows: [7], outcome }, calls: [] };
      const move = resolve({ kind: 'absent' }, doubt, settings, afterSeconds(1000))(payout);
      expect(move).toMatchObject({ kind: 'move', call: 3 });
    }
  });
});

describe('a refusal while an earlier call may have made the row', () => {
  const alone = { rows: [7] };
  const earlierCall = (outcome: CallOutcome | undefined, rows = [7]): readonly Call[] => [
    { ...call, k: 1, rows, ...(outcome === undefined ? {} : { outcome }) },
  ];
  it.each([
    ['of a row alone whose reference is taken needs three looks', 2, taken, alone, [], 'count_absence'],
    ['of a row alone whose reference is taken is a person’s to judge', 3, taken, alone, [], 'refused_but_may_exist'],
    ['of a reference among several goes out again in halves', 1, taken, {}, [], 'provenAbsent'],
    ['needs three looks after a call that was lost', 2, rejected(), alone, earlierCall(unknown), 'count_absence'],
    [
      'is a person’s to judge after a call that was lost',
      3,
      rejected(),
      alone,
      earlierCall(unknown),
      'refused_but_may_exist',
    ],
    ['counts a call without an outcome as lost', 3, rejected(), alone, earlierCall(undefined), 'refused_but_may_exist'],
    [
      'counts a call whose credentials a gateway refused as lost, maybe on the way back',
      3,
      rejected(),
      alone,
      earlierCall({ kind: 'halted' }),
      'refused_but_may_exist',
    ],
    [
      'rejects the row when the provider itself refused the credentials before',
      1,
      rejected(),
      alone,
      earlierCall({ kind: 'halted', madeNothing: true }),
      'provider_rejected',
    ],
    [
      'of the balance goes out again, after three looks',
      3,
      { ...rejected(), isBalanceTooLow: true },
      alone,
      earlierCall(unknown),
      'provenAbsent',
    ],
    [
      'rejects the row when the call before was refused too',
      1,
      rejected(),
      alone,
      earlierCall(rejected()),
      'provider_rejected',
    ],
    [
      'in the words in which it was refused with others rejects the row',
      1,
      rejected(),
      alone,
      earlierCall(rejected(), [6, 7, 8]),
      'provider_rejected',
    ],
    [
      'in other words than at first needs three looks, because the first call may have made it',
      2,
      rejected('Invalid reference'),
      alone,
      [...earlierCall(rejected(), [6, 7, 8]), ...earlierCall(rejected('Invalid reference'), [6, 7])],
      'count_absence',
    ],
    [
      'in other words than at first rejects the row after that',
      3,
      rejected('Invalid reference'),
      alone,
      earlierCall(rejected(), [6, 7, 8]),
      'provider_rejected',
    ],
    [
      'in other words than at first for the second time rejects the row, which was looked up three times since',
      1,
      rejected('Invalid reference'),
      alone,
      [...earlierCall(rejected(), [6, 7, 8]), ...earlierCall(rejected('Invalid reference'))],
      'provider_rejected',
    ],
    [
      'in other words than at first needs three looks although the words were the same meanwhile',
      2,
      rejected('Invalid reference'),
      alone,
      [...earlierCall(rejected(), [6, 7, 8]), ...earlierCall(rejected())],
      'count_absence',
    ],
    [
      'in other words than at first needs three looks although the balance was too low for it alone meanwhile',
      2,
      rejected('Invalid reference'),
      alone,
      [
        ...earlierCall(rejected(), [6, 7, 8]),
        ...earlierCall({ kind: 'rejected', message: 'Invalid reference', isBalanceTooLow: true }),
      ],
      'count_absence',
    ],
    [
      'of the balance needs one look, whatever the words before',
      1,
      { kind: 'rejected', message: 'Too low', isBalanceTooLow: true },
      alone,
      earlierCall(rejected(), [6, 7, 8]),
      'provenAbsent',
    ],
    [
      'needs three looks after the balance was too low for it and others, of which some may be made',
      2,
      rejected(),
      alone,
      earlierCall({ kind: 'rejected', message: 'Too low', isBalanceTooLow: true }, [6, 7, 8]),
      'count_absence',
    ],
    [
      'in other words than other rows rejects the row',
      1,
      rejected('Invalid reference'),
      alone,
      earlierCall(rejected(), [6, 8]),
      'provider_rejected',
    ],
    [
      'rejects the row when the call before never left',
      1,
      rejected(),
      alone,
      earlierCall({ kind: 'not_sent' }),
      'provider_rejected',
    ],
    [
      'rejects the row when another row’s call was lost',
      1,
      rejected(),
      alone,
      earlierCall(unknown, [8]),
      'provider_rejected',
    ],
  ] as const)('%s', (_name, absences, outcome, changes, earlier, expected) => {
    expect(decided(lost({ absences }), outcome, changes, 1000, earlier)).toBe(expected);
  });

  it('is looked up once no function that could post is alive', () => {
    const of = { ...call, ...alone, outcome: taken };
    expect(lookupAllowedFrom(lost(), { call: of, calls: [of] }, settings)).toBe(afterSeconds(120));
  });
});

describe('a found payout', () => {
  it.each([
    ['that fits is followed', { kind: 'fits', disbursement, others: [] }, 'observeCompleted'],
    [
      'that differs is quarantined',
      { kind: 'differs', disbursement, others: [], code: 'amount_differs' },
      'amount_differs',
    ],
    [
      'with several disbursements is quarantined',
      { kind: 'several', disbursements: [disbursement], fitting: [] },
      'several_disbursements',
    ],
    ['that could not be looked up stays as it is', { kind: 'unknown', cause: 'timeout', isRefused: false }, 'nothing'],
  ] as const)('%s, however recent the call', (_name, evidence, expected) => {
    const shown =
      evidence.kind === 'differs' ? { ...evidence, disbursement: { ...disbursement, amount: idr('3') } } : evidence;
    expect(describeMove(resolve(shown, { call, calls: [] }, settings, afterSeconds(0))(lost()))).toBe(expected);
  });
});

describe('when a payout may be looked up', () => {
  it.each([
    ['immediately when the service reports that it made nothing', rejected(), 0],
    ['immediately when it was never sent', { kind: 'not_sent' }, 0],
    ['when no function that could post is alive', unknown, 120],
    ['the same of a call without an outcome', undefined, 120],
    ['the same of refused credentials', { kind: 'halted' }, 120],
  ] as const)('%s', (_name, outcome, seconds) => {
    const of = outcome === undefined ? call : { ...call, outcome };
    expect(lookupAllowedFrom(lost(), { call: of, calls: [of] }, settings)).toBe(afterSeconds(seconds));
  });
});

it('returns only the claims of a call that was never sent', () => {
  const returned = payoutStatuses.filter((status) => returnClaim(call)(lost({ status })) !== undefined);
  expect(returned).toEqual(['submitting']);
  expect(returnClaim(call)(lost({ status: 'submitting' }))).toMatchObject({ transition: { to: 'ready' }, call: 3 });
});

describe('an unconfirmed refusal', () => {
  const refused: Call = { ...call, outcome: { kind: 'rejected', message: 'Maintenance', isUnconfirmed: true } };
  const later = (outcome?: CallOutcome): Call => ({ ...call, k: 4, rows: [8], ...(outcome && { outcome }) });

  it.each<[string, PayoutStatus, readonly Call[], string]>([
    [
      'rejects the row once a later call was accepted',
      'ready',
      [refused, later({ kind: 'accepted' })],
      'provider_rejected',
    ],
    ['rejects no row that went on', 'pending', [refused, later({ kind: 'accepted' })], 'nothing'],
    ['says nothing while no later call is answered', 'ready', [refused, later()], 'nothing'],
    ['says nothing after an earlier call', 'ready', [{ ...later({ kind: 'accepted' }), k: 2 }, refused], 'nothing'],
    ['proves nothing when the call has no outcome', 'ready', [call, later({ kind: 'accepted' })], 'nothing'],
    [
      'rejects no row that an earlier call may have made',
      'ready',
      [{ ...call, k: 1, outcome: unknown }, refused, later({ kind: 'accepted' })],
      'nothing',
    ],
    [
      'rejects no row whose reference is taken',
      'ready',
      [{ ...refused, rows: [7], outcome: { ...taken, isUnconfirmed: true } }, later({ kind: 'accepted' })],
      'nothing',
    ],
  ])('%s', (_name, status, calls, expected) => {
    expect(describeMove(confirmRefusal(calls)(lost({ status })))).toBe(expected);
  });

  it('lets its row go out again, alone and absent, because nothing shows that the row is at fault', () => {
    const { outcome } = refused;
    expect(decided(lost(), outcome, { rows: [7] })).toBe('provenAbsent');
  });

  it('is none when the call is missing or has no outcome', () => {
    expect([undefined, call, refused].map(isUnconfirmed)).toEqual([false, false, true]);
  });
});

describe('a payout that was not submitted', () => {
  const maybe: Call = { ...call, outcome: unknown };
  it.each([
    ['is canceled', cancel([]), 'batch_canceled', 'canceled'],
    ['that a call may have made is a person’s to judge', cancel([maybe]), 'canceled_but_may_exist', 'quarantined'],
    [
      'is a person’s to judge when its reference may be used again by now',
      keepUnrepeatable([maybe], uniqueFor(1), afterSeconds(3600)),
      'absent_but_not_repeatable',
      'quarantined',
    ],
    ['is rejected as a retry', refuseRetry([], 'X is paid'), 'original_not_retryable', 'rejected'],
    ['is quarantined as a retry', refuseRetry([maybe], 'X is paid'), 'original_not_retryable', 'quarantined'],
  ] as const)('%s, and no other is changed', (_name, policy, code, to) => {
    expect(policy(lost({ status: 'ready' }))).toMatchObject({ changes: { reason: { code } }, transition: { to } });
    expect(payoutStatuses.filter((status) => policy(lost({ status })) !== undefined)).toEqual(['ready']);
  });
});

it.each<[PayoutStatus, number, boolean]>([
  ['submitting', 3, true],
  ['unknown', 3, true],
  ['unknown', 2, false],
  ['pending', 3, false],
  ['ready', 3, false],
])('one that is %s, claimed last by call %i, is in doubt about call 3: %s', (status, k, expected) => {
  expect(isInDoubt(lost({ status, call: k }), call)).toBe(expected);
});
