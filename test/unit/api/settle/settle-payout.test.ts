import { describe, expect, it } from 'vitest';
import type { PayoutDecision } from '../../../../functions/api/schemas/payout.ts';
import { payoutView } from '../../../../functions/api/schemas/payout.ts';
import { settlePayout } from '../../../../functions/api/settle/settle-payout.ts';
import { ProviderMisconfigured, ProviderRefused, ProviderUnavailable } from '../../../../functions/domain/errors.ts';
import { payoutTransitions } from '../../../../functions/domain/payout/payout-status.ts';
import { isRetryable } from '../../../../functions/domain/payout/retries.ts';
import { apply } from '../../../../functions/payouts/apply.ts';
import { follow } from '../../../../functions/payouts/decide-by-evidence.ts';
import { weigh } from '../../../../functions/payouts/evidence.ts';
import { inspect } from '../../../../functions/payouts/inspect.ts';
import type { Disbursement } from '../../../../functions/ports/provider.ts';
import { otherRecord } from '../../../../functions/ports/provider.ts';
import { usdt } from '../../../support/money.ts';
import { batchId } from '../../../support/scenes/batch-scene.ts';
import { tronAddress } from '../../../support/wallet-addresses.ts';
import { operator } from '../fixtures.ts';

import { createSettleScene, problem, quarantined } from './settle-scene.ts';

describe('settling a quarantined payout', () => {
  it('updates the counts after an attempt that died, even when the provider does not answer', async () => {
    const { scene, standing, knows, settle } = await quarantined();
    knows({ status: 'completed' });
    await scene.ledger.refreshChunk(batchId, 1);
    const { refreshChunk } = scene.ledger;
    let isDead = false;
    scene.ledger.refreshChunk = async (...of) => {
      if (isDead || standing()?.status !== 'completed') return refreshChunk(...of);
      isDead = true;
      throw new Error('died');
    };
    await expect(settle('as_provider_says')).rejects.toThrow('died');
    scene.provider.lookUp = async () => ({ kind: 'unknown', cause: 'status_500' });
    await settle('as_provider_says');
    expect((await scene.ledger.listChunks(batchId))[0]?.tallies).toMatchObject({ completed: { count: 1 } });
  });

  it.each([
    ['not_paid', 'rejected', 'settled_not_paid', true],
    ['paid', 'completed', 'settled_paid', false],
    ['written_off', 'failed', 'settled_written_off', false],
  ] as const)('as %s ends it as %s, once, in the audit trail', async (decision, status, code, mayBeRetried) => {
    const { scene, standing, settle } = await quarantined();
    const first = await settle(decision);
    expect(first).toMatchObject({ status: 200, body: { status, reason: { code } } });
    if (first.kind === 'answer') expect(payoutView.parse(first.body)).toEqual(first.body);
    expect(await settle(decision)).toEqual(first);
    expect(scene.ledger.events).toMatchObject([
      { code: 'payout.settled', by: operator, note: 'Ticket 4711', detail: `ref-1 ${decision}; provider: absent` },
    ]);
    const [record] = await scene.ledger.listChunks(batchId);
    expect(record?.tallies).toMatchObject({ [status]: { count: 1 } });
    expect(isRetryable(standing() ?? { status: 'ready' })).toBe(mayBeRetried);
    expect(scene.posted).toHaveLength(1);
  });

  it.each([
    ['not_paid', problem('payout_conflict')],
    ['as_provider_says', problem('payout_conflict')],
    ['paid', { status: 200 }],
    ['written_off', { status: 200 }],
  ] as const)('as %s does not believe an account that does not know its batch', async (decision, expected) => {
    const { scene, standing, settle } = await quarantined();
    const batch = scene.ledger.batches.get(batchId);
    if (batch?.plan !== undefined) scene.ledger.putBatch({ ...batch, plan: { ...batch.plan, account: 'former' } });
    expect(await settle(decision)).toMatchObject(expected);
    if ('kind' in expected) expect(standing()?.status).toBe('quarantined');
  });

  it('keeps both disbursements when two operators concurrently name different ones', async () => {
    const { scene, standing, knows, settle } = await quarantined();
    knows({ disbursementId: 'd-1', status: 'pending' });
    knows({ disbursementId: 'd-2', status: 'completed' });
    const { lookUp } = scene.provider;
    scene.provider.lookUp = async (rail, id) => {
      scene.provider.lookUp = lookUp;
      await settle('as_provider_says', 'd-1');
      return lookUp(rail, id);
    };
    expect(await settle('as_provider_says', 'd-2')).toMatchObject(problem('payout_conflict'));
    expect(standing()).toMatchObject({
      status: 'pending',
      disbursementId: 'd-1',
      contradictions: [{ code: 'reference_used_twice', disbursementId: 'd-2', observed: 'completed' }],
    });
    expect(standing()?.contradictions).toHaveLength(1);
  });

  it('accepts no absence of an unposted payment before lookups can have caught up', async () => {
    const scene = await createSettleScene();
    const { ledger, dependencies, passSeconds } = scene;
    scene.answers.push(() => ({ kind: 'not_sent', cause: 'refused' }));
    await scene.submit();
    const [ready] = ledger.payouts;
    if (ready === undefined) throw new Error('no payout');
    passSeconds(3600);
    await apply(dependencies, ready, follow(weigh(ready, [scene.disbursementOf('ref-1')])));
    expect(scene.statuses()).toEqual(['quarantined']);
    const settle = () =>
      settlePayout(dependencies, {
        path: { reference: 'ref-1' },
        body: { decision: 'not_paid', reason: 'not in the list' },
        caller: operator,
      });
    expect(await settle()).toMatchObject(problem('too_early'));
    expect(scene.statuses()).toEqual(['quarantined']);
    passSeconds(86_400);
    expect(await settle()).toMatchObject({ status: 200, body: { status: 'rejected' } });
  });

  it('takes the provider’s status of the named disbursement, when it matches', async () => {
    const { scene, standing, knows, settle } = await quarantined();
    knows({ disbursementId: 'd-77', status: 'completed' });
    expect(await settle('as_provider_says', 'd-77')).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect(standing()?.disbursementId).toBe('d-77');
    expect(scene.ledger.events).toMatchObject([{ detail: 'ref-1 as_provider_says; provider: d-77 is completed' }]);
  });

  it.each([
    ['the amount', { amount: usdt('999') }, 'amount_differs'],
    ['the destination', { destinationHash: 'another' }, 'destination_differs'],
    ['the reference', { reference: 'ref-9' }, 'reference_differs'],
  ] as const)('does not accept a disbursement that differs in %s', async (_name, changes, code) => {
    const { standing, knows, settle } = await quarantined();
    knows({ disbursementId: 'd-77', status: 'completed', ...changes });
    expect(await settle('as_provider_says', 'd-77')).toMatchObject({
      ...problem('evidence_contradicts'),
      about: { detail: expect.stringContaining(code) },
    });
    expect(standing()?.status).toBe('quarantined');
  });

  /** The provider's record, the decision, and the result. */
  const cases: readonly (readonly [Partial<Disbursement>, PayoutDecision, string])[] = [
    [{ status: 'completed' }, 'not_paid', 'evidence_contradicts'],
    [{ status: 'completed' }, 'written_off', 'evidence_contradicts'],
    [{ status: 'completed' }, 'paid', 'completed'],
    [{ status: 'pending' }, 'not_paid', 'evidence_contradicts'],
    [{ status: 'on_hold' }, 'not_paid', 'evidence_contradicts'],
    [{ status: 'pending' }, 'as_provider_says', 'pending'],
    [{ status: 'pending' }, 'written_off', 'failed'],
    [{ status: 'failed' }, 'not_paid', 'failed'],
    [{ status: 'canceled' }, 'not_paid', 'canceled'],
    [{ status: 'failed' }, 'written_off', 'failed'],
    [{ status: 'canceled' }, 'written_off', 'canceled'],
    [{ status: 'failed' }, 'paid', 'evidence_contradicts'],
    [{ status: 'completed', amount: usdt('999') }, 'not_paid', 'evidence_contradicts'],
    [{ status: 'failed', amount: usdt('999') }, 'not_paid', 'rejected'],
    [{ status: 'completed', amount: usdt('999') }, 'paid', 'completed'],
    [{ status: 'completed', amount: usdt('999') }, 'written_off', 'failed'],
  ];
  it.each(cases)('%o at the provider, decided as %s: %s', async (known, decision, expected) => {
    const { standing, knows, settle } = await quarantined();
    knows(known);
    const outcome = await settle(decision);
    if (expected.startsWith('evidence')) {
      expect(outcome).toMatchObject(problem(expected));
      expect(standing()?.status).toBe('quarantined');
    } else expect(outcome).toMatchObject({ status: 200, body: { status: expected } });
    if (decision === 'written_off') expect(isRetryable(standing() ?? expect.fail('no payout'))).toBe(false);
  });

  const twiceUsed = (disbursementId: string, observed: string) => ({
    code: 'reference_used_twice',
    disbursementId,
    observed,
  });

  it('of a payout paid twice only chooses one disbursement, and records the other', async () => {
    const { standing, knows, settle } = await quarantined();
    knows({ disbursementId: 'd-1', status: 'completed' });
    knows({ disbursementId: 'd-2', status: 'completed' });
    for (const decision of ['not_paid', 'paid', 'written_off', 'as_provider_says'] as const) {
      expect(await settle(decision)).toMatchObject({
        ...problem('evidence_contradicts'),
        about: { detail: expect.stringContaining('d-1 is completed, d-2 is completed'), batchId },
      });
    }
    expect(standing()).not.toHaveProperty('contradictions');
    expect(await settle('as_provider_says', 'd-1')).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect(standing()).toMatchObject({ disbursementId: 'd-1', contradictions: [twiceUsed('d-2', 'completed')] });
    expect(await settle('as_provider_says', 'd-1')).toMatchObject({ status: 200 });
    expect(standing()?.contradictions).toHaveLength(1);
  });

  const bothFailed = ['d-1', 'd-2'].map((id) => ({ disbursementId: id, status: 'failed' }) as const);

  it.each<[string, readonly Partial<Disbursement>[], string, string?]>([
    ['one of another amount', [{ disbursementId: 'd-1', status: 'failed', amount: usdt('999') }], 'd-1'],
    [
      'one of another amount, and a later one',
      [{ disbursementId: 'd-1', status: 'failed', amount: usdt('999') }],
      'd-2',
    ],
    ['several, of which the first is paid', bothFailed, 'd-1'],
    ['several, of which the last is paid', bothFailed, 'd-2'],
    ['its own, and another', bothFailed, 'd-1', 'd-1'],
    ['its own, and another, which is paid', bothFailed, 'd-2', 'd-1'],
  ])(
    'may be retried until one is paid, when it was settled as not paid and all that is known of it failed: %s',
    async (_, known, paid, own) => {
      const { scene, standing, knows, settle } = await quarantined();
      for (const one of known) knows(one);
      if (own !== undefined)
        scene.ledger.putPayout({ ...(standing() ?? expect.fail('no payout')), disbursementId: own });
      expect(await settle('not_paid')).toMatchObject({ status: 200, body: { status: 'rejected' } });
      // What a retry's check and the comparison of ended batches do.
      const settled = standing() ?? expect.fail('no payout');
      await apply(scene.dependencies, settled, follow(await inspect(scene.provider, settled, { isThorough: true })));
      expect(standing()).not.toHaveProperty('contradictions');
      expect(isRetryable(standing() ?? expect.fail('no payout'))).toBe(true);
      knows({ disbursementId: paid, status: 'completed' });
      await apply(scene.dependencies, settled, follow(await inspect(scene.provider, settled, { isThorough: true })));
      expect(isRetryable(standing() ?? expect.fail('no payout'))).toBe(false);
    },
  );

  it('as failed by a named disbursement also records another one, so that it is not retried, even after a death', async () => {
    const { scene, standing, knows, settle } = await quarantined();
    knows({ disbursementId: 'd-1', status: 'failed' });
    knows({ disbursementId: 'd-2', status: 'pending' });
    const { movePayout } = scene.ledger;
    scene.ledger.movePayout = async () => {
      throw new Error('died');
    };
    await expect(settle('as_provider_says', 'd-1')).rejects.toThrow('died');
    scene.ledger.movePayout = movePayout;
    expect(await settle('as_provider_says', 'd-1')).toMatchObject({ status: 200, body: { status: 'failed' } });
    const payout = standing();
    expect(payout?.contradictions).toMatchObject([twiceUsed('d-2', 'pending')]);
    expect(payout === undefined || isRetryable(payout)).toBe(false);
  });

  it.each(['paid', 'written_off'] as const)(
    'is %s by an operator’s decision when none of several has clearly paid it, and all are recorded',
    async (decision) => {
      const { standing, knows, settle } = await quarantined();
      knows({ disbursementId: 'd-1', status: 'pending' });
      knows({ disbursementId: 'd-2', status: 'completed', amount: usdt('999') });
      expect(await settle('not_paid')).toMatchObject(problem('evidence_contradicts'));
      expect(await settle(decision)).toMatchObject({ status: 200 });
      expect(standing()?.contradictions).toMatchObject([twiceUsed('d-1', 'pending'), twiceUsed('d-2', 'completed')]);
    },
  );

  it('is not settled as not paid when one is known as refunded and another may have paid it', async () => {
    const { scene, standing, knows, settle } = await quarantined();
    const id = { batchId, chunk: 1, row: 1 };
    const differs = { code: 'amount_differs', message: 'The amount differs.' };
    await scene.ledger.movePayout(id, payoutTransitions.settleNotPaid);
    scene.ledger.putPayout({
      ...(standing() ?? expect.fail('no payout')),
      status: 'quarantined',
      reason: differs,
      disbursementId: 'd-1',
    });
    knows({ disbursementId: 'd-1', status: 'failed', amount: usdt('999') });
    knows({ disbursementId: 'd-2', status: 'completed' });
    expect(await settle('not_paid')).toMatchObject(problem('evidence_contradicts'));
    expect(standing()).toMatchObject({ status: 'quarantined', contradictions: [twiceUsed('d-2', 'completed')] });
  });

  it.each(['not_paid', 'as_provider_says'] as const)(
    'as %s asks for correct settings when they are the likely cause of no answer',
    async (decision) => {
      const { standing, says, settle } = await quarantined('fiat');
      says({ kind: 'unknown', cause: 'credentials_unavailable', isMisconfigured: true });
      expect(await settle(decision)).toMatchObject({
        ...problem('provider_refused'),
        about: {
          detail: expect.stringContaining('(credentials_unavailable). Probably the signing secret'),
          batchId,
          payoutStatus: 'quarantined',
        },
      });
      expect(standing()?.status).toBe('quarantined');
    },
  );

  it('never treats an outage as proof that nothing was paid', async () => {
    const { standing, says, settle } = await quarantined('fiat');
    says({ kind: 'unknown', cause: 'status_503' });
    expect(await settle('not_paid')).toMatchObject({
      ...problem('provider_unavailable'),
      about: { detail: 'The provider did not answer (status_503). Ask again later.' },
    });
    expect(standing()?.status).toBe('quarantined');
  });

  it.each(['not_paid', 'as_provider_says'] as const)(
    'as %s asks for correct credentials when the provider refuses them, and never to ask again later',
    async (decision) => {
      const { scene, standing, settle } = await quarantined('fiat');
      scene.provider.lookUp = async () => {
        throw new ProviderRefused('GET /v1/disbursement/fiat: status_401', { cause: 'status_401' });
      };
      expect(await settle(decision)).toMatchObject({
        ...problem('provider_refused'),
        about: { detail: expect.stringContaining('Correct the signing secret'), batchId, payoutStatus: 'quarantined' },
      });
      expect(standing()?.status).toBe('quarantined');
    },
  );

  it.each(['not_paid', 'as_provider_says'] as const)(
    'asks for another decision than %s when the provider answers with another payout, now and later',
    async (decision) => {
      const { standing, says, settle } = await quarantined('fiat');
      says({ kind: 'unknown', cause: otherRecord });
      expect(await settle(decision)).toMatchObject({
        ...problem('evidence_missing'),
        about: { detail: expect.stringContaining('settle a quarantined payout as paid or written_off') },
      });
      expect(standing()?.status).toBe('quarantined');
      expect(await settle('written_off')).toMatchObject({ status: 200 });
    },
  );

  it('accepts no absence of a payout so new that a lookup may lag', async () => {
    const { scene, settle } = await quarantined();
    scene.passSeconds(-100);
    expect(await settle('not_paid')).toMatchObject(problem('too_early'));
    scene.passSeconds(100);
    expect(await settle('not_paid')).toMatchObject({ status: 200 });
  });

  it('counts the time from the last of several calls that got no answer', async () => {
    const { scene, standing, settle } = await quarantined('fiat');
    scene.ledger.putPayout({ ...(standing() ?? expect.fail('no payout')), status: 'ready' });
    scene.answers.push(() => ({ kind: 'unknown', cause: 'timeout' }));
    await scene.submit();
    await scene.ledger.movePayout({ batchId, chunk: 1, row: 1 }, payoutTransitions.quarantine);
    expect(scene.posted).toHaveLength(2);
    scene.passSeconds(86_399);
    expect(await settle('not_paid')).toMatchObject(problem('too_early'));
    scene.passSeconds(1);
    expect(await settle('not_paid')).toMatchObject({ status: 200 });
  });

  it('counts the time from the finding of a payout that was found while ready, not from its older call', async () => {
    const { scene, standing, settle } = await quarantined('fiat');
    const ready = { ...(standing() ?? expect.fail('no payout')), status: 'ready' } as const;
    scene.ledger.putPayout(ready);
    await apply(scene.dependencies, ready, follow(weigh(ready, [scene.disbursementOf('ref-1')])));
    expect(standing()).toMatchObject({ status: 'quarantined', reason: { code: 'found_unposted' } });
    scene.passSeconds(3600);
    expect(await settle('not_paid')).toMatchObject(problem('too_early'));
    scene.passSeconds(82_800);
    expect(await settle('not_paid')).toMatchObject({ status: 200 });
  });

  it('accepts the absence of a payout without a possible call, counted from its status change', async () => {
    const taken = { kind: 'rejected', message: 'The reference must be unique', isTaken: true } as const;
    const { scene, standing, settle } = await quarantined('fiat', taken);
    const statusSince = new Date(scene.dependencies.clock() - 86_399_000).toISOString();
    scene.ledger.putPayout({ ...(standing() ?? expect.fail('no payout')), statusSince });
    expect(await settle('not_paid')).toMatchObject(problem('too_early'));
    scene.passSeconds(1);
    expect(await settle('not_paid')).toMatchObject({ status: 200 });
  });

  describe('as not paid, of crypto,', () => {
    const wallet = () => tronAddress('1');
    const transfer = (scene: Awaited<ReturnType<typeof quarantined>>['scene'], changes: Partial<Disbursement> = {}) =>
      scene.disbursementOf('ref-1', { disbursementId: 'd-77', status: 'completed', reference: 'another', ...changes });

    it('searches by the address and amount of the payout file', async () => {
      const { scene, settle } = await quarantined();
      const asked: unknown[] = [];
      scene.provider.destinationSearch = () => async (wanted) => {
        asked.push(wanted);
        return [];
      };
      expect(await settle('not_paid')).toMatchObject({ status: 200 });
      expect(asked).toEqual([{ recipient: { kind: 'wallet', walletAddress: wallet() }, amount: usdt('100.50') }]);
    });

    it.each([
      ['under an unknown reference', {}, 'd-77 is completed'],
      ['under no reference', { reference: '' }, 'd-77 is completed'],
      ['on its way', { status: 'pending' }, 'd-77 is pending'],
      ['back again', { status: 'canceled' }, 'd-77 is canceled'],
      ['half an hour older by its own clock', { createdAt: '2026-11-21T07:30:00Z' }, 'd-77 is completed'],
    ] as const)('is refused while a transfer may be it, %s', async (_name, changes, reason) => {
      const { scene, standing, settle } = await quarantined();
      scene.provider.destinationSearch = () => async () => [transfer(scene, changes)];
      expect(await settle('not_paid')).toMatchObject({
        ...problem('evidence_contradicts'),
        about: { detail: expect.stringContaining(reason), batchId },
      });
      expect(standing()?.status).toBe('quarantined');
      expect(await settle('paid')).toMatchObject({ status: 200 });
    });

    it('ignores older transfers, and those of other payouts', async () => {
      const { scene, standing, settle } = await quarantined();
      const another = { ...(standing() ?? expect.fail('no payout')), reference: 'another', disbursementId: 'd-77' };
      const { getPayoutByReference } = scene.ledger;
      scene.ledger.getPayoutByReference = async (of) => (of === 'another' ? another : getPayoutByReference(of));
      scene.provider.destinationSearch = () => async () => [
        transfer(scene),
        transfer(scene, { disbursementId: 'd-2', createdAt: '2026-11-21T06:00:00Z' }),
      ];
      expect(await settle('not_paid')).toMatchObject({ status: 200 });
    });

    it('is refused while a transfer under another payout’s reference is not that payout’s own disbursement', async () => {
      const { scene, standing, settle } = await quarantined();
      const another = { ...(standing() ?? expect.fail('no payout')), reference: 'another', disbursementId: 'd-88' };
      const { getPayoutByReference } = scene.ledger;
      scene.ledger.getPayoutByReference = async (of) => (of === 'another' ? another : getPayoutByReference(of));
      scene.provider.destinationSearch = () => async () => [transfer(scene)];
      expect(await settle('not_paid')).toMatchObject({
        ...problem('evidence_contradicts'),
        about: { detail: expect.stringContaining('d-77 is completed') },
      });
    });

    it.each([
      [
        'did not finish (search_too_long)',
        new ProviderUnavailable('GET /v1/disbursement/crypto: search_too_long', { cause: 'search_too_long' }),
        'provider_unavailable',
      ],
      [
        'refused the credentials (status_403)',
        new ProviderRefused('GET /v1/disbursement/crypto: status_403', { cause: 'status_403' }),
        'provider_refused',
      ],
      [
        'refuses the request (status_404)',
        new ProviderRefused('GET /v1/disbursement/crypto: status_404', { cause: 'status_404' }),
        'provider_refused',
      ],
      [
        'cannot be asked (unreadable_body)',
        new ProviderMisconfigured('GET /v1/disbursement/crypto: unreadable_body', { cause: 'unreadable_body' }),
        'provider_refused',
      ],
    ])('is refused when the search %s, and reports that', async (reason, error, code) => {
      const { scene, standing, settle } = await quarantined();
      scene.provider.destinationSearch = () => async () => {
        throw error;
      };
      expect(await settle('not_paid')).toMatchObject({
        ...problem(code),
        about: { detail: expect.stringContaining(reason), batchId, payoutStatus: 'quarantined' },
      });
      expect(standing()?.status).toBe('quarantined');
    });

    it('never searches by an address that the ledger does not confirm', async () => {
      const { scene, settle } = await quarantined();
      Object.assign(scene.files[0]?.payouts[0] ?? {}, { recipient: { kind: 'wallet', walletAddress: 'T' } });
      await expect(settle('not_paid')).rejects.toThrow('differs from the ledger');
    });
  });

  it('succeeds for one of two concurrent, different decisions', async () => {
    const { scene, standing, settle } = await quarantined();
    const decisions = ['not_paid', 'written_off'] as const;
    const outcomes = await Promise.all(decisions.map((decision) => settle(decision)));
    const won = decisions.find((_, index) => outcomes[index]?.kind === 'answer');
    const status = won === 'not_paid' ? 'rejected' : 'failed';
    expect(outcomes.toSorted((one, other) => one.kind.localeCompare(other.kind))).toMatchObject([
      { status: 200, body: { status, reason: { code: `settled_${won}` } } },
      { ...problem('payout_conflict'), about: { payoutStatus: status } },
    ]);
    expect(standing()).toMatchObject({ status, reason: { code: `settled_${won}` } });
    expect(scene.ledger.events).toMatchObject([{ code: 'payout.settled', detail: `ref-1 ${won}; provider: absent` }]);
  });
});

describe('settling any other payout', () => {
  it('immediately looks up a payout whose call was not answered', async () => {
    const scene = await createSettleScene();
    scene.answers.push(() => ({ kind: 'unknown', cause: 'timeout' }));
    await scene.submit();
    const request = { path: { reference: 'ref-1' }, caller: operator };
    const body = { decision: 'as_provider_says', reason: 'asked by phone' } as const;
    expect(await settlePayout(scene.dependencies, { ...request, body })).toMatchObject(problem('evidence_missing'));
    scene.lookups.set('ref-1', { kind: 'found', disbursement: scene.disbursementOf('ref-1') });
    expect(await settlePayout(scene.dependencies, { ...request, body })).toMatchObject({ body: { status: 'pending' } });
    for (const decision of ['paid', 'not_paid', 'written_off'] as const) {
      scene.passSeconds(86_400);
      const refused = await settlePayout(scene.dependencies, { ...request, body: { ...body, decision } });
      expect(refused).toMatchObject({
        ...problem('payout_conflict'),
        about: {
          detail:
            "The payout is pending. It can only be settled as_provider_says, which takes over the provider's status.",
          payoutStatus: 'pending',
        },
      });
    }
  });

  it('of an unknown reference is a problem', async () => {
    const scene = await createSettleScene();
    const body = { decision: 'paid', reason: 'x' } as const;
    const request = { path: { reference: 'none' }, body, caller: operator };
    expect(await settlePayout(scene.dependencies, request)).toMatchObject(problem('payout_not_found'));
  });

  it('of an unposted payout is a conflict', async () => {
    const scene = await createSettleScene();
    scene.answers.push(() => ({ kind: 'not_sent', cause: 'refused' }));
    await scene.submit();
    const body = { decision: 'as_provider_says', reason: 'x' } as const;
    const request = { path: { reference: 'ref-1' }, body, caller: operator };
    expect(await settlePayout(scene.dependencies, request)).toMatchObject({
      ...problem('payout_conflict'),
      about: { detail: 'The payout is ready. It cannot be settled yet.' },
    });
  });
});
