import { describe, expect, it } from 'vitest';
import type { Conversion } from '../../../../functions/domain/batch/batch.ts';
import type { ChunkRecord } from '../../../../functions/domain/batch/chunk.ts';
import type { CurrencyPlan } from '../../../../functions/domain/batch/plan.ts';
import type { Progress } from '../../../../functions/domain/batch/progress.ts';
import { sumProgress } from '../../../../functions/domain/batch/progress.ts';
import { hasHappened } from '../../../../functions/domain/money/conversion.ts';
import { estimateFees } from '../../../../functions/domain/money/fees.ts';
import type { FundingDecision, FundingSituation, QuotesGiven } from '../../../../functions/domain/money/funding.ts';
import {
  coversShortfalls,
  exceedsPlan,
  heldBalance,
  isStillShort,
  mostTaken,
  planFunding,
  quotesToAsk,
  rateWithinSlippage,
  requiredFunds,
  shortfallOf,
  shortfalls,
} from '../../../../functions/domain/money/funding.ts';
import { Money } from '../../../../functions/domain/money/money.ts';
import { moneyOfText } from '../../../../functions/domain/money/money-by-currency.ts';
import { currencyFundingOfText } from '../../../../functions/domain/money/money-records.ts';
import type { Tally } from '../../../../functions/domain/money/tally.ts';
import type { Quote } from '../../../../functions/ports/provider.ts';
import { currencyPlan, idr, tally, thb, usdt } from '../../../support/money.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';

const sources = ['usdt-tron', 'usdc-polygon'];
const at = '2031-05-06T07:08:09.000Z';
const made = { conversionsBefore: 0, plannedAt: at };

const situation = (
  required: Record<string, string>,
  balances: Record<string, string>,
  reservedByOthers: Record<string, string> = {},
  inDoubt: Record<string, string> = {},
): FundingSituation => ({
  required: moneyOfText(required),
  balances: moneyOfText(balances),
  reservedByOthers: moneyOfText(reservedByOthers),
  inDoubt: moneyOfText(inDoubt),
});

const reservationsOf = (decision: FundingDecision) =>
  'reservations' in decision
    ? [...decision.reservations].map(([currency, { amount }]) => [currency, amount])
    : undefined;

const quote = (inputCurrency: string, inputAmount: string, outputCurrency: string, outputAmount: string): Quote => ({
  quoteId: 'q',
  input: Money.of(inputAmount, inputCurrency),
  output: Money.of(outputAmount, outputCurrency),
  fee: Money.of('1', outputCurrency),
  rate: '16000',
});

/** The quotes given, and the currencies into which the provider converts nothing. */
const given = (quotes: readonly Quote[], ...unconverted: readonly string[]): QuotesGiven => ({ quotes, unconverted });

const plan = (rail: 'fiat' | 'crypto', currency: string, count: number, amount: string, fee: string): CurrencyPlan =>
  currencyPlan({ rail, currency, count, amount, fee, largestAmount: amount, methods: [] });

describe('fees of a batch', () => {
  it('are the larger of the methods’ and the provider’s estimate, and the methods’ where the provider has none', () => {
    const currencies = [
      plan('fiat', 'IDR', 2, '100', '7'),
      plan('crypto', 'usdt-tron', 3, '60', '3'),
      plan('crypto', 'eth-base', 2, '5', '1'),
    ];
    const estimates = moneyOfText({ 'usdt-tron': '1.5000001', 'eth-base': '0.1' });
    expect(estimateFees(currencies, estimates)).toEqual([
      { rail: 'fiat', fee: idr('7'), source: 'payment_methods' },
      { rail: 'crypto', fee: usdt('4.500003'), source: 'crypto_estimate' },
      { rail: 'crypto', fee: Money.of('1', 'eth-base'), source: 'payment_methods' },
    ]);
  });

  it('are added to the amounts for the required sum', () => {
    const required = requiredFunds(
      [plan('fiat', 'IDR', 1, '100.5', '2'), plan('crypto', 'usdt-tron', 1, '10', '1')],
      [{ rail: 'crypto', fee: usdt('3'), source: 'crypto_estimate' }],
    );
    expect([...required.values()]).toEqual([idr('102.5'), usdt('13')]);
  });
});

describe('funding a batch', () => {
  it('is funded when balances cover it in addition to others’ reservations', () => {
    const decision = planFunding(
      situation({ IDR: '60', PHP: '5' }, { IDR: '100', PHP: '5' }, { IDR: '40' }),
      given([]),
      sources,
      made,
      '0',
    );
    expect(decision).toMatchObject({ kind: 'funded', plan: { conversions: [], plannedAt: at } });
    expect(reservationsOf(decision)).toEqual([
      ['IDR', '60'],
      ['PHP', '5'],
    ]);
  });

  it('uses nothing of an overdrawn balance', () => {
    expect(shortfalls(situation({ IDR: '60' }, { IDR: '100' }, { IDR: '130' }))).toEqual([
      currencyFundingOfText({
        ...{ currency: 'IDR', required: '60', balance: '100', reservedByOthers: '130' },
        ...{ shortfall: '60', unclear: '0' },
      }),
    ]);
  });

  it('requests quotes for exactly the shortfall, from each source', () => {
    const short = situation({ IDR: '100', 'eth-base': '3', PHP: '1' }, { IDR: '30', PHP: '1' });
    expect(quotesToAsk(short, sources)).toEqual([
      { inputCurrency: 'usdt-tron', output: idr('70') },
      { inputCurrency: 'usdc-polygon', output: idr('70') },
      { inputCurrency: 'usdt-tron', output: Money.of('3', 'eth-base') },
      { inputCurrency: 'usdc-polygon', output: Money.of('3', 'eth-base') },
    ]);
  });

  it('converts from the first source that has enough left after its own payouts', () => {
    const short = situation({ IDR: '100', 'usdt-tron': '50' }, { 'usdt-tron': '55', 'usdc-polygon': '20' });
    const decision = planFunding(
      short,
      given([quote('usdc-polygon', '7', 'IDR', '100'), quote('usdt-tron', '6', 'IDR', '100')]),
      sources,
      made,
      '0',
    );
    expect(decision).toMatchObject({
      kind: 'convert',
      plan: {
        conversions: [{ input: Money.of('7', 'usdc-polygon'), output: idr('100') }],
        currencies: [
          { currency: 'IDR', required: idr('100'), shortfall: idr('100') },
          { currency: 'usdt-tron', required: usdt('50'), shortfall: usdt('0') },
          { currency: 'usdc-polygon', required: Money.of('7', 'usdc-polygon') },
        ],
      },
    });
    // There are no rupiah to reserve yet.
    expect(reservationsOf(decision)).toEqual([
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
    'reserves a conversion’s input at a rate worse by the allowed $percent percent',
    ({ percent, balance, reserved }) => {
      const decision = planFunding(
        situation({ IDR: '100' }, { 'usdt-tron': balance }),
        given([quote('usdt-tron', '10', 'IDR', '100')]),
        sources,
        made,
        percent,
      );
      expect(reservationsOf(decision)).toEqual(reserved === undefined ? undefined : [['usdt-tron', reserved]]);
    },
  );

  it('does not spend a source twice on two short currencies', () => {
    const short = situation({ IDR: '100', PHP: '100' }, { 'usdt-tron': '10' });
    const quotes = [quote('usdt-tron', '6', 'IDR', '100'), quote('usdt-tron', '6', 'PHP', '100')];
    expect(planFunding(short, given(quotes), sources, made, '0')).toMatchObject({
      kind: 'wait',
      missing: [{ shortfall: Money.of('100', 'PHP'), cause: 'no_source' }],
    });
  });

  it.each([
    ['no quote was given', []],
    ['the quote brings less than is missing', [quote('usdt-tron', '1', 'IDR', '99.99')]],
    ['the source has too little', [quote('usdt-tron', '10.000001', 'IDR', '100')]],
    ['the quote is for another currency', [quote('usdt-tron', '1', 'PHP', '100')]],
    ['the source is not one of the settings', [quote('eth-base', '0', 'IDR', '100')]],
  ])('waits when %s', (_, quotes) => {
    const decision = planFunding(situation({ IDR: '100' }, { 'usdt-tron': '10' }), given(quotes), sources, made, '0');
    expect(decision).toMatchObject({
      kind: 'wait',
      missing: [{ shortfall: idr('100'), cause: 'no_source' }],
    });
  });

  it('waits for a currency into which the provider converts nothing', () => {
    const decision = planFunding(
      situation({ 'usdt-tron': '11' }, { 'usdt-tron': '10' }),
      given([], 'usdt-tron'),
      sources,
      made,
      '0',
    );
    expect(decision).toMatchObject({
      kind: 'wait',
      missing: [{ shortfall: usdt('1'), cause: 'not_convertible' }],
    });
  });
});

describe('others’ payouts in doubt', () => {
  it.each([
    ['nothing of it is needed', '40', '100', 'funded', '0'],
    ['all is missing anyway', '100', '0', 'convert', '0'],
    ['the shortfall may be covered', '50', '60', 'unclear', '10'],
    ['a part of the shortfall may be covered', '90', '60', 'unclear', '10'],
  ])('%s: of %s with a balance of %s is %s by %s', (_, required, balance, kind, unclear) => {
    const short = situation({ IDR: required }, { IDR: balance, 'usdt-tron': '100' }, { IDR: '20' }, { IDR: '10' });
    const quotes = [quote('usdt-tron', '6', 'IDR', '100')];
    const decision = planFunding(short, given(quotes), sources, made, '0');
    expect([decision.kind, decision.plan.currencies[0]?.unclear.amount]).toEqual([kind, unclear]);
  });

  it('looks again soon when a source may be free, and later when it is not', () => {
    const short = (inDoubt: Record<string, string>) =>
      planFunding(
        situation({ IDR: '100' }, { 'usdt-tron': '10' }, { 'usdt-tron': '9' }, inDoubt),
        given([quote('usdt-tron', '6', 'IDR', '100')]),
        sources,
        made,
        '0',
      ).kind;
    expect([short({ 'usdt-tron': '9' }), short({})]).toEqual(['unclear', 'wait']);
  });

  it.each([
    ['waits, when nothing converts to the missing currency', { 'eth-base': '3' }, 'wait'],
    ['looks again soon, when a source may cover a part of it', { 'eth-base': '3', IDR: '100' }, 'unclear'],
  ])('%s', (_name, required, kind) => {
    const doubtful = situation(required, { 'usdt-tron': '10' }, { 'usdt-tron': '9' }, { 'usdt-tron': '9' });
    expect(planFunding(doubtful, given([], 'eth-base'), sources, made, '0').kind).toBe(kind);
  });
});

describe('another batch’s reservation', () => {
  const spent = (amount: string, fee: string, count = 1): Tally => tally(count, amount, fee);
  const having = (tallies: ChunkRecord['tallies'], currency = 'IDR') =>
    sumProgress([exampleChunk('B', { currency, tallies })], 0);
  const nothing = sumProgress([], 0);
  const planned = { count: 9, amount: idr('92') };
  const inText = ({ most, least }: ReturnType<typeof heldBalance>) => ({ most: most.amount, least: least.amount });

  it('is reduced by amounts that the provider took or will not be asked for', () => {
    const progress = sumProgress(
      [
        exampleChunk('B', { tallies: { completed: spent('10', '1'), pending: spent('20', '1') } }),
        exampleChunk('B', {
          tallies: { failed: spent('5', '0'), ready: spent('15', '0'), quarantined: spent('3', '0') },
        }),
        exampleChunk('B', { currency: 'PHP', tallies: { completed: tally(1, '99', '1', 'PHP') } }),
      ],
      0,
    );
    expect(inText(heldBalance(idr('100'), planned, [progress, progress]))).toEqual({ most: '60', least: '60' });
  });

  it.each<[string, Progress, Progress, { most: string; least: string }]>([
    ['nothing happened', nothing, nothing, { most: '100', least: '100' }],
    ['a call was answered in between', nothing, having({ pending: spent('30', '2') }), { most: '100', least: '68' }],
    ['a call is not answered', nothing, having({ submitting: spent('30', '0') }), { most: '100', least: '62' }],
    [
      'one has an unknown outcome',
      having({ pending: spent('50', '1') }),
      having({ pending: spent('50', '1'), unknown: spent('30', '0') }),
      { most: '49', least: '12' },
    ],
    [
      'all are answered, at a lower fee',
      having({ pending: spent('92', '1', 9) }),
      having({ pending: spent('92', '1', 9) }),
      { most: '0', least: '0' },
    ],
  ])('when %s while the balance was read', (_, before, then, held) => {
    expect(inText(heldBalance(idr('100'), planned, [before, then]))).toEqual(held);
  });

  it.each([
    ['of one of ten equal payouts', spent('100', '140000'), '945'],
    ['of a small one', spent('1', '140000'), '1048.95'],
    ['of a small one, flat', spent('1', '5'), '1044'],
    ['of a small one, dearer than estimated', spent('1', '7'), '1044'],
    ['of a large one', spent('900', '140000'), '145'],
    ['of a large one, a percentage', spent('900', '45'), '105'],
    ['of one of ten equal payouts', spent('100', '2'), '948'],
    ['of three, one of them odd', spent('10', '140000', 3), '1039.5'],
    ['of all but one', spent('900', '4', 9), '146'],
  ])('keeps amounts and fees of the other payouts, whatever fee is reported %s', (_, taken, held) => {
    const progress = having({ pending: taken });
    const { most } = heldBalance(idr('1050'), { count: 10, amount: idr('1000') }, [progress, progress]);
    expect(most).toEqual(idr(held));
  });

  it('is all that it has reserved to convert from, and never negative', () => {
    const progress = having({ completed: spent('10', '1') });
    const both = [progress, progress] as const;
    expect(inText(heldBalance(usdt('7'), undefined, both))).toEqual({ most: '7', least: '7' });
    expect(inText(heldBalance(idr('10'), planned, both))).toEqual({ most: '0', least: '0' });
  });
});

describe('a plan that was made', () => {
  const need = (currency: string, shortfall: string, unclear = '0') =>
    currencyFundingOfText({
      ...{ currency, shortfall, unclear },
      ...{ required: '100', balance: '0', reservedByOthers: '0' },
    });
  const planOf = (currencies: readonly ReturnType<typeof need>[], ...outputs: readonly string[]) => ({
    ...made,
    currencies,
    conversions: outputs.map((output) => quote('usdt-tron', '10', output, '60')),
  });
  const both = [need('IDR', '60'), need('PHP', '0')];

  it.each([
    ['covers existing money', planOf([need('IDR', '0')]), true],
    ['covers its conversion', planOf(both, 'IDR'), true],
    ['covers its conversion beside another currency', planOf(both, 'THB', 'IDR'), true],
    ['does not cover a currency without a conversion', planOf(both), false],
    ['does not cover a conversion to another currency', planOf(both, 'PHP'), false],
    ['does not cover unclear amounts', planOf([need('IDR', '0', '1')]), false],
    ['does not cover unclear amounts, with a conversion', planOf([need('IDR', '60', '1')], 'IDR'), false],
  ])('%s', (_name, of, expected) => {
    expect(coversShortfalls(of)).toBe(expected);
  });

  it.each<[string, FundingSituation, boolean]>([
    ['as much is missing', situation({ PHP: '1', IDR: '100' }, { IDR: '40' }), true],
    ['more is missing', situation({ PHP: '1', IDR: '100' }, { IDR: '39' }), true],
    ['others brought some of it', situation({ PHP: '100', IDR: '100' }, { IDR: '41' }), false],
    ['part of it may be there', situation({ IDR: '100' }, { IDR: '40' }, { IDR: '10' }, { IDR: '10' }), true],
    ['it may all be there', situation({ IDR: '100' }, { IDR: '100' }, { IDR: '60' }, { IDR: '60' }), false],
    ['it is not needed anymore', situation({ PHP: '100' }, {}), false],
  ])('is still short when %s: %o', (_name, now, expected) => {
    expect(isStillShort(now, planOf([need('PHP', '1'), need('IDR', '60')]), 'IDR')).toBe(expected);
  });

  it('has no shortfall in a currency that it does not name', () => {
    expect([shortfallOf(planOf(both), 'IDR'), shortfallOf(planOf(both), 'THB')]).toEqual([idr('60'), thb('0')]);
  });

  it('reserves exactly the maximum that a quote may take', () => {
    const most = mostTaken({ input: usdt('10') }, '1');
    const [planned] = planOf(both, 'IDR').conversions;
    const isTooMuch = (input: Money) => planned !== undefined && exceedsPlan(planned, { input }, '1');
    expect([most, usdt(`${most.amount}1`)].map(isTooMuch)).toEqual([false, true]);
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
  const quoted = { input: usdt('10'), output: idr('160000.5'), fee: idr('0') };
  const conversion: Conversion = {
    batchId: 'b-1',
    n: 1,
    status: 'claimed',
    planned: { ...quoted, rate: '16000' },
    quoteId: 'q',
    inputBalanceBefore: usdt('100'),
    outputBalanceBefore: idr('5'),
    ...quoted,
    claimId: 'claim-1',
    claimedAt: at,
  };

  it.each([
    ['90', '160005.5', true],
    ['90', '160005.6', true],
    ['90', '160005.7', false],
    ['91', '160005.5', true],
    ['92', '160005.5', false],
    ['100', '5', false],
    ['90', '5', false],
    ['100', '160005.5', false],
    ['110', '5', false],
  ])('with %s and %s afterward: %s', (inputAfter, outputAfter, isProven) => {
    const balances = moneyOfText({ 'usdt-tron': inputAfter, IDR: outputAfter });
    expect(hasHappened(conversion, balances)).toBe(isProven);
  });

  it.each([
    ['10.12345678901', '89.88', '160000.49876543219', '160005.5', true],
    ['10.12345678901', '89.876544', '160000.49876543219', '160005.498765', true],
    ['10.12345678901', '89.86', '160000.49876543219', '160005.5', false],
    // An amount invisible in whole units proves nothing.
    ['0.5', '100', '160000.5', '160005', false],
  ])('of a quote of %s is compared with balances of %s at their own precision', (input, after, output, arrived, is) => {
    const quote = { ...conversion, input: usdt(input), output: idr(output) };
    expect(hasHappened(quote, moneyOfText({ 'usdt-tron': after, IDR: arrived }))).toBe(is);
  });
});
