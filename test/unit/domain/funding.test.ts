import { describe, expect, it } from 'vitest';
import type { Conversion, CurrencyPlan } from '../../../functions/domain/batch.ts';
import type { ChunkRecord, Tally } from '../../../functions/domain/chunk.ts';
import { inferConversion } from '../../../functions/domain/conversion.ts';
import { estimateFees } from '../../../functions/domain/fees.ts';
import type { FundingSituation } from '../../../functions/domain/funding.ts';
import {
  outstandingReservation,
  planFunding,
  quotesToAsk,
  rateWithinSlippage,
  requiredFunds,
  shortfalls,
} from '../../../functions/domain/funding.ts';
import { sumProgress } from '../../../functions/domain/progress.ts';
import type { Quote } from '../../../functions/ports/provider.ts';
import { exampleChunk } from '../../support/example-batch.ts';

const sources = ['usdt-tron', 'usdc-polygon'];
const at = '2031-05-06T07:08:09.000Z';
const made = { conversionsBefore: 0, plannedAt: at };

const situation = (
  required: Record<string, string>,
  balances: Record<string, string>,
  reservedByOthers: Record<string, string> = {},
): FundingSituation => ({
  required: new Map(Object.entries(required)),
  balances: new Map(Object.entries(balances)),
  reservedByOthers: new Map(Object.entries(reservedByOthers)),
});

const quote = (inputCurrency: string, inputAmount: string, outputCurrency: string, outputAmount: string): Quote => ({
  quoteId: 'q',
  inputCurrency,
  inputAmount,
  outputCurrency,
  outputAmount,
  fee: '1',
  rate: '16000',
});

const plan = (rail: 'fiat' | 'crypto', currency: string, count: number, amount: string, fee: string): CurrencyPlan => ({
  rail,
  currency,
  count,
  amount,
  fee,
  largestAmount: amount,
  methods: [],
});

describe('fees of a batch', () => {
  it('takes the larger of the methods and the estimate for tokens, and the methods for fiat', () => {
    const currencies = [
      plan('fiat', 'IDR', 2, '100', '7'),
      plan('crypto', 'usdt-tron', 3, '60', '3'),
      plan('crypto', 'eth-base', 2, '5', '1'),
    ];
    const estimates = new Map([
      ['IDR', '99'],
      ['usdt-tron', '1.5000001'],
      ['eth-base', '0.1'],
    ]);
    expect(estimateFees(currencies, estimates)).toEqual([
      { rail: 'fiat', currency: 'IDR', fee: '7', source: 'payment_methods' },
      { rail: 'crypto', currency: 'usdt-tron', fee: '4.500003', source: 'crypto_estimate' },
      { rail: 'crypto', currency: 'eth-base', fee: '1', source: 'payment_methods' },
    ]);
  });

  it('adds to the amounts for what is required', () => {
    const required = requiredFunds(
      [plan('fiat', 'IDR', 1, '100.5', '2'), plan('crypto', 'usdt-tron', 1, '10', '1')],
      [{ rail: 'crypto', currency: 'usdt-tron', fee: '3', source: 'crypto_estimate' }],
    );
    expect([...required]).toEqual([
      ['IDR', '102.5'],
      ['usdt-tron', '13'],
    ]);
  });
});

describe('funding a batch', () => {
  it('is funded when balances cover it beside what others reserved', () => {
    const decision = planFunding(
      situation({ IDR: '60', PHP: '5' }, { IDR: '100', PHP: '5' }, { IDR: '40' }),
      [],
      sources,
      made,
      '0',
    );
    expect(decision).toMatchObject({ kind: 'funded', plan: { conversions: [], plannedAt: at } });
    expect(decision.kind === 'wait' ? [] : [...decision.reservations]).toEqual([
      ['IDR', '60'],
      ['PHP', '5'],
    ]);
  });

  it('uses nothing of a balance that others have overdrawn', () => {
    expect(shortfalls(situation({ IDR: '60' }, { IDR: '100' }, { IDR: '130' }))).toEqual([
      { currency: 'IDR', required: '60', balance: '100', reservedByOthers: '130', shortfall: '60' },
    ]);
  });

  it('asks quotes for exactly what is missing, from each source, for fiat only', () => {
    const short = situation({ IDR: '100', 'eth-base': '3', PHP: '1' }, { IDR: '30', PHP: '1' });
    expect(quotesToAsk(short, sources)).toEqual([
      { inputCurrency: 'usdt-tron', outputCurrency: 'IDR', outputAmount: '70' },
      { inputCurrency: 'usdc-polygon', outputCurrency: 'IDR', outputAmount: '70' },
    ]);
  });

  it('converts from the first source that has enough left after its own payouts', () => {
    const short = situation({ IDR: '100', 'usdt-tron': '50' }, { 'usdt-tron': '55', 'usdc-polygon': '20' });
    const decision = planFunding(
      short,
      [quote('usdc-polygon', '7', 'IDR', '100'), quote('usdt-tron', '6', 'IDR', '100')],
      sources,
      made,
      '0',
    );
    expect(decision).toMatchObject({
      kind: 'convert',
      plan: {
        conversions: [{ inputCurrency: 'usdc-polygon', inputAmount: '7', outputCurrency: 'IDR', outputAmount: '100' }],
        currencies: [
          { currency: 'IDR', required: '100', shortfall: '100' },
          { currency: 'usdt-tron', required: '50', shortfall: '0' },
          { currency: 'usdc-polygon', required: '7', shortfall: '0' },
        ],
      },
    });
    // Of rupiah there are none to set aside yet.
    expect(decision.kind === 'wait' ? [] : [...decision.reservations]).toEqual([
      ['usdt-tron', '50'],
      ['usdc-polygon', '7'],
    ]);
  });

  it.each([
    { percent: '1', balance: '10.11', reserved: '10.101011' },
    { percent: '1', balance: '10.10', reserved: undefined },
    { percent: '50', balance: '20', reserved: '20' },
    { percent: '99.99', balance: '100000', reserved: '100000' },
  ])(
    'sets aside what a conversion takes when its rate is worse by the $percent percent that are allowed',
    ({ percent, balance, reserved }) => {
      const decision = planFunding(
        situation({ IDR: '100' }, { 'usdt-tron': balance }),
        [quote('usdt-tron', '10', 'IDR', '100')],
        sources,
        made,
        percent,
      );
      expect(decision.kind === 'wait' ? undefined : decision.reservations.get('usdt-tron')).toBe(reserved);
    },
  );

  it('does not spend a source twice on two short currencies', () => {
    const short = situation({ IDR: '100', PHP: '100' }, { 'usdt-tron': '10' });
    const quotes = [quote('usdt-tron', '6', 'IDR', '100'), quote('usdt-tron', '6', 'PHP', '100')];
    expect(planFunding(short, quotes, sources, made, '0')).toMatchObject({
      kind: 'wait',
      missing: [{ currency: 'PHP', shortfall: '100', cause: 'no_source' }],
    });
  });

  it.each([
    ['no quote was given', []],
    ['the quote brings less than is missing', [quote('usdt-tron', '1', 'IDR', '99.99')]],
    ['the source has too little', [quote('usdt-tron', '10.000001', 'IDR', '100')]],
    ['the quote is for another currency', [quote('usdt-tron', '1', 'PHP', '100')]],
    ['the source is not one of the settings', [quote('eth-base', '0', 'IDR', '100')]],
  ])('waits when %s', (_, quotes) => {
    const decision = planFunding(situation({ IDR: '100' }, { 'usdt-tron': '10' }), quotes, sources, made, '0');
    expect(decision).toMatchObject({
      kind: 'wait',
      missing: [{ currency: 'IDR', shortfall: '100', cause: 'no_source' }],
    });
  });

  it('waits for a token that is short: nothing converts to it', () => {
    const decision = planFunding(situation({ 'usdt-tron': '11' }, { 'usdt-tron': '10' }), [], sources, made, '0');
    expect(decision).toMatchObject({
      kind: 'wait',
      missing: [{ currency: 'usdt-tron', shortfall: '1', cause: 'not_convertible' }],
    });
  });
});

describe('what is left of a reservation', () => {
  const tally = (amount: string, fee: string): Tally => ({ count: 1, amount, fee });
  const record = (currency: string, tallies: ChunkRecord['tallies']): ChunkRecord =>
    exampleChunk('B', { currency, tallies });

  it('is less by what the provider took or never will take, and keeps what is in doubt', () => {
    const records = [
      record('IDR', { completed: tally('10', '1'), pending: tally('20', '1'), unknown: tally('30', '0') }),
      record('IDR', {
        failed: tally('5', '0'),
        ready: tally('15', '0'),
        submitting: tally('9', '0'),
        quarantined: tally('3', '0'),
      }),
      record('PHP', { completed: tally('99', '1') }),
    ];
    expect(outstandingReservation('100', sumProgress(records, 0), 'IDR')).toBe('63');
  });

  it('is never below nothing', () => {
    const spent = sumProgress([record('IDR', { completed: tally('10', '1') })], 0);
    expect(outstandingReservation('10', spent, 'IDR')).toBe('0');
  });
});

describe('a rate that moved', () => {
  it.each([
    ['16000', '16000', '0', true],
    ['16000', '15840', '1', true],
    ['16000', '15839.99', '1', false],
    ['16000', '99999', '1', true],
    ['0.000061', '0.00006', '1', false],
  ])('from %s to %s under a cap of %s percent: %s', (planned, quoted, cap, fine) => {
    expect(rateWithinSlippage(planned, quoted, cap)).toBe(fine);
  });
});

describe('a conversion whose answer was lost', () => {
  const [inputCurrency, outputCurrency] = ['usdt-tron', 'IDR'];
  const quoted = { inputAmount: '10', outputAmount: '160000.5', fee: '0' };
  const conversion: Conversion = {
    batchId: 'b-1',
    n: 1,
    status: 'claimed',
    planned: { ...quoted, inputCurrency, outputCurrency, rate: '16000' },
    quoteId: 'q',
    inputBalanceBefore: '100',
    outputBalanceBefore: '5',
    ...quoted,
    claimId: 'claim-1',
    claimedAt: at,
  };

  it.each([
    ['90', '160005.5', 'happened'],
    ['90.00', '160005.50', 'happened'],
    ['100', '5', 'unchanged'],
    ['90', '5', 'unclear'],
    ['100', '160005.5', 'unclear'],
    ['89', '160005.5', 'unclear'],
    ['110', '5', 'unclear'],
  ])('with %s and %s afterwards is %s', (inputAfter, outputAfter, inference) => {
    const balances = new Map([
      [inputCurrency, inputAfter],
      [outputCurrency, outputAfter],
    ]);
    expect(inferConversion(conversion, balances)).toBe(inference);
  });
});
