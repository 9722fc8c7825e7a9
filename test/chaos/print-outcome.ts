import Big from 'big.js';
import type { WatchLooks } from './run/read-watch.ts';
import type { SettledConversion } from './run/settle-conversions.ts';
import type { NoiseCounts } from './run/webhook-noise.ts';
import type { Comparison } from './truth/compare.ts';
import type { ReportedConversion } from './truth/conversions.ts';
import { isInDoubt } from './truth/conversions.ts';
import type { FindingKind } from './truth/finding.ts';
import type { ServiceConversion, ServiceTruth } from './truth/service-truth.ts';

/** All results of a run. */
export interface ChaosOutcome {
  readonly seed: number;
  readonly comparison: Comparison;
  readonly batches: readonly { readonly name: string; readonly status: string; readonly deeds: readonly string[] }[];
  /** Requests of the orchestrator's functions: to the provider, and writes to the ledger. */
  readonly requests: { readonly provider: number; readonly ledger: number };
  readonly troubles: ReadonlyMap<string, number>;
  readonly serviceFaults: ReadonlyMap<string, number>;
  readonly conversions: {
    readonly reported: readonly (ReportedConversion & { readonly batch: string })[];
    readonly made: readonly ServiceConversion[];
    readonly balances: ServiceTruth['balances'];
    readonly settled: readonly (SettledConversion & { readonly batch: string })[];
  };
  readonly watch: WatchLooks;
  readonly timeouts: number;
  readonly webhooks: NoiseCounts;
  readonly seconds: number;
}

/** True without findings. A run that converted nothing has not tested conversions, so it fails too. */
export const isGood = ({ comparison, conversions }: ChaosOutcome): boolean =>
  comparison.findings.length === 0 && conversions.made.length > 0;

const counted = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none';

const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

const countedBy = <Item>(items: readonly Item[], by: (item: Item) => string): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(items, by)].map(([name, those]) => [name, those.length]));

/** The exact sums that conversions took and brought, by currency. */
const printSums = (made: readonly ServiceConversion[]): string => {
  const sum = (amounts: readonly string[]): string =>
    amounts.reduce((total, amount) => total.plus(amount), new Big(0)).toFixed();
  const pairs = Map.groupBy(made, ({ inputCurrency, outputCurrency }) => `${inputCurrency} ${outputCurrency}`);
  return [...pairs.values()]
    .map((those) => {
      const { inputCurrency = '', outputCurrency = '' } = those[0] ?? {};
      const [gave, brought] = [those.map((one) => one.inputAmount), those.map((one) => one.outputAmount)];
      return `${sum(gave)} ${inputCurrency} into ${sum(brought)} ${outputCurrency}`;
    })
    .join(', ');
};

const describeReported = (one: ReportedConversion): string =>
  `${one.status}: ${one.inputAmount ?? one.plannedInputAmount} ${one.inputCurrency} into ` +
  `${one.outputAmount ?? one.plannedOutputAmount} ${one.outputCurrency}`;

const conversionRows = (
  { reported, made, settled, balances }: ChaosOutcome['conversions'],
  found: (kind: FindingKind) => string,
): readonly (readonly [string, string])[] => [
  ['conversions planned', `${reported.length}: ${counted(countedBy(reported, ({ status }) => status))}`],
  ...reported.map((one) => [`    ${one.batch} ${one.n}`, describeReported(one)] as const),
  ['  made by the service', `${made.length}: ${printSums(made)}`],
  ...[...new Set(made.map(({ outputCurrency }) => outputCurrency))].map((currency) => {
    const { opening, now } = balances.get(currency) ?? { opening: '?', now: '?' };
    return [`    balance of ${currency}`, `${opening} at first, ${now} at the end`] as const;
  }),
  ['  made twice', found('converted-twice')],
  [
    '  lost, wrong or unplanned',
    (['conversion-lost', 'conversion-wrong', 'conversion-stray'] as const).map(found).join(', '),
  ],
  ['  left in doubt', String(reported.filter(isInDoubt).length)],
  ['  settled by a person', String(settled.length)],
  ...settled.map(({ batch, n, decision, why }) => [`    ${batch} ${n}`, `${decision}: ${why}`] as const),
];

/** Findings that are printed. Any further ones are only counted. */
const mostPrinted = 40;

export const printOutcome = (outcome: ChaosOutcome): string => {
  const { comparison, requests, webhooks } = outcome;
  const { findings, leftToPerson } = comparison;
  const found = (kind: FindingKind): string => String(findings.filter((finding) => finding.kind === kind).length);
  const reasons = Map.groupBy(leftToPerson, ({ status, reasonCode }) => `${status}, ${reasonCode}`);
  const rows: readonly (readonly [string, string])[] = [
    ['seed', String(outcome.seed)],
    ['payouts', `${comparison.payouts} in ${outcome.batches.length} batches at once`],
    ['statuses', counted(comparison.byStatus)],
    ['requests to the provider', String(requests.provider)],
    ['  faults of the service', `${total(outcome.serviceFaults)}: ${counted(outcome.serviceFaults)}`],
    ['  troubles of the network, including the ledger’s', `${total(outcome.troubles)}: ${counted(outcome.troubles)}`],
    ['writes to the ledger', String(requests.ledger)],
    ['functions out of time', String(outcome.timeouts)],
    ['webhooks', `${webhooks.forged} forged, ${webhooks.repeated} repeated, ${webhooks.genuine} genuine provoked`],
    ...outcome.batches.map(({ name, status, deeds }) => [name, `${status}; ${deeds.join(', ')}`] as const),
    ['payments made twice', found('twice')],
    ['payments lost', found('lost')],
    ['wrong, stray, sums', `${found('wrong')}, ${found('stray')}, ${found('sum')}`],
    ['changed by the service after an end', String(comparison.changedAfterEnd.length)],
    ...conversionRows(outcome.conversions, found),
    ['left to a person', String(leftToPerson.length)],
    ...[...reasons].map(([reason, those]) => [`  ${reason}`, String(those.length)] as const),
    ['runs of the watch', `${outcome.watch.looks}: ${counted(outcome.watch.logged)}`],
    ['time', `${outcome.seconds} s`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    ...findings.slice(0, mostPrinted).map(({ kind, what, why }) => `${kind}: ${what}: ${why}`),
    ...(findings.length > mostPrinted ? [`and ${findings.length - mostPrinted} more`] : []),
  ].join('\n');
};
