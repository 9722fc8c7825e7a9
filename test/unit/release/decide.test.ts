import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Batch, Finding, ReleasedConversion } from '../../../functions/domain/batch/batch.ts';
import { currencyFundingOfText } from '../../../functions/domain/money/money-records.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import { decideRelease, hashOf } from '../../../functions/release/decide.ts';
import { currencyPlan, thb, usdt } from '../../support/money.ts';
import { exampleBatch, examplePlan } from '../../support/scenes/example-batch.ts';

const now = Date.parse('2026-11-21T08:00:00Z');
const inHours = (hours: number): string => new Date(now + hours * 3_600_000).toISOString();
const funding = {
  currencies: [
    currencyFundingOfText({
      ...{ currency: 'THB', required: '10', balance: '4', reservedByOthers: '1' },
      ...{ shortfall: '7', unclear: '0' },
    }),
  ],
  conversions: [{ input: usdt('1'), output: thb('7'), fee: thb('0'), rate: '7' }],
  conversionsBefore: 0,
  plannedAt: 't',
};
const plan = examplePlan('b-1', 1, [
  currencyPlan({ rail: 'fiat', currency: 'THB', count: 1, amount: '10', fee: '0', largestAmount: '10', methods: [] }),
]);
const fees = [{ rail: 'fiat', fee: thb('1'), source: 'payment_methods' }] as const;
const funded = exampleBatch('b-1', { status: 'validating', plan, fees, funding });
const converted = { input: usdt('1'), outputCurrency: 'THB' };
const finding: Finding = { code: 'c', message: 'm', rows: 0, against: 'a', mayBeReleased: true };
const hard: Finding = { ...finding, mayBeReleased: false };
const approvedAt = (at: string) => ({ by: 'arn:another', at, reason: 'r' });
const approved = approvedAt(inHours(-1));

const decide = (batch: Batch, findings: readonly Finding[], settings = {}, taken: readonly ReleasedConversion[] = []) =>
  decideRelease(batch, findings, taken, orchestratorSettings().parse(settings), now);
const asked = (changes: Partial<Batch>, approval: Partial<Batch['approval']> = {}): Batch => ({
  ...funded,
  ...changes,
  approval: {
    hash: hashOf(funded, [finding], []),
    findings: [finding],
    why: 'findings',
    expiresAt: inHours(1),
    ...approval,
  },
});

describe('the decision on a release', () => {
  it.each<[string, string, Batch, readonly Finding[], object]>([
    ['releases without findings', 'release', funded, [], {}],
    ['asks for approval of findings', 'ask', funded, [finding], {}],
    ['asks for approval without findings when every batch needs it', 'ask', funded, [], { approval: 'always' }],
    [
      'asks for approval without findings when the start requested it',
      'ask',
      { ...funded, approvalRequired: true },
      [],
      {},
    ],
    [
      'asks for that even when nothing else needs approval',
      'ask',
      { ...funded, approvalRequired: true },
      [],
      { approval: 'never' },
    ],
    ['refuses findings when there are no approvers', 'refuse', funded, [finding], { approval: 'never' }],
    ['refuses a batch that nobody may release, approved or not', 'refuse', asked({}, { approved }), [hard], {}],
    ['waits while a person was asked', 'wait', asked({ status: 'pending_approval' }), [finding], {}],
    ['releases an approved batch', 'release', asked({}, { approved }), [finding], {}],
    [
      'asks again when something else is found than was approved',
      'ask',
      asked({}, { approved }),
      [finding, finding],
      {},
    ],
    ['releases a pending batch once its findings are gone', 'release', asked({ status: 'pending_approval' }), [], {}],
    [
      'lets an approval request expire',
      'expire',
      asked({ status: 'pending_approval' }, { expiresAt: inHours(0) }),
      [finding],
      {},
    ],
    ['asks again after an approval has expired', 'ask', asked({}, { approved, expiresAt: inHours(0) }), [finding], {}],
    [
      'releases a batch that was approved shortly before the approval expired',
      'release',
      asked({}, { approved: approvedAt(inHours(-0.99)), expiresAt: inHours(-0.98) }),
      [finding],
      {},
    ],
    [
      'releases it also when the gate looks less often than each hour',
      'release',
      asked({}, { approved: approvedAt(inHours(-1.99)), expiresAt: inHours(-1.98) }),
      [finding],
      { fundsRecheckSeconds: 3600 },
    ],
    ['asks again after a resume without approval', 'ask', asked({}), [finding], {}],
  ])('%s', (_, kind, batch, findings, settings) => {
    expect(decide(batch, findings, settings).kind).toBe(kind);
  });

  it('asks again when the batch has made a conversion since it was approved', () => {
    expect(decide(asked({}, { approved }), [finding], {}, [converted]).kind).toBe('ask');
  });

  it('lets an approval expire after the hours of the setting', () => {
    expect(decide(funded, [finding], { approvalHours: 5 })).toMatchObject({ approval: { expiresAt: inHours(5) } });
  });
});

describe('the hash for an approval', () => {
  const other = <Key extends keyof Batch>(key: Key, changes: Partial<NonNullable<Batch[Key]>>): Batch => {
    const part = funded[key];
    return { ...funded, [key]: typeof part === 'object' ? { ...part, ...changes } : changes };
  };

  it.each<[string, Batch, readonly Finding[], (readonly ReleasedConversion[])?]>([
    ['the file version', other('file', { versionId: 'v2' }), [finding]],
    ['the content', other('plan', { sha256: 'another' }), [finding]],
    ['the rows', other('plan', { validRows: 2 }), [finding]],
    ['the plan', other('plan', { prefix: 'batches/b-1/plan-2/' }), [finding]],
    [
      'the sums',
      other('plan', { currencies: plan.currencies.map((one) => ({ ...one, amount: thb('11') })) }),
      [finding],
    ],
    ['the fees', { ...funded, fees: [{ ...fees[0], fee: thb('2') }] }, [finding]],
    [
      'the shortfall',
      other('funding', { currencies: funding.currencies.map((one) => ({ ...one, shortfall: thb('8') })) }),
      [finding],
    ],
    ['a conversion', other('funding', { conversions: [] }), [finding]],
    ['a finding', funded, []],
    ['how many rows it is about', funded, [{ ...finding, rows: 1 }]],
    ['the batch', { ...funded, batchId: 'b-2' }, [finding]],
    ['a conversion that was made', funded, [finding], [converted]],
  ])('changes with %s', (_, batch, findings, taken = []) => {
    expect(hashOf(batch, findings, taken)).not.toBe(hashOf(funded, [finding], []));
  });

  it('changes with each equal conversion that was made', () => {
    const hashes = [0, 1, 2].map((times) =>
      hashOf(funded, [finding], Array<ReleasedConversion>(times).fill(converted)),
    );
    expect(new Set(hashes).size).toBe(3);
  });

  it('covers the text of every amount, so approvals survive a deployment', () => {
    const released = [
      ['b-1', 'uploads/a.csv', 'v1', 'content of b-1'],
      ['batches/b-1/plan-1/', 1, 1, 0],
      [['fiat', 'THB', 1, '10']],
      [['fiat', 'THB', '1']],
      [['THB', '10', '7']],
      [['usdt-tron', '1', 'THB', '7', '0']],
      [['c', 0, 'a', true]],
    ];
    const sha256 = (parts: readonly unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
    expect(hashOf(funded, [finding], [])).toBe(sha256(released));
    expect(hashOf(funded, [finding], [converted])).toBe(sha256([...released, [['usdt-tron', '1', 'THB']]]));
  });

  it('does not change with other batches', () => {
    const currencies = funding.currencies.map((one) => ({ ...one, balance: thb('5'), reservedByOthers: thb('2') }));
    const later = other('funding', { currencies, plannedAt: 'later', conversionsBefore: 1 });
    const reworded = { ...finding, message: 'in other words' };
    expect(hashOf(later, [reworded], [])).toBe(hashOf(funded, [finding], []));
  });
});
