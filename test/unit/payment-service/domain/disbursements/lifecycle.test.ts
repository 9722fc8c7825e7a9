import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Disbursement } from '../../../../../functions/payment-service/domain/disbursements/disbursement.ts';
import {
  cryptoStatuses,
  statusesOf,
} from '../../../../../functions/payment-service/domain/disbursements/disbursement.ts';
import {
  holdsMoney,
  returnedBy,
  setStatusByHand,
  takeSteps,
} from '../../../../../functions/payment-service/domain/disbursements/lifecycle.ts';
import {
  dueSteps,
  settlementPlan,
} from '../../../../../functions/payment-service/domain/disbursements/settlement-plan.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { outcomes } from '../../../../../functions/payment-service/domain/sandbox/magic-values.ts';
import { newDisbursement } from '../../../../support/payment-service/new-disbursement.ts';

const times = { minSeconds: 2, maxSeconds: 8, waves: 3, lateSeconds: 60 };
const at = (seconds: number) => new Date(Date.parse('2026-11-21T06:00:00.000Z') + seconds * 1000);

describe('whatever statuses are set on a disbursement', () => {
  it('the balance has its amount and fee back exactly while it is failed or canceled', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...cryptoStatuses), { minLength: 1, maxLength: 20 }), (statuses) => {
        let one = newDisbursement({ rail: 'crypto' });
        let gained: Money = Money.zero('PHP');
        for (const status of statuses) {
          const change = setStatusByHand(one, status, at(1));
          gained = gained.plus(returnedBy(change, 'amount')).plus(returnedBy(change, 'fee'));
          one = change.after;
          expect(gained.amount).toBe(holdsMoney(status) ? '0' : '110');
        }
        expect(one.version).toBe(1 + statuses.length);
        expect(one.changes).toHaveLength(statuses.length);
      }),
    );
  });

  it('it no longer moves by itself', () => {
    const { after } = setStatusByHand(newDisbursement(), 'pending', at(1));
    expect(dueSteps(times, after, at(10_000))).toEqual({ due: [], nextAt: undefined });
  });
});

describe('a disbursement that settles', () => {
  it.each<[Disbursement['rail'], Disbursement['outcome'], readonly string[]]>([
    ['fiat', 'standard', ['completed']],
    ['fiat', 'fail', ['failed']],
    ['fiat', 'hold', ['pending']],
    ['fiat', 'retry', ['pending', 'completed']],
    ['fiat', 'cancel', ['failed']],
    ['fiat', 'late', ['completed']],
    ['fiat', 'manual', []],
    ['crypto', 'standard', ['processed', 'completed']],
    ['crypto', 'fail', ['failed']],
    ['crypto', 'hold', ['need_check']],
    ['crypto', 'retry', ['pending_retry', 'processed', 'completed']],
    ['crypto', 'cancel', ['canceled']],
    ['crypto', 'late', ['processed', 'completed']],
    ['crypto', 'manual', []],
  ])('on the %s rail with the outcome %s goes through %j', (rail, outcome, statuses) => {
    expect(settlementPlan(times, { rail, outcome, position: 0 }).map(({ event }) => event.status)).toEqual(statuses);
  });

  it('reaches the same end step by step or in one step, and is refunded once', () => {
    const scenes = fc.record({
      rail: fc.constantFrom('fiat' as const, 'crypto' as const),
      outcome: fc.constantFrom(...outcomes),
      position: fc.nat(99),
    });
    fc.assert(
      fc.property(scenes, fc.array(fc.nat(200), { maxLength: 6 }), (scene, looks) => {
        let one = newDisbursement(scene);
        let gained: Money = Money.zero('PHP');
        for (const seconds of [...looks.toSorted((a, b) => a - b), 300]) {
          const change = takeSteps(one, dueSteps(times, one, at(seconds)).due, at(seconds));
          if (change === undefined) continue;
          gained = gained.plus(returnedBy(change, 'amount')).plus(returnedBy(change, 'fee'));
          one = change.after;
        }
        const atOnce = takeSteps(newDisbursement(scene), dueSteps(times, newDisbursement(scene), at(300)).due, at(300));
        expect(one.status).toBe(atOnce?.after.status ?? 'pending');
        expect(one.stepsTaken).toBe(settlementPlan(times, scene).length);
        expect(gained.amount).toBe(holdsMoney(one.status) ? '0' : '110');
        expect(statusesOf(scene.rail)).toContain(one.status);
      }),
    );
  });

  it('settles in its wave, within the bounds of the setting', () => {
    const seconds = [0, 1, 2, 3].map(
      (position) => settlementPlan(times, { rail: 'fiat', outcome: 'standard', position })[0]?.afterSeconds,
    );
    expect(seconds).toEqual([2, 5, 8, 2]);
  });

  it('reports when to look again', () => {
    const standard = newDisbursement({ position: 1 });
    expect(dueSteps(times, standard, at(4)).nextAt).toBe(at(5).getTime());
    expect(dueSteps(times, standard, at(5)).nextAt).toBeUndefined();
  });

  it('has a transaction hash once it is sent, always the same', () => {
    const steps = settlementPlan(times, { rail: 'crypto', outcome: 'standard', position: 0 });
    const first = takeSteps(newDisbursement({ rail: 'crypto' }, 'usdc-polygon'), steps.slice(0, 1), at(3));
    const both = takeSteps(newDisbursement({ rail: 'crypto' }, 'usdc-polygon'), steps, at(9));
    expect(first?.after.txHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(both?.after.txHash).toBe(first?.after.txHash);
    expect(newDisbursement().txHash).toBeUndefined();
  });
});
