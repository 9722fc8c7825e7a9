import { describe, expect, it } from 'vitest';
import type { Conversion } from '../../../functions/domain/batch.ts';
import type { ChunkRecord, Tally } from '../../../functions/domain/chunk.ts';
import { hasHappened } from '../../../functions/domain/conversion.ts';
import { estimateFees } from '../../../functions/domain/fees.ts';
import type { FundingDecision, FundingSituation } from '../../../functions/domain/funding.ts';
import {
  coversShortfalls,
  heldOf,
  isStillShort,
  mostTaken,
  planFunding,
  quotesToAsk,
  rateWithinSlippage,
  requiredFunds,
  shortfallOf,
  shortfalls,
  takesTooMuch,
} from '../../../functions/domain/funding.ts';
import type { CurrencyPlan } from '../../../functions/domain/plan.ts';
import type { Progress } from '../../../functions/domain/progress.ts';
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
  inDoubt: Record<string, string> = {},
): FundingSituation => ({
  required: new Map(Object.entries(required)),
  balances: new Map(Object.entries(balances)),
  reservedByOthers: new Map(Object.entries(reservedByOthers)),
  inDoubt: new Map(Object.entries(inDoubt)),
});

const reservationsOf = (decision: FundingDecision) =>
  'reservations' in decision ? [...decision.reservations] : undefined;

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
    expect(reservationsOf(decision)).toEqual([
      ['IDR', '60'],
      ['PHP', '5'],
    ]);
  });

  it('uses nothing of a balance that others have overdrawn', () => {
    expect(shortfalls(situation({ IDR: '60' }, { IDR: '100' }, { IDR: '130' }))).toEqual([
      { currency: 'IDR', required: '60', balance: '100', reservedByOthers: '130', shortfall: '60', unclear: '0' },
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
    'sets aside what a conversion takes when its rate is worse by the $percent percent that are allowed',
    ({ percent, balance, reserved }) => {
      const decision = planFunding(
        situation({ IDR: '100' }, { 'usdt-tron': balance }),
        [quote('usdt-tron', '10', 'IDR', '100')],
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

describe('what is in doubt of others', () => {
  it.each([
    ['nothing of it is needed', '40', '100', 'funded', '0'],
    ['all is missing anyway', '100', '0', 'convert', '0'],
    ['what is missing may be there', '50', '60', 'unclear', '10'],
    ['some of what is missing may be there', '90', '60', 'unclear', '10'],
  ])('%s: of %s with a balance of %s is %s by %s', (_, required, balance, kind, unclear) => {
    const short = situation({ IDR: required }, { IDR: balance, 'usdt-tron': '100' }, { IDR: '20' }, { IDR: '10' });
    const quotes = [quote('usdt-tron', '6', 'IDR', '100')];
    const decision = planFunding(short, quotes, sources, made, '0');
    expect([decision.kind, decision.plan.currencies[0]?.unclear]).toEqual([kind, unclear]);
  });

  it('lets a batch look again soon whose source may be free, and not for long when it is not', () => {
    const short = (inDoubt: Record<string, string>) =>
      planFunding(
        situation({ IDR: '100' }, { 'usdt-tron': '10' }, { 'usdt-tron': '9' }, inDoubt),
        [quote('usdt-tron', '6', 'IDR', '100')],
        sources,
        made,
        '0',
      ).kind;
    expect([short({ 'usdt-tron': '9' }), short({})]).toEqual(['unclear', 'wait']);
  });

  it.each([
    ['waits, where nothing converts to what is missing', { 'eth-base': '3' }, 'wait'],
    ['looks again soon, where a source may bring a part of it', { 'eth-base': '3', IDR: '100' }, 'unclear'],
  ])('%s', (_name, required, kind) => {
    const doubtful = situation(required, { 'usdt-tron': '10' }, { 'usdt-tron': '9' }, { 'usdt-tron': '9' });
    expect(planFunding(doubtful, [], sources, made, '0').kind).toBe(kind);
  });
});

describe('what another batch holds', () => {
  const tally = (amount: string, fee: string, count = 1): Tally => ({ count, amount, fee });
  const having = (tallies: ChunkRecord['tallies'], currency = 'IDR') =>
    sumProgress([exampleChunk('B', { currency, tallies })], 0);
  const nothing = sumProgress([], 0);
  const planned = { count: 9, amount: '92' };

  it('is less by what the provider took or will not be asked for', () => {
    const progress = sumProgress(
      [
        exampleChunk('B', { tallies: { completed: tally('10', '1'), pending: tally('20', '1') } }),
        exampleChunk('B', {
          tallies: { failed: tally('5', '0'), ready: tally('15', '0'), quarantined: tally('3', '0') },
        }),
        exampleChunk('B', { currency: 'PHP', tallies: { completed: tally('99', '1') } }),
      ],
      0,
    );
    expect(heldOf('100', 'IDR', planned, [progress, progress])).toEqual({ most: '60', least: '60' });
  });

  it.each<[string, Progress, Progress, { most: string; least: string }]>([
    ['nothing happened', nothing, nothing, { most: '100', least: '100' }],
    ['a call was answered in between', nothing, having({ pending: tally('30', '2') }), { most: '100', least: '68' }],
    ['a call is not answered', nothing, having({ submitting: tally('30', '0') }), { most: '100', least: '62' }],
    [
      'nobody knows what became of one',
      having({ pending: tally('50', '1') }),
      having({ pending: tally('50', '1'), unknown: tally('30', '0') }),
      { most: '49', least: '12' },
    ],
    [
      'all are answered, at a lower fee',
      having({ pending: tally('92', '1', 9) }),
      having({ pending: tally('92', '1', 9) }),
      { most: '0', least: '0' },
    ],
  ])('when %s while the balance was read', (_, before, then, held) => {
    expect(heldOf('100', 'IDR', planned, [before, then])).toEqual(held);
  });

  it.each([
    ['of one of ten equal payouts', tally('100', '140000'), '945'],
    ['of a small one', tally('1', '140000'), '1048.95'],
    ['of a small one, flat', tally('1', '5'), '1044'],
    ['of a small one, dearer than estimated', tally('1', '7'), '1044'],
    ['of a large one', tally('900', '140000'), '145'],
    ['of a large one, a percentage', tally('900', '45'), '105'],
    ['of one of ten equal payouts', tally('100', '2'), '948'],
    ['of three, one of them odd', tally('10', '140000', 3), '1039.5'],
  ])('keeps amounts and fees of the other payouts, whatever is told as the fee %s', (_, spent, held) => {
    const progress = having({ pending: spent });
    const { most } = heldOf('1050', 'IDR', { count: 10, amount: '1000' }, [progress, progress]);
    expect(most).toBe(held);
  });

  it('is all that it has set aside to convert from, and never below nothing', () => {
    const spent = having({ completed: tally('10', '1') });
    expect(heldOf('7', 'usdt-tron', undefined, [spent, spent])).toEqual({ most: '7', least: '7' });
    expect(heldOf('10', 'IDR', planned, [spent, spent])).toEqual({ most: '0', least: '0' });
  });
});

describe('a plan that was made', () => {
  const need = (currency: string, shortfall: string, unclear = '0') => ({
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
    ['covers what is there', planOf([need('IDR', '0')]), true],
    ['covers what it converts', planOf(both, 'IDR'), true],
    ['covers what it converts beside another currency', planOf(both, 'THB', 'IDR'), true],
    ['does not cover what it converts nothing to', planOf(both), false],
    ['does not cover what it converts to another currency', planOf(both, 'PHP'), false],
    ['does not cover what is unclear', planOf([need('IDR', '0', '1')]), false],
    ['does not cover what is unclear, with a conversion', planOf([need('IDR', '60', '1')], 'IDR'), false],
  ])('%s', (_name, of, expected) => {
    expect(coversShortfalls(of)).toBe(expected);
  });

  it.each<[string, FundingSituation, boolean]>([
    ['as much is missing', situation({ PHP: '1', IDR: '100' }, { IDR: '40' }), true],
    ['more is missing', situation({ PHP: '1', IDR: '100' }, { IDR: '39' }), true],
    ['others brought some of it', situation({ PHP: '100', IDR: '100' }, { IDR: '41' }), false],
    ['part of it may be there', situation({ IDR: '100' }, { IDR: '40' }, { IDR: '10' }, { IDR: '10' }), true],
    ['it may all be there', situation({ IDR: '100' }, { IDR: '100' }, { IDR: '60' }, { IDR: '60' }), false],
    ['it is not needed any more', situation({ PHP: '100' }, {}), false],
  ])('is still short when %s: %o', (_name, now, expected) => {
    expect(isStillShort(now, planOf([need('PHP', '1'), need('IDR', '60')]), 'IDR')).toBe(expected);
  });

  it('misses nothing of a currency that it does not name', () => {
    expect([shortfallOf(planOf(both), 'IDR'), shortfallOf(planOf(both), 'THB')]).toEqual(['60', '0']);
  });

  it('sets aside what a quote may take at most, and no more', () => {
    const most = mostTaken({ inputCurrency: 'usdt-tron', inputAmount: '10' }, '1');
    const [planned] = planOf(both, 'IDR').conversions;
    const isTooMuch = (inputAmount: string) => planned !== undefined && takesTooMuch(planned, { inputAmount }, '1');
    expect([most, `${most}1`].map(isTooMuch)).toEqual([false, true]);
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
    ['90', '160005.5', true],
    ['90', '160005.6', true],
    ['90', '160005.7', false],
    ['91', '160005.5', true],
    ['92', '160005.5', false],
    ['100', '5', false],
    ['90', '5', false],
    ['100', '160005.5', false],
    ['110', '5', false],
  ])('with %s and %s afterwards: %s', (inputAfter, outputAfter, isProven) => {
    const balances = new Map([
      [inputCurrency, inputAfter],
      [outputCurrency, outputAfter],
    ]);
    expect(hasHappened(conversion, balances)).toBe(isProven);
  });

  it.each([
    ['10.12345678901', '89.88', '160000.49876543219', '160005.5', true],
    ['10.12345678901', '89.876544', '160000.49876543219', '160005.498765', true],
    ['10.12345678901', '89.86', '160000.49876543219', '160005.5', false],
    // What cannot be seen in whole units proves nothing.
    ['0.5', '100', '160000.5', '160005', false],
  ])(
    'of a quote of %s is held against balances of %s and so on by their own digits',
    (input, after, output, arrived, is) => {
      const quote = { ...conversion, inputAmount: input, outputAmount: output };
      const balances = new Map([
        [inputCurrency, after],
        [outputCurrency, arrived],
      ]);
      expect(hasHappened(quote, balances)).toBe(is);
    },
  );
});
