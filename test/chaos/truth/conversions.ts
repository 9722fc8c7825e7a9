import Big from 'big.js';
import type { Finding } from './finding.ts';
import type { ServiceConversion } from './service-truth.ts';

/** A conversion as the batch that planned it tells of it. */
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
  /** ISO 8601: written down before it was asked for. */
  readonly claimedAt: string;
}

/** A batch and what it tells of its conversions. */
export interface ConvertingBatch {
  readonly name: string;
  readonly conversions: readonly ReportedConversion[];
}

/** By its answer, by the balances or by a person: the money was converted. */
export const isMade = ({ status }: ReportedConversion): boolean => status === 'completed' || status === 'inferred';

/** Nobody has said yet what became of it. */
export const isInDoubt = ({ status }: Pick<ReportedConversion, 'status'>): boolean =>
  status === 'claimed' || status === 'unknown';

const hasAmounts = (told: ReportedConversion, made: ServiceConversion): boolean =>
  told.inputCurrency === made.inputCurrency &&
  told.outputCurrency === made.outputCurrency &&
  new Big(told.inputAmount ?? told.plannedInputAmount).eq(made.inputAmount) &&
  new Big(told.outputAmount ?? told.plannedOutputAmount).eq(made.outputAmount);

/** Whether a conversion in the service's books may be the one that the record tells of: of its amounts, and not before it. */
export const fits = (told: ReportedConversion, made: ServiceConversion): boolean =>
  hasAmounts(told, made) && Date.parse(made.createdAt) >= Date.parse(told.claimedAt);

interface NamedConversion extends ReportedConversion {
  readonly batch: string;
  readonly what: string;
}

const describeMade = ({ convertId, inputAmount, inputCurrency, outputAmount, outputCurrency }: ServiceConversion) =>
  `${convertId}, ${inputAmount} ${inputCurrency} into ${outputAmount} ${outputCurrency}`;

const outputOf = ({ outputAmount, plannedOutputAmount }: ReportedConversion): Big =>
  new Big(outputAmount ?? plannedOutputAmount);

/**
 * Two records of one batch that are made and were planned to bring the same: each plan is for exactly what is missing. Not so
 * where others would have been short without the second: then they took what the first had brought, before its batch looked again.
 */
const madeFromOnePlan = (told: readonly NamedConversion[], short: ReadonlyMap<string, string>): readonly Finding[] => {
  const made = told.filter(isMade);
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
 * Holds the conversions that the service made against those that the batches tell of: each that a batch calls made there is
 * once, and beside them none. A record that names an id is held against it; of the others each gets a conversion of
 * its amounts that came after it.
 *
 * @param short what the files pay of each currency beyond what there was at first, without fees
 */
export const conversionFindings = (
  batches: readonly ConvertingBatch[],
  made: readonly ServiceConversion[],
  short: ReadonlyMap<string, string>,
): readonly Finding[] => {
  const told = batches.flatMap(({ name, conversions }) =>
    conversions.map((one): NamedConversion => ({ ...one, batch: name, what: `conversion ${one.n} of ${name}` })),
  );
  const unclaimed = new Map(made.map((one) => [one.convertId, one]));
  const take = (one: ServiceConversion | undefined): ServiceConversion | undefined => {
    if (one !== undefined) unclaimed.delete(one.convertId);
    return one;
  };
  const takeFitting = (one: NamedConversion) => take([...unclaimed.values()].find((each) => fits(one, each)));

  const named = told.flatMap((one): readonly Finding[] => {
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
  const unnamed = told.filter(({ convertId }) => convertId === undefined);
  const missing = unnamed.filter(isMade).flatMap((one): readonly Finding[] => {
    if (takeFitting(one) !== undefined) return [];
    return [{ kind: 'conversion-lost', what: one.what, why: `the batch says ${one.status}, the service made none` }];
  });
  const untold = unnamed
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
    const again = told.find((each) => fits(each, one));
    const why = `the service made ${describeMade(one)}`;
    return again === undefined
      ? { kind: 'conversion-stray', what: one.convertId, why }
      : { kind: 'converted-twice', what: again.what, why };
  });
  return [...named, ...missing, ...untold, ...left, ...madeFromOnePlan(told, short)];
};
