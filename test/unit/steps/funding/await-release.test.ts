import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../../functions/domain/batch/batch-status.ts';
import type { UnpaidElsewhere } from '../../../../functions/domain/batch/plan.ts';
import type { PayoutStatus } from '../../../../functions/domain/payout/payout-status.ts';
import { planOf } from '../../../../functions/steps/as-step.ts';
import { thb, usdt } from '../../../support/money.ts';
import { batchOf, lost } from '../../../support/scenes/funding-scene.ts';
import type { FundingScene } from '../../../support/scenes/gate-scene.ts';
import { batchId, createGate, held, treasurer } from '../../../support/scenes/gate-scene.ts';
import { payout as onePayout } from '../../payouts/example.ts';

/** Runs something just before and just after the batch moves. */
const aroundMove = (
  { ledger }: FundingScene,
  { before, after }: { readonly before?: () => Promise<unknown>; readonly after?: () => void },
): void => {
  const { moveBatch } = ledger;
  const move: typeof moveBatch = async (...of) => {
    await before?.();
    const moved = await moveBatch(...of);
    after?.();
    return moved;
  };
  Object.assign(ledger, { moveBatch: move });
};

/** A batch that was approved and released with a conversion of 100 usdt-tron, which was not made yet. */
const approvedToConvert = async () => {
  const gate = createGate({ THB: '510', 'usdt-tron': '1000' });
  await gate.fund(batchId);
  await gate.approve();
  expect(await gate.release(batchId)).toEqual({ batchId, next: 'convert' });
  return gate;
};

describe('AwaitRelease', () => {
  it('lets a person approve findings, and keeps its reservation meanwhile', async () => {
    const gate = createGate();
    expect(await gate.fund(batchId)).toEqual({ batchId, next: 'await', waitSeconds: 5 });
    expect(gate.standing()).toMatchObject({
      status: 'pending_approval',
      reason: { code: 'awaits_approval' },
      approval: { why: 'findings', findings: [{ code: 'approval_above' }], expiresAt: '2026-11-24T08:00:00.000Z' },
    });
    expect(await held(gate)).toEqual(['1010']);
    expect(await gate.approve()).toMatchObject({ status: 202, body: { status: 'validating' } });
    expect(await gate.release(batchId)).toMatchObject({ next: 'disburse', round: 1 });
    expect(gate.standing()).toMatchObject({ status: 'processing', release: { hash: gate.hash() } });
    const approved = { code: 'batch.approved', by: treasurer, detail: gate.hash(), note: 'Looked at it.' };
    expect(await gate.timeline()).toEqual(expect.arrayContaining([expect.objectContaining(approved)]));
  });

  it('checks less often over time, and keeps the plan when it is restarted', async () => {
    const gate = createGate();
    await gate.fund(batchId);
    gate.passSeconds(100);
    expect(await gate.release(batchId)).toMatchObject({ next: 'await', waitSeconds: 20 });
    gate.passSeconds(36_000);
    gate.balances['THB'] = '0';
    expect(await gate.fund(batchId)).toMatchObject({ next: 'await', waitSeconds: 300 });
    expect(await held(gate)).toEqual(['1010']);
  });

  it('converts nothing before it is released', async () => {
    const gate = createGate({ THB: '10', 'usdt-tron': '1000' });
    expect(await gate.fund(batchId)).toMatchObject({ next: 'await' });
    expect(await gate.convert(batchId)).toEqual({ batchId, next: 'fund' });
    await gate.approve();
    expect(await gate.convert(batchId)).toEqual({ batchId, next: 'fund' });
    expect(gate.converted).toEqual([]);
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'convert' });
    gate.answers.push({ kind: 'converted', convertId: 'c', input: usdt('100'), output: thb('1000'), fee: thb('1') });
    expect(await gate.convert(batchId)).toEqual({ batchId, next: 'fund' });
    gate.balances['THB'] = '1010';
    // The approved release is done, and no other approval is needed.
    expect(await gate.fund(batchId)).toMatchObject({ next: 'disburse' });
    expect(gate.converted).toHaveLength(1);
  });

  it('leaves the wait for approval before it converts what was released', async () => {
    const gate = createGate({ THB: '10', 'usdt-tron': '1000' });
    await gate.fund(batchId);
    await gate.approve();
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'convert' });
    // A run asked for one more conversion, before the first one turned out not to be made.
    gate.ledger.putBatch({ ...gate.standing(), status: 'pending_approval' });
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'convert' });
    expect(gate.standing().status).toBe('validating');
  });

  it('converts no more than was released, even once more is approved', async () => {
    const gate = await approvedToConvert();
    gate.answers.push({ kind: 'converted', convertId: 'c', input: usdt('100'), output: thb('500'), fee: thb('1') });
    await gate.convert(batchId);
    // Someone else has spent the proceeds, and more.
    gate.balances['THB'] = '410';
    expect(await gate.fund(batchId)).toMatchObject({ next: 'await' });
    await gate.approve();
    expect(await gate.convert(batchId)).toEqual({ batchId, next: 'fund' });
    expect(gate.converted).toHaveLength(1);
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'convert' });
  });

  it('asks for each conversion, although it equals the one that was approved', async () => {
    const gate = await approvedToConvert();
    const first = gate.hash();
    gate.answers.push({ kind: 'converted', convertId: 'c', input: usdt('100'), output: thb('1000'), fee: thb('1') });
    await gate.convert(batchId);
    // Someone else has spent the proceeds.
    expect(await gate.fund(batchId)).toMatchObject({ next: 'await' });
    expect(await gate.release(batchId)).toMatchObject({ next: 'await' });
    expect(gate.converted).toHaveLength(1);
    expect(gate.standing().reason?.message).toContain(' Its conversions so far took 100 usdt-tron.');
    expect(await gate.approve(treasurer, first)).toMatchObject({ code: 'approval_void' });
    await gate.approve();
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'convert' });
  });

  it('asks nobody when a late run finds the approved conversion under way', async () => {
    const gate = await approvedToConvert();
    const { convert } = gate.provider;
    gate.provider.convert = async (quote) => {
      expect(await gate.release(batchId)).toEqual({ batchId, next: 'wait', waitSeconds: 1 });
      return convert(quote);
    };
    gate.answers.push({ kind: 'converted', convertId: 'c', input: usdt('100'), output: thb('500'), fee: thb('1') });
    await gate.convert(batchId);
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'wait', waitSeconds: 1 });
    gate.balances['THB'] = '1010';
    expect(await gate.fund(batchId)).toMatchObject({ next: 'disburse' });
  });

  it('asks for no other conversion while the last one is in doubt', async () => {
    const gate = await approvedToConvert();
    gate.answers.push(lost);
    await gate.convert(batchId);
    expect(await gate.plan(batchId)).toEqual({ batchId, next: 'convert' });
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'wait', waitSeconds: 1 });
    expect(gate.standing().status).toBe('awaiting_funds');
  });

  it('keeps the time and day of its first release, although it has to convert more later', async () => {
    const gate = await approvedToConvert();
    const first = gate.standing().release;
    gate.answers.push({ kind: 'converted', convertId: 'c', input: usdt('100'), output: thb('1000'), fee: thb('1') });
    await gate.convert(batchId);
    // Someone else has spent the proceeds.
    gate.passSeconds(86_400);
    await gate.fund(batchId);
    await gate.approve();
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'convert' });
    const { release } = gate.standing();
    expect(release?.conversions).not.toEqual(first?.conversions);
    expect(release).toMatchObject({ at: first?.at, day: first?.day });
  });

  it('needs a new approval when the funding changes, and voids the old one', async () => {
    const gate = createGate();
    await gate.fund(batchId);
    const before = gate.hash();
    await gate.ledger.moveBatch(batchId, batchTransitions.pause, 'operator', { resumeTo: 'pending_approval' });
    expect(await gate.fund(batchId)).toMatchObject({ next: 'wait' });
    expect(await held(gate)).toEqual([]);
    Object.assign(gate.balances, { THB: '510', 'usdt-tron': '1000' });
    await gate.ledger.moveBatch(batchId, batchTransitions.resumeValidating, 'operator', { resumeTo: null });
    await gate.fund(batchId);
    expect(gate.hash()).not.toBe(before);
    const late = { code: 'approval_void', about: { detail: `The hash is now ${gate.hash()}.` } };
    expect(await gate.approve(treasurer, before)).toMatchObject(late);
    expect(await gate.approve()).toMatchObject({ status: 202 });
  });

  it('keeps an approval while its subject is unchanged, even when restarted', async () => {
    const gate = createGate();
    await gate.fund(batchId);
    await gate.approve();
    await gate.ledger.moveBatch(batchId, batchTransitions.recordFailure, 'system', { resumeTo: 'validating' });
    await gate.fund(batchId);
    await gate.ledger.moveBatch(batchId, batchTransitions.resumeValidating, 'operator', { resumeTo: null });
    expect(await gate.fund(batchId)).toMatchObject({ next: 'disburse' });
  });

  /** Something that happens once, a second after a run has read the batch and before that run moves it. */
  const onceBeforeMove = (gate: ReturnType<typeof createGate>, meanwhile: () => Promise<unknown>): void => {
    let isDue = true;
    aroundMove(gate, {
      before: async () => {
        if (!isDue) return;
        isDue = false;
        gate.passSeconds(1);
        await meanwhile();
      },
    });
  };

  it('keeps an approval that was asked for and given since a late run read the batch', async () => {
    const gate = createGate();
    expect(await gate.plan(batchId)).toMatchObject({ next: 'release' });
    onceBeforeMove(gate, async () => {
      await gate.release(batchId);
      await gate.approve();
    });
    await gate.release(batchId);
    expect(gate.standing()).toMatchObject({ status: 'validating', approval: { approved: { by: treasurer } } });
    expect(await gate.release(batchId)).toMatchObject({ next: 'disburse' });
  });

  it('does not expire a question that was asked anew since a late run read the batch', async () => {
    const gate = createGate();
    await gate.fund(batchId);
    gate.passSeconds(72 * 3600);
    const { moveBatch } = gate.ledger;
    onceBeforeMove(gate, async () => {
      await moveBatch(batchId, batchTransitions.fundAnew, 'system');
      await gate.fund(batchId);
    });
    await gate.release(batchId);
    expect(gate.standing()).toMatchObject({ status: 'pending_approval' });
    expect(await gate.approve()).toMatchObject({ status: 202 });
  });

  it('needs a new approval after a new finding between approval and release', async () => {
    const gate = createGate({ THB: '5000' }, { approvalAbove: { THB: '500' }, maxDayAmount: { THB: '1400' } });
    await gate.fund(batchId);
    const before = gate.hash();
    await gate.approve();
    gate.add(batchOf('b-2', '450'));
    while ((await gate.fund('b-2')).next !== 'disburse');
    expect(await gate.release(batchId)).toMatchObject({ next: 'await' });
    expect(gate.standing().approval?.findings.map(({ code }) => code)).toEqual(['day_limit', 'approval_above']);
    expect(gate.hash()).not.toBe(before);
    const detail = 'findings, the last approval is void';
    expect(await gate.timeline()).toEqual(expect.arrayContaining([expect.objectContaining({ detail })]));
  });

  const gateNoting = (
    unpaidElsewhere: readonly UnpaidElsewhere[],
    balances: Record<string, string>,
    settings?: object,
  ) => {
    const gate = createGate(balances, settings);
    const { plan } = gate.standing();
    if (plan === undefined) throw new Error('no plan');
    gate.ledger.putBatch({ ...gate.standing(), plan: { ...plan, unpaidElsewhere } });
    let row = 0;
    const contradict = async (id: string, status: PayoutStatus = 'failed') => {
      row += 1;
      const payout = { ...onePayout, batchId: id, row, status };
      gate.ledger.putPayout(payout);
      const found = { code: 'changed_after_end', disbursementId: 'd', observed: 'completed' } as const;
      await gate.ledger.recordContradiction(payout, found);
    };
    return { ...gate, contradict };
  };

  it('asks when a batch that had not paid the same debts is contradicted after the plan', async () => {
    const noted = [
      { batchId: 'b-7', contradictions: 1 },
      { batchId: 'b-8', contradictions: 1 },
    ];
    const gate = gateNoting(noted, { THB: '1010' }, {});
    for (const id of ['b-7', 'b-8', 'b-8']) await gate.contradict(id);
    await gate.fund(batchId);
    expect(await gate.release(batchId)).toMatchObject({ next: 'await' });
    expect(gate.standing().approval?.findings).toMatchObject([{ code: 'debts_contradicted', against: 'b-8 2' }]);
    await gate.approve();
    // Completed payouts that came back void no approval.
    await gate.contradict('b-7', 'completed');
    expect(await gate.release(batchId)).toMatchObject({ next: 'disburse' });
  });

  const unpaid = [{ batchId: 'b-7', contradictions: 0 }];

  it('asks once about a contradiction, also when the batch converts after that', async () => {
    const gate = gateNoting(unpaid, { THB: '10', 'usdt-tron': '1000' });
    await gate.contradict('b-7');
    await gate.fund(batchId);
    await gate.approve();
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'convert' });
    expect(gate.standing().release?.unpaidElsewhere).toEqual([{ batchId: 'b-7', contradictions: 1 }]);
    gate.answers.push({ kind: 'converted', convertId: 'c', input: usdt('100'), output: thb('1000'), fee: thb('1') });
    await gate.convert(batchId);
    gate.balances['THB'] = '1010';
    const released = gate.standing();
    expect(await gate.fund(batchId)).toMatchObject({ next: 'disburse' });
    gate.ledger.putBatch(released);
    await gate.contradict('b-7');
    expect(await gate.fund(batchId)).toMatchObject({ next: 'await' });
    await gate.approve();
    expect(await gate.fund(batchId)).toMatchObject({ next: 'disburse' });
    expect(gate.standing().release?.unpaidElsewhere).toEqual([{ batchId: 'b-7', contradictions: 2 }]);
  });

  it('asks when such a batch is contradicted after the release, while the batch waits after its conversion', async () => {
    const gate = gateNoting(unpaid, { THB: '10', 'usdt-tron': '1000' });
    await gate.fund(batchId);
    await gate.approve();
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'convert' });
    gate.answers.push({ kind: 'converted', convertId: 'c', input: usdt('100'), output: thb('1000'), fee: thb('1') });
    await gate.convert(batchId);
    gate.passSeconds(20 * 86_400);
    gate.balances['THB'] = '1010';
    await gate.contradict('b-7');
    expect(await gate.fund(batchId)).toMatchObject({ next: 'await' });
    expect(gate.standing().approval?.findings).toContainEqual(
      expect.objectContaining({ code: 'debts_contradicted', against: 'b-7 1' }),
    );
    await gate.approve();
    expect(await gate.fund(batchId)).toMatchObject({ next: 'disburse' });
  });

  it('needs a new approval when a batch with the same debt is released between approval and release', async () => {
    const gate = createGate({ THB: '5000' });
    gate.add(batchOf('b-2', '100'));
    await gate.ledger.noteSharedDebts('b-2', [batchId]);
    await gate.fund(batchId);
    const before = gate.hash();
    expect(await gate.fund('b-2')).toMatchObject({ next: 'disburse' });
    await gate.approve();
    expect(await gate.release(batchId)).toMatchObject({ next: 'await' });
    const { approval } = gate.standing();
    expect(approval?.findings).toMatchObject([{ code: 'debts_released', against: 'b-2' }, { code: 'approval_above' }]);
    expect(await gate.approve(treasurer, before)).toMatchObject({ code: 'approval_void' });
    await gate.approve();
    expect(await gate.release(batchId)).toMatchObject({ next: 'disburse' });
  });

  it('releases one of two concurrent batches with the same debt, and asks a person for the other', async () => {
    const gate = createGate({ THB: '5000' }, {});
    gate.add(batchOf('b-2', '100'));
    await gate.ledger.noteSharedDebts('b-2', [batchId]);
    for (const one of [batchId, 'b-2']) while ((await gate.plan(one)).next !== 'release');
    await Promise.all([gate.release(batchId), gate.release('b-2')]);
    for (const one of [batchId, 'b-2']) await gate.fund(one);
    const statuses = [batchId, 'b-2'].map((one) => gate.statusOf(one));
    expect(statuses.toSorted()).toEqual(['pending_approval', 'processing']);
  });

  it('asks a person for one of two batches with the same debt, when midnight comes between their releases', async () => {
    const gate = createGate({ THB: '5000' }, {});
    gate.add(batchOf('b-2', '100'));
    await gate.ledger.noteSharedDebts('b-2', [batchId]);
    for (const one of [batchId, 'b-2']) while ((await gate.plan(one)).next !== 'release');
    const { releaseBatch } = gate.ledger;
    Object.assign(gate.ledger, {
      releaseBatch: async (...of: Parameters<typeof releaseBatch>) => {
        Object.assign(gate.ledger, { releaseBatch });
        gate.passSeconds(24 * 3600);
        expect(await gate.release('b-2')).toMatchObject({ next: 'disburse' });
        return releaseBatch(...of);
      },
    });
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'await', waitSeconds: 1 });
    expect(await gate.release(batchId)).toMatchObject({ next: 'await' });
    expect(gate.standing().approval?.findings).toMatchObject([{ code: 'debts_released', against: 'b-2' }]);
  });

  it('keeps an approval and its quote when the day’s sums change during the release', async () => {
    const gate = createGate({ THB: '1000', 'usdt-tron': '1000' });
    gate.add(batchOf('b-2', '100'));
    for (const one of ['b-2', batchId]) while ((await gate.plan(one)).next !== 'release');
    await gate.release(batchId);
    await gate.approve();
    gate.provider.quoteConversion = async () => {
      throw new Error('nothing is planned anew');
    };
    const [, answer] = await Promise.all([gate.release('b-2'), gate.release(batchId)]);
    expect(answer).toEqual({ batchId, next: 'await', waitSeconds: 1 });
    expect(await gate.release(batchId)).toMatchObject({ next: 'convert' });
  });

  it('counts no wait for funds from before it asked for approval when the money is lost after that', async () => {
    const gate = createGate({ THB: '500' });
    await gate.fund(batchId);
    gate.passSeconds(71 * 3600);
    gate.balances['THB'] = '1010';
    expect(await gate.fund(batchId)).toMatchObject({ next: 'await' });
    await gate.approve();
    await gate.ledger.reserve(batchId, await gate.ledger.readFunds(['THB']), new Map());
    gate.balances['THB'] = '500';
    gate.passSeconds(2 * 3600);
    expect(await gate.release(batchId)).toMatchObject({ next: 'wait' });
    await gate.fund(batchId);
    expect(gate.standing().status).toBe('awaiting_funds');
  });

  it('pauses a batch that nobody approves in time, and returns its money', async () => {
    const gate = createGate();
    await gate.fund(batchId);
    gate.passSeconds(72 * 3600);
    expect(await gate.approve()).toMatchObject({ code: 'approval_expired' });
    expect(await gate.release(batchId)).toMatchObject({ next: 'wait' });
    const paused = { status: 'paused', reason: { code: 'approval_expired' }, resumeTo: 'validating' };
    expect(gate.standing()).toMatchObject(paused);
    expect(await gate.fund(batchId)).toMatchObject({ next: 'wait' });
    expect(await held(gate)).toEqual([]);
    await gate.ledger.moveBatch(batchId, batchTransitions.resumeValidating, 'operator', { resumeTo: null });
    expect(await gate.fund(batchId)).toMatchObject({ next: 'await' });
    expect(gate.standing().approval?.expiresAt).toBe('2026-11-27T08:00:00.000Z');
  });

  it('refuses a batch that nobody may release, and frees its money and its file', async () => {
    const gate = createGate({ THB: '1010' }, { maxBatchAmount: { THB: '999' } });
    expect(await gate.fund(batchId)).toEqual({ batchId, next: 'refused' });
    const reason = { code: 'not_released', message: expect.stringContaining('one batch may pay at most 999') };
    const findings = [expect.objectContaining({ code: 'batch_limit', mayBeReleased: false })];
    expect(gate.standing()).toMatchObject({ status: 'validation_failed', reason, approval: { findings } });
    expect(await held(gate)).toEqual([]);
  });

  it('refuses a preview that nobody could release', async () => {
    const gate = createGate({ THB: '0' }, { maxBatchAmount: { THB: '999' } }, { mode: 'preview' });
    expect(await gate.fund(batchId)).toEqual({ batchId, next: 'refused' });
    expect(gate.standing()).toMatchObject({ status: 'validation_failed', reason: { code: 'not_released' } });
  });

  it('refuses a batch that is too old to pay while it awaits approval', async () => {
    const gate = createGate();
    const plan = { ...planOf(gate.standing()), payableUntil: '2026-11-22T08:00:00.000Z' };
    gate.add({ ...gate.standing(), plan });
    expect(await gate.fund(batchId)).toMatchObject({ next: 'await' });
    gate.passSeconds(24 * 3600);
    expect(await gate.release(batchId)).toMatchObject({ next: 'await' });
    gate.passSeconds(1);
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'refused' });
    const findings = [{ code: 'too_old_to_pay' }, { code: 'approval_above' }];
    expect(gate.standing()).toMatchObject({ status: 'validation_failed', approval: { findings } });
    expect(await held(gate)).toEqual([]);
  });

  it('refuses a released batch that has become too old to pay before it disburses', async () => {
    const gate = createGate({ THB: '0', 'usdt-tron': '1000' }, {});
    gate.add({ ...gate.standing(), plan: { ...planOf(gate.standing()), payableUntil: '2026-11-22T08:00:00.000Z' } });
    expect(await gate.fund(batchId)).toMatchObject({ next: 'convert' });
    expect(gate.standing().release).toBeDefined();
    gate.passSeconds(24 * 3600 + 1);
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'refused' });
  });

  it('keeps the money of a batch that disburses, although a late run finds it too old to pay', async () => {
    const gate = createGate({ THB: '1010' }, {});
    gate.add({ ...gate.standing(), plan: { ...planOf(gate.standing()), payableUntil: '2026-11-22T08:00:00.000Z' } });
    expect(await gate.fund(batchId)).toMatchObject({ next: 'disburse' });
    gate.passSeconds(24 * 3600 + 1);
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'wait', waitSeconds: 1 });
    expect([gate.standing().status, await held(gate)]).toEqual(['processing', ['1010']]);
  });

  it('frees the money of a refused batch before it records the refusal and dies', async () => {
    const gate = createGate({ THB: '1010' }, { maxBatchAmount: { THB: '999' } });
    expect(await gate.plan(batchId)).toMatchObject({ next: 'release' });
    aroundMove(gate, {
      after: () => {
        throw new Error('the connection is lost');
      },
    });
    await expect(gate.release(batchId)).rejects.toThrow('the connection is lost');
    expect([gate.standing().status, await held(gate)]).toEqual(['validation_failed', []]);
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'refused' });
  });

  it('neither ends nor unfunds a batch that another run has begun to disburse before its refusal', async () => {
    const gate = createGate({ THB: '1010' }, { maxBatchAmount: { THB: '999' } });
    expect(await gate.plan(batchId)).toMatchObject({ next: 'release' });
    aroundMove(gate, {
      before: async () => {
        await gate.plan(batchId);
        gate.ledger.putBatch({ ...gate.standing(), status: 'processing' });
      },
    });
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'wait', waitSeconds: 1 });
    expect([gate.standing().status, await held(gate)]).toEqual(['processing', ['1010']]);
  });

  it('does not refuse a batch that has paused and gone on since it was read', async () => {
    const gate = createGate({ THB: '1010' }, { maxBatchAmount: { THB: '999' } });
    expect(await gate.plan(batchId)).toMatchObject({ next: 'release' });
    const { moveBatch } = gate.ledger;
    aroundMove(gate, {
      before: async () => {
        gate.passSeconds(1);
        await moveBatch(batchId, batchTransitions.recordFailure, 'system', { resumeTo: 'validating' });
        await moveBatch(batchId, batchTransitions.resumeValidating, 'operator', { resumeTo: null });
      },
    });
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'wait', waitSeconds: 1 });
    expect(gate.standing().status).toBe('validating');
  });

  it('frees the reservation of a late plan for a batch about to be refused', async () => {
    const gate = createGate({ THB: '1010' }, { maxBatchAmount: { THB: '999' } });
    expect(await gate.plan(batchId)).toMatchObject({ next: 'release' });
    aroundMove(gate, { before: () => gate.plan(batchId) });
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'refused' });
    expect(await held(gate)).toEqual([]);
  });

  it('frees the money of a rejected batch when the rejection could not', async () => {
    const gate = createGate();
    await gate.fund(batchId);
    const { reserve } = gate.ledger;
    Object.assign(gate.ledger, { reserve: () => Promise.reject(new Error('the connection is lost')) });
    await expect(gate.reject()).rejects.toThrow('the connection is lost');
    Object.assign(gate.ledger, { reserve });
    expect([gate.standing().status, await held(gate)]).toEqual(['canceled', ['1010']]);
    expect(await gate.fund(batchId)).toEqual({ batchId, next: 'ended' });
    expect(await held(gate)).toEqual([]);
  });

  it('shows in a preview why it would need approval, and asks nobody', async () => {
    const gate = createGate({ THB: '0' }, undefined, { mode: 'preview' });
    expect(await gate.fund(batchId)).toEqual({ batchId, next: 'previewed' });
    const { status, approval } = gate.standing();
    expect([status, approval?.findings.map(({ code }) => code)]).toEqual(['previewed', ['approval_above']]);
    expect(approval?.expiresAt).toBeUndefined();
  });

  it('ends a batch that is canceled while it awaits approval', async () => {
    const gate = createGate();
    await gate.fund(batchId);
    await gate.ledger.requestCancel(batchId, 'operator');
    expect(await gate.approve()).toMatchObject({ code: 'status_conflict' });
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'wait', waitSeconds: 1 });
    expect(await gate.fund(batchId)).toEqual({ batchId, next: 'ended' });
    expect([gate.standing().status, await held(gate)]).toEqual(['canceled', []]);
  });

  it('releases nothing before its start time, and then at once', async () => {
    const gate = createGate({ THB: '1010' }, {}, { startAt: '2026-11-21T09:00:00Z' });
    await gate.plan(batchId);
    gate.passSeconds(3599);
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'wait', waitSeconds: 1 });
    expect(gate.standing().release).toBeUndefined();
    gate.passSeconds(1);
    expect(await gate.release(batchId)).toMatchObject({ next: 'disburse' });
  });

  it('shows a preview at once, whatever its start time', async () => {
    const gate = createGate({ THB: '1010' }, {}, { mode: 'preview', startAt: '2026-11-21T09:00:00Z' });
    expect(await gate.fund(batchId)).toEqual({ batchId, next: 'previewed' });
  });

  it.each([
    ['lacks all the money', { THB: '0' }],
    ['lacks a part of the money', { THB: '500' }],
  ])('never releases by a plan that %s, as a late run may find it', async (_name, balances) => {
    const gate = createGate(balances, {});
    expect(await gate.plan(batchId)).toMatchObject({ next: 'wait' });
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'wait', waitSeconds: 1 });
    expect(gate.standing()).toMatchObject({ status: 'awaiting_funds' });
    expect(gate.standing().release).toBeUndefined();
  });

  it('never releases by a plan whose money another run has returned', async () => {
    const gate = createGate({ THB: '1010' }, {});
    expect(await gate.plan(batchId)).toMatchObject({ next: 'release' });
    await gate.ledger.reserve(batchId, await gate.ledger.readFunds(['THB']), new Map());
    expect(await gate.release(batchId)).toMatchObject({ next: 'wait' });
    expect(gate.standing().status).toBe('validating');
  });

  it('funds a batch again that awaited approval, needs none anymore, and has lost its money', async () => {
    const gate = createGate({ THB: '5000' }, { maxDayAmount: { THB: '1500' } });
    gate.add(batchOf('b-2', '1000'));
    await gate.fund('b-2');
    expect(await gate.fund(batchId)).toMatchObject({ next: 'await' });
    await gate.ledger.reserve(batchId, await gate.ledger.readFunds(['THB']), new Map());
    gate.passSeconds(24 * 3600);
    expect(await gate.fund(batchId)).toMatchObject({ next: 'wait' });
    expect(await gate.fund(batchId)).toMatchObject({ next: 'disburse' });
  });

  it('releases one of two batches that together exceed the day, even concurrently', async () => {
    const gate = createGate({ THB: '5000' }, { maxDayAmount: { THB: '1500' } });
    gate.add(batchOf('b-2', '1000'));
    for (const one of [batchId, 'b-2']) while ((await gate.plan(one)).next !== 'release');
    await Promise.all([gate.release(batchId), gate.release('b-2')]);
    for (const one of [batchId, 'b-2']) await gate.fund(one);
    const statuses = [batchId, 'b-2'].map((one) => gate.statusOf(one));
    expect(statuses.toSorted()).toEqual(['pending_approval', 'processing']);
    expect(await gate.ledger.readReleased('2026-11-21')).toEqual(new Map([['THB', thb('1000')]]));
    // The next day is below the limit.
    gate.passSeconds(24 * 3600);
    for (const one of [batchId, 'b-2']) await gate.fund(one);
    expect([batchId, 'b-2'].map((one) => gate.statusOf(one))).toEqual(['processing', 'processing']);
  });
});
