import { describe, expect, it } from 'vitest';
import type { PaidFile, PayoutResult } from '../../chaos/truth/compare.ts';
import { compare } from '../../chaos/truth/compare.ts';
import type { Finding } from '../../chaos/truth/finding.ts';
import type { ServiceDisbursement, ServiceTruth } from '../../chaos/truth/service-truth.ts';

const row = (n: number, { amount = '100.50', currency = 'IDR' } = {}) => ({
  row: n,
  reference: `ref-${n}`,
  amount,
  currency,
  destination: `bank BCA 00${n}`,
});

const result = (n: number, change: Partial<PayoutResult> = {}): PayoutResult => ({
  row: n,
  reference: `ref-${n}`,
  amount: '100.50',
  currency: 'IDR',
  status: 'completed',
  reasonCode: '',
  disbursementId: `dsb_${n}`,
  ...change,
});

const disbursement = (n: number, change: Partial<ServiceDisbursement> = {}): ServiceDisbursement => ({
  disbursementId: `dsb_${n}`,
  reference: `ref-${n}`,
  currency: 'IDR',
  amount: '100.50',
  fee: '4000',
  status: 'completed',
  destinations: [`bank BCA 00${n}`],
  hasBeen: [change.status ?? 'completed'],
  ...change,
});

const file = (rows: PaidFile['rows'], results: readonly PayoutResult[]): PaidFile => ({
  name: 'a',
  rows,
  results,
  conversions: [],
});

/** A balance that opened with a hundred thousand rupiah, and the amounts that left it by the ledger and by the balance. */
const gone = (spent: number, byBalance = spent): Pick<ServiceTruth, 'spent' | 'balances'> => ({
  spent: new Map([['IDR', String(spent)]]),
  balances: new Map([['IDR', { opening: '100000', now: String(100_000 - byBalance) }]]),
});

/** A truth whose balance fell by these disbursements. */
const truthOf = (disbursements: readonly ServiceDisbursement[]): ServiceTruth => {
  const left = disbursements.filter(({ status }) => status !== 'failed' && status !== 'canceled').length;
  return { disbursements, conversions: [], ...gone(left * 4100.5) };
};

const kinds = (findings: readonly Finding[]): readonly string[] => findings.map(({ kind, what }) => `${kind} ${what}`);

interface Case {
  readonly name: string;
  readonly results?: readonly PayoutResult[];
  readonly held: readonly ServiceDisbursement[];
  readonly found: readonly string[];
}

/** Each case has a file with the rows 1 and 2. The second one is paid correctly. */
const cases: readonly Case[] = [
  { name: 'nothing when both are paid', held: [disbursement(1)], found: [] },
  {
    name: 'a reference that was paid twice',
    held: [disbursement(1), disbursement(1, { disbursementId: 'dsb_again' })],
    found: ['twice ref-1', 'lost ref-1', 'sum IDR'],
  },
  {
    name: 'a reference that was paid twice although it was left to a person',
    results: [result(1, { status: 'quarantined', reasonCode: 'several_disbursements' })],
    held: [disbursement(1), disbursement(1, { disbursementId: 'dsb_again', status: 'pending' })],
    found: ['twice ref-1'],
  },
  {
    name: 'a payout reported as completed that was never made',
    held: [],
    found: ['lost ref-1', 'wrong ref-1', 'sum IDR'],
  },
  {
    name: 'a payout reported as completed that is in progress',
    held: [disbursement(1, { status: 'pending' })],
    found: ['lost ref-1', 'sum IDR'],
  },
  {
    name: 'a payout reported as failed whose money left',
    results: [result(1, { status: 'failed' })],
    held: [disbursement(1)],
    found: ['lost ref-1', 'sum IDR'],
  },
  {
    name: 'a payout reported as failed that was never made',
    results: [result(1, { status: 'failed', disbursementId: '' })],
    held: [],
    found: ['lost ref-1'],
  },
  {
    name: 'a payout reported as canceled whose money left',
    results: [result(1, { status: 'canceled' })],
    held: [disbursement(1)],
    found: ['lost ref-1', 'sum IDR'],
  },
  {
    name: 'a payout reported as rejected whose money left',
    results: [result(1, { status: 'rejected' })],
    held: [disbursement(1)],
    found: ['lost ref-1', 'sum IDR'],
  },
  ...['ready', 'submitting', 'unknown', 'pending'].map((status) => ({
    name: `a payout that is left ${status}`,
    results: [result(1, { status, disbursementId: '' })],
    held: [],
    found: ['lost ref-1'],
  })),
  {
    name: 'a row that the results omit',
    results: [],
    held: [disbursement(1)],
    found: ['lost ref-1', 'sum IDR', 'sum IDR'],
  },
  {
    name: 'a row that the results have twice',
    results: [result(1), result(1)],
    held: [disbursement(1)],
    found: ['wrong ref-1', 'sum IDR', 'sum IDR'],
  },
  {
    name: 'a row that no file has',
    results: [result(1), result(3, { amount: '0' })],
    held: [disbursement(1)],
    found: ['wrong ref-3'],
  },
  {
    name: 'another amount than the file’s',
    held: [disbursement(1, { amount: '100.51' })],
    found: ['wrong ref-1', 'sum IDR', 'sum IDR'],
  },
  {
    name: 'another destination than the file’s',
    held: [disbursement(1, { destinations: ['bank BCA 002'] })],
    found: ['wrong ref-1'],
  },
  {
    name: 'another currency than the file’s',
    held: [disbursement(1, { currency: 'PHP' })],
    found: ['wrong ref-1', 'sum IDR', 'sum IDR', 'sum PHP', 'sum PHP'],
  },
  {
    name: 'a disbursement that no file asks for',
    held: [disbursement(1), disbursement(9)],
    found: ['stray ref-9'],
  },
  {
    name: 'a disbursement without a reference',
    held: [disbursement(1), disbursement(9, { reference: undefined })],
    found: ['stray dsb_9'],
  },
  {
    name: 'results that name another disbursement',
    results: [result(1, { disbursementId: 'dsb_2' })],
    held: [disbursement(1)],
    found: ['wrong ref-1'],
  },
  {
    name: 'nothing when a payout failed at the service and in the results',
    results: [result(1, { status: 'failed' })],
    held: [disbursement(1, { status: 'failed' })],
    found: [],
  },
  {
    name: 'nothing when a payout was canceled before it was submitted',
    results: [result(1, { status: 'canceled', disbursementId: '' })],
    held: [],
    found: [],
  },
  {
    name: 'a payout reported as on hold that never was',
    results: [result(1, { status: 'on_hold' })],
    held: [disbursement(1)],
    found: ['lost ref-1', 'sum IDR'],
  },
  {
    name: 'nothing when the service changed a payout after its reported end',
    held: [disbursement(1, { status: 'failed', hasBeen: ['completed', 'failed'] })],
    found: [],
  },
  {
    name: 'nothing when the service later completed a failed payout, and money left',
    results: [result(1, { status: 'failed' })],
    held: [disbursement(1, { status: 'completed', hasBeen: ['failed', 'completed'] })],
    found: [],
  },
];

describe('the comparison of the service’s table with the files finds', () => {
  it.each(cases)('$name', ({ results = [result(1)], held, found }) => {
    const rows = [row(1), row(2)];
    const all = [...held, disbursement(2)];
    const { findings } = compare([file(rows, [...results, result(2)])], truthOf(all));
    expect(kinds(findings)).toEqual(found);
  });

  it.each([
    ['a balance from which more is gone than left with the disbursements', gone(4100.51)],
    ['a balance below its ledger', gone(4100.5, 4100.51)],
    ['a currency that moved without any payment', { spent: new Map([['THB', '1']]), balances: new Map() }],
  ])('%s', (_name, moved) => {
    const truth = { ...truthOf([disbursement(1)]), ...moved };
    const { findings } = compare([file([row(1)], [result(1)])], truth);
    expect(new Set(findings.map(({ kind }) => kind))).toEqual(new Set(['sum']));
  });

  it('nothing when a conversion explains the balance', () => {
    const conversion = {
      convertId: 'cnv_1',
      inputCurrency: 'usdc-polygon',
      inputAmount: '2.5',
      outputCurrency: 'IDR',
      outputAmount: '40000.25',
      createdAt: '2026-01-01T00:00:01.000Z',
    };
    const converted = {
      ...conversion,
      n: 1,
      status: 'completed',
      plannedInputAmount: '2.5',
      plannedOutputAmount: '40000.25',
      claimedAt: '2026-01-01T00:00:00.000Z',
    };
    const truth: ServiceTruth = {
      disbursements: [disbursement(1)],
      conversions: [conversion],
      spent: new Map([
        ['IDR', '-35899.75'],
        ['usdc-polygon', '2.5'],
      ]),
      balances: new Map([
        ['IDR', { opening: '10', now: '35909.75' }],
        ['usdc-polygon', { opening: '7.5', now: '5' }],
      ]),
    };
    const converting = { ...file([row(1)], [result(1)]), conversions: [converted] };
    expect(compare([converting], truth).findings).toEqual([]);
    const unconverted = compare([converting], { ...truth, conversions: [] }).findings;
    expect(kinds(unconverted)).toEqual(['sum IDR', 'sum usdc-polygon', 'conversion-lost conversion 1 of a']);
  });

  it('payouts that the service changed after their reported end', () => {
    const changed = disbursement(1, { status: 'failed', hasBeen: ['completed', 'failed'] });
    const { changedAfterEnd } = compare([file([row(1)], [result(1)])], truthOf([changed]));
    expect(changedAfterEnd).toEqual([{ reference: 'ref-1', reported: 'completed', atService: 'failed (dsb_1)' }]);
  });

  it('payouts left to a person, with the reason and the service’s state', () => {
    const results = [
      result(1, { status: 'quarantined', reasonCode: 'absent_but_not_repeatable', disbursementId: '' }),
      result(2, { status: 'on_hold', reasonCode: 'provider_holds' }),
    ];
    const truth = truthOf([disbursement(2, { status: 'need_check' })]);
    const { leftToPerson, findings, byStatus, payouts } = compare([file([row(1), row(2)], results)], truth);
    expect(findings).toEqual([]);
    expect(leftToPerson).toEqual([
      { reference: 'ref-1', status: 'quarantined', reasonCode: 'absent_but_not_repeatable', atService: 'nothing' },
      { reference: 'ref-2', status: 'on_hold', reasonCode: 'provider_holds', atService: 'need_check (dsb_2)' },
    ]);
    expect(payouts).toBe(2);
    expect(byStatus).toEqual(
      new Map([
        ['quarantined', 1],
        ['on_hold', 1],
      ]),
    );
  });
});
