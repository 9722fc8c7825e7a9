import Big from 'big.js';
import type { Finding } from './finding.ts';
import type { ServiceConversion } from './service-truth.ts';

/** A conversion as reported by its batch. */
export interface ReportedConversion {
  /** From 1. */
  readonly n: number;
  readonly status: string;
  readonly inputCurrency: string;
  readonly outputCurrency: string;
  readonly plannedInputAmount: string;
  readonly plannedOutputAmount: string;
  readonly inputAmount?: string;
  readonly outputAmount?: string;
  readonly convertId?: string;
  /** ISO 8601. Recorded before the request was sent. */
  readonly claimedAt: string;
}

/** A batch and its reported conversions. */
export interface ConvertingBatch {
  readonly name: string;
  readonly conversions: readonly ReportedConversion[];
}

/** True when money was converted, as shown by the answer, by the balances or by a person. */
export const isMade = ({ status }: ReportedConversion): boolean => status === 'completed' || status === 'inferred';

/** True while its outcome is unknown. */
export const isInDoubt = ({ status }: Pick<ReportedConversion, 'status'>): boolean =>
  status === 'claimed' || status === 'unknown';

const hasAmounts = (reported: ReportedConversion, made: ServiceConversion): boolean =>
  reported.inputCurrency === made.inputCurrency &&
  reported.outputCurrency === made.outputCurrency &&
  new Big(reported.inputAmount ?? reported.plannedInputAmount).eq(made.inputAmount) &&
  new Big(reported.outputAmount ?? reported.plannedOutputAmount).eq(made.outputAmount);

/** True when a conversion in the service's books may belong to the record: it has its amounts and came after it. */
export const fits = (reported: ReportedConversion, made: ServiceConversion): boolean =>
  hasAmounts(reported, made) && Date.parse(made.createdAt) >= Date.parse(reported.claimedAt);

interface NamedConversion extends ReportedConversion {
  readonly batch: string;
  readonly what: string;
}

const describeMade = ({ convertId, inputAmount, inputCurrency, outputAmount, outputCurrency }: ServiceConversion) =>
  `${convertId}, ${inputAmount} ${inputCurrency} into ${outputAmount} ${outputCurrency}`;

const outputOf = ({ outputAmount, plannedOutputAmount }: ReportedConversion): Big =>
  new Big(outputAmount ?? plannedOutputAmount);

/**
 * Finds two made conversions of one batch with the same planned output, because each plan covers exactly what is missing. Exempt
 * are those without which another batch would have been short: it took the first one's output before the batch looked again.
 */
const madeFromOnePlan = (
  reported: readonly NamedConversion[],
  short: ReadonlyMap<string, string>,
): readonly Finding[] => {
  const made = reported.filter(isMade);
  const isSpare = (one: NamedConversion): boolean =>
    made
      .filter((other) => other !== one && other.outputCurrency === one.outputCurrency)
      .reduce((sum, other) => sum.plus(outputOf(other)), new Big(0))
      .gte(short.get(one.outputCurrency) ?? '0');
  const plans = Map.groupBy(made, ({ batch, inputCurrency, outputCurrency, plannedOutputAmount }) =>
    JSON.stringify([batch, inputCurrency, outputCurrency, new Big(plannedOutputAmount).toFixed()]),
  );
  return [...plans.values()].flatMap(([first, ...others]) =>
    others.filter(isSpare).map(({ what }): Finding => {
      const why = `it brings exactly what ${first?.what} was planned to bring, and nobody was short of it`;
      return { kind: 'converted-twice', what, why };
    }),
  );
};

/**
 * Compares the service's conversions with those that the batches report. Each reported one exists exactly once, and no other
 * exists. A record with an id is compared with that conversion. Each other record gets a later conversion of its amounts.
 *
 * @param short sums that the files pay beyond the opening balances, by currency, without fees
 */
export const conversionFindings = (
  batches: readonly ConvertingBatch[],
  made: readonly ServiceConversion[],
  short: ReadonlyMap<string, string>,
): readonly Finding[] => {
  const reported = batches.flatMap(({ name, conversions }) =>
    conversions.map((one): NamedConversion => ({ ...one, batch: name, what: `conversion ${one.n} of ${name}` })),
  );
  const unclaimed = new Map(made.map((one) => [one.convertId, one]));
  const take = (one: ServiceConversion | undefined): ServiceConversion | undefined => {
    if (one !== undefined) unclaimed.delete(one.convertId);
    return one;
  };
  const takeFitting = (one: NamedConversion) => take([...unclaimed.values()].find((each) => fits(one, each)));

  const named = reported.flatMap((one): readonly Finding[] => {
    const { convertId, what, status } = one;
    if (convertId === undefined) return [];
    const found = take(unclaimed.get(convertId));
    if (found === undefined) {
      const why = `the batch says ${status} as ${convertId}, which the service did not make, or not for it alone`;
      return [{ kind: 'conversion-lost', what, why }];
    }
    if (hasAmounts(one, found)) return [];
    return [{ kind: 'conversion-wrong', what, why: `the service made ${describeMade(found)}` }];
  });
  const unnamed = reported.filter(({ convertId }) => convertId === undefined);
  const missing = unnamed.filter(isMade).flatMap((one): readonly Finding[] => {
    if (takeFitting(one) !== undefined) return [];
    return [{ kind: 'conversion-lost', what: one.what, why: `the batch says ${one.status}, the service made none` }];
  });
  const unexplained = unnamed
    .filter((one) => !isMade(one))
    .flatMap((one): readonly Finding[] => {
      const found = takeFitting(one);
      if (found === undefined && !isInDoubt(one)) return [];
      const books = found === undefined ? 'none' : describeMade(found);
      return [
        { kind: 'conversion-lost', what: one.what, why: `the batch says ${one.status}, the service made ${books}` },
      ];
    });
  const left = [...unclaimed.values()].map((one): Finding => {
    const again = reported.find((each) => fits(each, one));
    const why = `the service made ${describeMade(one)}`;
    return again === undefined
      ? { kind: 'conversion-stray', what: one.convertId, why }
      : { kind: 'converted-twice', what: again.what, why };
  });
  return [...named, ...missing, ...unexplained, ...left, ...madeFromOnePlan(reported, short)];
};
