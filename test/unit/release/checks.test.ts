import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { PlanSummary } from '../../../functions/domain/batch/plan.ts';
import { moneyOfText } from '../../../functions/domain/money/money-by-currency.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import { findingsOf } from '../../../functions/release/checks.ts';
import { currencyPlan } from '../../support/money.ts';
import { examplePlan } from '../../support/scenes/example-batch.ts';

const tally = { count: 1, fee: '0', largestAmount: '0', methods: [] };
/** 1,000.5 baht, 600 of them by wallet, and 5 of a token. */
const plan = examplePlan('b-1', 1, [
  currencyPlan({ ...tally, rail: 'fiat', currency: 'THB', amount: '400.50' }),
  currencyPlan({ ...tally, rail: 'crypto', currency: 'THB', amount: '600' }),
  currencyPlan({ ...tally, rail: 'crypto', currency: 'usdt-tron', amount: '5' }),
]);
const release = { hash: 'h', at: 't', day: 'd', conversions: [] };

interface Case {
  readonly settings?: z.input<ReturnType<typeof orchestratorSettings>>;
  readonly plan?: Partial<PlanSummary>;
  readonly today?: Readonly<Record<string, string>>;
  readonly isReleased?: boolean;
  readonly sharers?: Parameters<typeof findingsOf>[0]['sharers'];
  readonly contradictedSince?: Parameters<typeof findingsOf>[0]['contradictedSince'];
}

const later = { ...release, at: 'u' };
const report = { resultsKey: 'r', evidenceKey: 'e', reportedAt: 't' };
type Sharers = NonNullable<Case['sharers']>;
const sharer = (changes: Partial<Sharers[number]>): Sharers[number] => ({
  batchId: 'b-2',
  status: 'processing',
  release,
  ...changes,
});
const thirty = Array.from({ length: 30 }, (_, index) =>
  sharer({ batchId: `b-${index + 2}`, release: { ...release, at: `t-${String(index).padStart(2, '0')}` } }),
);

const list = { key: 'plan/repeated-debts.csv', sha256: 'c0de' };

const found = ({
  settings = {},
  plan: changes = {},
  today = {},
  isReleased = false,
  sharers = [],
  contradictedSince = [],
}: Case) =>
  findingsOf({
    batch: isReleased ? { release } : {},
    plan: { ...plan, ...changes },
    settings: orchestratorSettings().parse(settings),
    releasedToday: moneyOfText(today),
    sharers,
    contradictedSince,
    nowMs: Date.parse('2026-02-09T09:00:00Z'),
  });

describe('the checks before a batch is released', () => {
  it.each<[string, Case]>([
    ['by default', {}],
    [
      'for amounts equal to the limits',
      { settings: { maxBatchAmount: { THB: '1000.5' }, approvalAbove: { THB: '1000.50' } } },
    ],
    ['of limits in currencies that it does not pay', { settings: { maxBatchAmount: { IDR: '1' } } }],
    ['of a day that has room', { settings: { maxDayAmount: { THB: '2000' } }, today: { THB: '999.5' } }],
    ['of the day, once it has counted', { settings: { maxDayAmount: { THB: '1' } }, isReleased: true }],
    ['of repeated debts, when the plan names none', { plan: { repeatedDebts: { rows: 0, list, first: [] } } }],
    [
      'of a batch that owes the same and is not released',
      { sharers: [{ batchId: 'b-2', status: 'pending_approval' }] },
    ],
    ['of its age, while it is payable', { plan: { payableUntil: '2026-02-09T09:00:00.000Z' } }],
    ['of one that was canceled before it paid', { sharers: [sharer({ status: 'canceled' })] }],
    ['of one that was released after this batch', { sharers: [sharer({ release: later })], isReleased: true }],
  ])('find nothing %s', (_, of) => {
    expect(found(of)).toEqual([]);
  });

  it.each<[string, Case, object]>([
    [
      'a batch above the batch limit, which nobody can release',
      { settings: { maxBatchAmount: { THB: '1000.49' } } },
      { code: 'batch_limit', against: 'maxBatchAmount 1000.49 THB', rows: 0, mayBeReleased: false },
    ],
    [
      'a batch that a person has to approve for its amount',
      { settings: { approvalAbove: { 'usdt-tron': '4.999' } } },
      { code: 'approval_above', against: 'approvalAbove 4.999 usdt-tron', rows: 0, mayBeReleased: true },
    ],
    [
      'a day above the day limit, with its released amounts',
      { settings: { maxDayAmount: { THB: '2000' } }, today: { THB: '999.51' } },
      {
        code: 'day_limit',
        message: expect.stringContaining('Today 999.51 is released already'),
        against: 'maxDayAmount 2000 THB',
        mayBeReleased: true,
      },
    ],
    [
      'rows that repeat a debt, with their list',
      { plan: { repeatedDebts: { rows: 2, list, first: [] } } },
      { code: 'repeated_debts', rows: 2, against: 'plan/repeated-debts.csv SHA-256 c0de', mayBeReleased: true },
    ],
    [
      'a batch that owes the same, once it is released',
      { sharers: [sharer({})] },
      { code: 'debts_released', against: 'b-2', mayBeReleased: true },
    ],
    [
      'one that was released before this batch, also when more is asked of it',
      { sharers: [sharer({ release: { ...release, at: 's' } }), sharer({ release: later })], isReleased: true },
      { code: 'debts_released', message: expect.stringContaining('released at s. The'), against: 'b-2' },
    ],
    [
      'a batch that owes the same, and was canceled while it paid',
      { sharers: [sharer({ status: 'canceled', report })] },
      { code: 'debts_released', against: 'b-2' },
    ],
    [
      'batches that had not paid the same, and are contradicted since',
      {
        contradictedSince: [
          { batchId: 'b-2', contradictions: 1 },
          { batchId: 'b-3', contradictions: 4 },
        ],
      },
      { code: 'debts_contradicted', against: 'b-2 1 b-3 4', rows: 0, mayBeReleased: true },
    ],
    [
      'a batch that waited too long, which nobody can release',
      { plan: { payableUntil: '2026-02-09T08:59:59.999Z' }, isReleased: true },
      { code: 'too_old_to_pay', against: 'payableUntil 2026-02-09T08:59:59.999Z', mayBeReleased: false },
    ],
    [
      'thirty that owe the same, the newest first',
      { sharers: thirty },
      {
        code: 'debts_released',
        message: expect.stringContaining(
          'Batch b-31 owes some of the same debts, and was released at t-29. 29 more do too.',
        ),
        against: Array.from({ length: 20 }, (_, index) => `b-${31 - index}`).join(' '),
      },
    ],
  ])('find %s', (_, of, finding) => {
    expect(found(of)).toEqual([expect.objectContaining(finding)]);
  });

  it.each([
    [undefined, '3 rows repeat a debt of this file or of an earlier batch: repeated-debts.csv names each.'],
    [
      { rows: 2, batches: ['b-8', 'b-7'] },
      '2 rows repeat a debt that was already paid, by b-7, b-8. In all 3 rows repeat a debt of this file or of an earlier batch: repeated-debts.csv names each.',
    ],
    [
      { rows: 1, batches: ['b-7'] },
      '1 row repeats a debt that was already paid, by b-7. In all 3 rows repeat a debt of this file or of an earlier batch: repeated-debts.csv names each.',
    ],
  ])('list already paid rows first: %j', (ofPaid, message) => {
    const repeatedDebts = { rows: 3, list, first: [], ...(ofPaid === undefined ? {} : { ofPaid }) };
    expect(found({ plan: { repeatedDebts } })).toMatchObject([{ code: 'repeated_debts', rows: 3, message }]);
  });

  it('let a person release a second correction of a refused batch', () => {
    const [finding] = found({ plan: { alsoCorrectedBy: ['b-1', 'b-2'] } });
    expect(finding).toMatchObject({ code: 'corrected_already', against: 'b-1 b-2', mayBeReleased: true });
  });

  it('release no correction with rows that the corrected batch pays', () => {
    const findings = found({ plan: { repeatedDebts: { rows: 3, ofCorrected: 2, list, first: [] } } });
    expect(findings.map(({ code, rows, mayBeReleased }) => [code, rows, mayBeReleased])).toEqual([
      ['repeated_debts', 3, true],
      ['repeats_corrected', 2, false],
    ]);
  });

  it.each([
    [1, /^1 row repeats a debt of the batch that this one corrects.* pays it\. Take it out\./],
    [2, /^2 rows repeat a debt of the batch that this one corrects.* pays them\. Take them out\./],
  ])('list %i of a correction’s rows that the corrected batch pays', (ofCorrected, message) => {
    const findings = found({ plan: { repeatedDebts: { rows: 3, ofCorrected, list, first: [] } } });
    expect(findings[1]?.message).toMatch(message);
  });
});
