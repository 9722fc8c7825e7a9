import { describe, expect, it } from 'vitest';
import type { ReportedConversion } from '../../chaos/truth/conversions.ts';
import { conversionFindings } from '../../chaos/truth/conversions.ts';
import type { ServiceConversion } from '../../chaos/truth/service-truth.ts';

/** A conversion as reported by its batch, of `n` hundred rupiah. */
const reported = (n: number, change: Partial<ReportedConversion> = {}): ReportedConversion => ({
  n,
  status: 'completed',
  inputCurrency: 'usdc-polygon',
  outputCurrency: 'IDR',
  plannedInputAmount: `${n}.5`,
  plannedOutputAmount: `${n}00.25`,
  convertId: `cnv_${n}`,
  claimedAt: `2026-01-01T00:0${n}:00.000Z`,
  ...change,
});

const unnamed = (n: number, status: string): ReportedConversion => {
  const { convertId: _, ...rest } = reported(n, { status });
  return rest;
};

/** A conversion as made by the service, a second after its claim. */
const made = (n: number, change: Partial<ServiceConversion> = {}): ServiceConversion => ({
  convertId: `cnv_${n}`,
  inputCurrency: 'usdc-polygon',
  inputAmount: `${n}.5`,
  outputCurrency: 'IDR',
  outputAmount: `${n}00.25`,
  createdAt: `2026-01-01T00:0${n}:01.000Z`,
  ...change,
});

interface Case {
  readonly name: string;
  readonly reported: readonly ReportedConversion[];
  readonly made: readonly ServiceConversion[];
  readonly found: readonly string[];
  /** The batches' shortfall at first. By default the output of the first conversion. */
  readonly short?: string;
}

const cases: readonly Case[] = [
  {
    name: 'nothing when each was made once',
    reported: [reported(1), reported(2)],
    made: [made(1), made(2)],
    found: [],
  },
  {
    name: 'nothing when the balances show that it was made',
    reported: [unnamed(1, 'inferred')],
    made: [made(1)],
    found: [],
  },
  {
    name: 'nothing when it was made at another rate than planned, as recorded',
    reported: [reported(1, { inputAmount: '1.5', outputAmount: '95.2' })],
    made: [made(1, { outputAmount: '95.2' })],
    found: [],
  },
  ...['rejected', 'not_sent', 'not_made'].map((status) => ({
    name: `nothing when it is ${status} and was not made`,
    reported: [unnamed(1, status)],
    made: [],
    found: [],
  })),
  {
    name: 'nothing when an unmade one was planned again, and made',
    reported: [unnamed(1, 'not_sent'), reported(2, { plannedInputAmount: '1.5', plannedOutputAmount: '100.25' })],
    made: [made(1, { convertId: 'cnv_2', createdAt: '2026-01-01T00:02:01.000Z' })],
    found: [],
  },
  {
    name: 'one that the service made twice',
    reported: [reported(1)],
    made: [made(1), made(1, { convertId: 'cnv_again', createdAt: '2026-01-01T00:01:09.000Z' })],
    found: ['converted-twice conversion 1 of a'],
  },
  {
    name: 'one plan that the batch converted twice',
    reported: [
      reported(1),
      reported(2, { plannedOutputAmount: '100.250', inputAmount: '2.5', outputAmount: '200.25' }),
    ],
    made: [made(1), made(2)],
    found: ['converted-twice conversion 2 of a'],
  },
  {
    name: 'nothing when others took the first one’s proceeds, and the batch was short again',
    reported: [
      reported(1),
      reported(2, { plannedOutputAmount: '100.250', inputAmount: '2.5', outputAmount: '200.25' }),
    ],
    made: [made(1), made(2)],
    short: '100.26',
    found: [],
  },
  {
    name: 'one that a batch records as made and that is not in the books',
    reported: [reported(1)],
    made: [],
    found: ['conversion-lost conversion 1 of a'],
  },
  {
    name: 'one that the balances seemed to show and that is not in the books',
    reported: [unnamed(1, 'inferred')],
    made: [],
    found: ['conversion-lost conversion 1 of a'],
  },
  {
    name: 'one that was made before the batch requested it',
    reported: [unnamed(1, 'inferred')],
    made: [made(1, { createdAt: '2026-01-01T00:00:59.999Z' })],
    found: ['conversion-lost conversion 1 of a', 'conversion-stray cnv_1'],
  },
  {
    name: 'two records of one conversion of the service',
    reported: [reported(1), reported(2, { convertId: 'cnv_1' })],
    made: [made(1)],
    found: ['conversion-lost conversion 2 of a'],
  },
  ...['rejected', 'not_sent', 'not_made', 'unknown', 'claimed'].map((status) => ({
    name: `one that was made although it is ${status}`,
    reported: [unnamed(1, status)],
    made: [made(1)],
    found: ['conversion-lost conversion 1 of a'],
  })),
  ...['unknown', 'claimed'].map((status) => ({
    name: `one that was left ${status}`,
    reported: [unnamed(1, status)],
    made: [],
    found: ['conversion-lost conversion 1 of a'],
  })),
  {
    name: 'another amount than recorded',
    reported: [reported(1)],
    made: [made(1, { outputAmount: '100.24' })],
    found: ['conversion-wrong conversion 1 of a'],
  },
  {
    name: 'another currency than recorded',
    reported: [reported(1)],
    made: [made(1, { inputCurrency: 'usdt-tron' })],
    found: ['conversion-wrong conversion 1 of a'],
  },
  {
    name: 'one that no batch planned',
    reported: [reported(1)],
    made: [made(1), made(9, { createdAt: '2026-01-01T00:09:00.000Z' })],
    found: ['conversion-stray cnv_9'],
  },
];

describe('comparing the service’s conversions with the batches’ records finds', () => {
  it.each(cases)('$name', ({ reported: conversions, made: books, short = '100.25', found }) => {
    const findings = conversionFindings([{ name: 'a', conversions }], books, new Map([['IDR', short]]));
    expect(findings.map(({ kind, what }) => `${kind} ${what}`)).toEqual(found);
  });

  it('nothing when two batches convert the same amount', () => {
    const batches = [
      { name: 'a', conversions: [reported(1)] },
      { name: 'b', conversions: [reported(1, { convertId: 'cnv_b' })] },
    ];
    const books = [made(1), made(1, { convertId: 'cnv_b' })];
    expect(conversionFindings(batches, books, new Map([['IDR', '200.5']]))).toEqual([]);
  });
});
