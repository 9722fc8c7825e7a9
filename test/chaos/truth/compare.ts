import Big from 'big.js';
import type { PayoutRow } from '../payout-rows.ts';
import type { ConvertingBatch } from './conversions.ts';
import { conversionFindings } from './conversions.ts';
import type { Finding } from './finding.ts';
import type { ServiceDisbursement, ServiceTruth } from './service-truth.ts';

/** A payout file of the orchestrator, with its results and its conversions. */
export interface PaidFile extends ConvertingBatch {
  readonly rows: readonly Pick<PayoutRow, 'row' | 'reference' | 'amount' | 'currency' | 'destination'>[];
  readonly results: readonly PayoutResult[];
}

/** A line of results.csv. */
export interface PayoutResult {
  readonly row: number;
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly status: string;
  readonly reasonCode: string;
  readonly disbursementId: string;
}

/** A payout that rests until a person decides, with the status and the reason in the results. */
export interface LeftToPerson {
  readonly reference: string;
  readonly status: string;
  readonly reasonCode: string;
  /** The service's state of it, which the orchestrator could not know for certain. */
  readonly atService: string;
}

/** A payout whose correctly reported end the service changed later, which nobody can foresee. */
export interface ChangedAfterEnd {
  readonly reference: string;
  readonly reported: string;
  readonly atService: string;
}

export interface Comparison {
  readonly payouts: number;
  readonly byStatus: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
  readonly leftToPerson: readonly LeftToPerson[];
  readonly changedAfterEnd: readonly ChangedAfterEnd[];
}

/** Statuses of the service in which the money is back in the balance. In every other status it has left. */
const returned: readonly string[] = ['failed', 'canceled'];

const hasLeft = ({ status }: ServiceDisbursement): boolean => !returned.includes(status);

const isSame = (a: string, b: string): boolean => new Big(a).eq(b);

const hasBeen = (held: readonly ServiceDisbursement[], status: string): boolean =>
  held.every((disbursement) => disbursement.hasBeen.includes(status));

/** By the status in the results: the condition on the service's disbursements of the payout. */
const agrees: Readonly<Record<string, (held: readonly ServiceDisbursement[]) => boolean>> = {
  completed: (held) => held.length === 1 && hasBeen(held, 'completed'),
  failed: (held) => held.length === 1 && hasBeen(held, 'failed'),
  // Canceled before it was submitted, or by the service.
  canceled: (held) => hasBeen(held, 'canceled'),
  rejected: (held) => held.length === 0,
  on_hold: (held) => held.length === 1 && hasBeen(held, 'need_check'),
  // A person has to look at it, so any state of the service is acceptable.
  quarantined: () => true,
};

const ends: readonly string[] = ['completed', 'failed', 'canceled'];

const isChangedSince = (reported: string, held: readonly ServiceDisbursement[]): boolean =>
  ends.includes(reported) && agrees[reported]?.(held) === true && held.some(({ status }) => status !== reported);

const restsWithPerson = (status: string): boolean => status === 'on_hold' || status === 'quarantined';

const describeHeld = (held: readonly ServiceDisbursement[]): string =>
  held.length === 0 ? 'nothing' : held.map(({ disbursementId, status }) => `${status} (${disbursementId})`).join(', ');

type FileRow = PaidFile['rows'][number];

const rowFindings = (
  row: FileRow,
  result: PayoutResult | undefined,
  held: readonly ServiceDisbursement[],
): Finding[] => {
  const what = row.reference;
  const findings: Finding[] = [];
  const paid = held.filter(hasLeft);
  if (paid.length > 1) {
    findings.push({ kind: 'twice', what, why: `the service holds ${paid.length} of it: ${describeHeld(held)}` });
  }
  for (const { disbursementId, amount, currency, destinations } of held) {
    const differs = !isSame(amount, row.amount) || currency !== row.currency || !destinations.includes(row.destination);
    if (differs) findings.push({ kind: 'wrong', what, why: `${disbursementId} is not what row ${row.row} asks for` });
  }
  if (result === undefined) {
    findings.push({
      kind: 'lost',
      what,
      why: `the results have no row ${row.row}; the service holds ${describeHeld(held)}`,
    });
    return findings;
  }
  if (result.reference !== row.reference || !isSame(result.amount, row.amount) || result.currency !== row.currency) {
    findings.push({ kind: 'wrong', what, why: `the results differ from row ${row.row}` });
  }
  if (agrees[result.status]?.(held) !== true) {
    const why = `the results say ${result.status}, the service holds ${describeHeld(held)}`;
    findings.push({ kind: 'lost', what, why });
  }
  const named = result.disbursementId;
  if (named !== '' && !held.some(({ disbursementId }) => disbursementId === named)) {
    findings.push({ kind: 'wrong', what, why: `the results name ${named}; the service holds ${describeHeld(held)}` });
  }
  return findings;
};

const sumOf = (amounts: Iterable<string>): Big => [...amounts].reduce((sum, amount) => sum.plus(amount), new Big(0));

/** Correctly reported results count as reported, even if the service changed its status later. */
const countsAsCompleted = (result: PayoutResult | undefined, disbursement: ServiceDisbursement): boolean => {
  const isTrue = result !== undefined && agrees[result.status]?.([disbursement]) === true;
  return isTrue ? result.status === 'completed' : disbursement.status === 'completed';
};

/** The sums that the files pay beyond the opening balances, by currency, without fees. */
const shortAtFirst = (files: readonly PaidFile[], { balances }: ServiceTruth): ReadonlyMap<string, string> => {
  const rows = Map.groupBy(
    files.flatMap((file) => file.rows),
    ({ currency }) => currency,
  );
  const short = ([currency, paid]: readonly [string, readonly FileRow[]]) =>
    [
      currency,
      sumOf(paid.map(({ amount }) => amount))
        .minus(balances.get(currency)?.opening ?? '0')
        .toFixed(),
    ] as const;
  return new Map([...rows].map(short));
};

/**
 * Compares sums: payouts completed by the results with those completed by the service, and payments plus conversions with the
 * change of each balance.
 */
const sumFindings = (files: readonly PaidFile[], truth: ServiceTruth): Finding[] => {
  const currencies = new Set([
    ...files.flatMap(({ rows }) => rows.map(({ currency }) => currency)),
    ...truth.disbursements.map(({ currency }) => currency),
    ...truth.spent.keys(),
    ...truth.balances.keys(),
  ]);
  const inFiles = new Set(files.flatMap(({ rows }) => rows.map(({ reference }) => reference)));
  return [...currencies].flatMap((currency) => {
    const results = files.flatMap((file) => file.results).filter((result) => result.currency === currency);
    const rows = files.flatMap((file) => file.rows).filter((row) => row.currency === currency);
    const held = truth.disbursements.filter((disbursement) => disbursement.currency === currency);
    const listed = sumOf(results.map(({ amount }) => amount));
    const asked = sumOf(rows.map(({ amount }) => amount));
    const listedCompleted = sumOf(results.filter(({ status }) => status === 'completed').map(({ amount }) => amount));
    const resultOf = new Map(results.map((result) => [result.reference, result]));
    const completed = sumOf(
      held
        .filter(({ reference = '' }) => inFiles.has(reference))
        .filter((disbursement) => countsAsCompleted(resultOf.get(disbursement.reference ?? ''), disbursement))
        .map(({ amount }) => amount),
    );
    const left = sumOf(held.filter(hasLeft).map(({ amount, fee }) => new Big(amount).plus(fee).toFixed()));
    const convertedFrom = sumOf(
      truth.conversions.filter((one) => one.inputCurrency === currency).map(({ inputAmount }) => inputAmount),
    );
    const convertedTo = sumOf(
      truth.conversions.filter((one) => one.outputCurrency === currency).map(({ outputAmount }) => outputAmount),
    );
    const moved = left.plus(convertedFrom).minus(convertedTo);
    const spent = truth.spent.get(currency) ?? '0';
    const { opening, now } = truth.balances.get(currency) ?? { opening: '0', now: '0' };
    const problems = [
      listed.eq(asked)
        ? []
        : [`the rows of the results add up to ${listed.toFixed()}, those of the files to ${asked.toFixed()}`],
      listedCompleted.eq(completed)
        ? []
        : [`completed are ${listedCompleted.toFixed()} by the results, ${completed.toFixed()} by the service`],
      moved.eq(spent) ? [] : [`${moved.toFixed()} left by disbursements and conversions, ${spent} by the ledger`],
      new Big(opening).minus(now).eq(spent)
        ? []
        : [`the balance went from ${opening} to ${now}, by the ledger ${spent} left`],
    ].flat();
    return problems.map((why): Finding => ({ kind: 'sum', what: currency, why }));
  });
};

/** The findings for the rows of one file. */
const fileFindings = (
  { name, rows, results }: PaidFile,
  heldOf: (reference: string) => readonly ServiceDisbursement[],
): readonly Finding[] => {
  const byRow = Map.groupBy(results, ({ row }) => row);
  const known = new Set(rows.map(({ row }) => row));
  return [
    ...rows.flatMap((row) => {
      const [result, another] = byRow.get(row.row) ?? [];
      const findings = rowFindings(row, result, heldOf(row.reference));
      const why = `the results of ${name} have row ${row.row} more than once`;
      return another === undefined ? findings : [...findings, { kind: 'wrong', what: row.reference, why } as const];
    }),
    ...results
      .filter(({ row }) => !known.has(row))
      .map(({ row, reference }) => {
        const why = `the results of ${name} have a row ${row}, the file has none`;
        return { kind: 'wrong', what: reference, why } as const;
      }),
  ];
};

/**
 * Compares the payment service's own table with the files and the orchestrator's results, row by row. It uses no code of the
 * orchestrator or of its client.
 */
export const compare = (files: readonly PaidFile[], truth: ServiceTruth): Comparison => {
  const byReference = Map.groupBy(truth.disbursements, ({ reference }) => reference);
  const heldOf = (reference: string): readonly ServiceDisbursement[] => byReference.get(reference) ?? [];
  const results = files.flatMap((file) => file.results);
  const inFiles = new Set(files.flatMap(({ rows }) => rows.map(({ reference }) => reference)));
  const strays = truth.disbursements.filter(({ reference = '' }) => !inFiles.has(reference));
  const byStatus = Map.groupBy(results, ({ status }) => status);
  return {
    payouts: inFiles.size,
    byStatus: new Map([...byStatus].map(([status, those]) => [status, those.length])),
    findings: [
      ...files.flatMap((file) => fileFindings(file, heldOf)),
      ...strays.map(({ disbursementId, reference }): Finding => {
        return {
          kind: 'stray',
          what: reference ?? disbursementId,
          why: 'the service made it, and no file asks for it',
        };
      }),
      ...sumFindings(files, truth),
      ...conversionFindings(files, truth.conversions, shortAtFirst(files, truth)),
    ],
    changedAfterEnd: results
      .filter(({ status, reference }) => isChangedSince(status, heldOf(reference)))
      .map(({ status, reference }) => ({ reference, reported: status, atService: describeHeld(heldOf(reference)) })),
    leftToPerson: results
      .filter(({ status }) => restsWithPerson(status))
      .map(({ reference, status, reasonCode }) => {
        return { reference, status, reasonCode, atService: describeHeld(heldOf(reference)) };
      }),
  };
};
