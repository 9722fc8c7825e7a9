import type { NoiseCounts } from './run/webhook-noise.ts';
import type { Comparison, FindingKind } from './truth/compare.ts';

/** All that a run has to tell. */
export interface ChaosOutcome {
  readonly seed: number;
  readonly comparison: Comparison;
  readonly batches: readonly { readonly name: string; readonly status: string; readonly deeds: readonly string[] }[];
  /** Requests of the orchestrator's functions: to the provider, and writes to the ledger. */
  readonly requests: { readonly provider: number; readonly ledger: number };
  readonly troubles: ReadonlyMap<string, number>;
  readonly serviceFaults: ReadonlyMap<string, number>;
  readonly timeouts: number;
  readonly webhooks: NoiseCounts;
  readonly seconds: number;
}

/** Nothing paid twice, nothing lost, and everything adds up. */
export const isGood = ({ comparison }: ChaosOutcome): boolean => comparison.findings.length === 0;

const counted = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none';

const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Findings told one by one; more than these are only counted. */
const mostTold = 40;

export function printOutcome(outcome: ChaosOutcome): string {
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
    ['  troubles on the way, the ledger’s too', `${total(outcome.troubles)}: ${counted(outcome.troubles)}`],
    ['writes to the ledger', String(requests.ledger)],
    ['functions out of time', String(outcome.timeouts)],
    ['webhooks', `${webhooks.forged} forged, ${webhooks.repeated} repeated, ${webhooks.genuine} genuine provoked`],
    ...outcome.batches.map(({ name, status, deeds }) => [name, `${status}; ${deeds.join(', ')}`] as const),
    ['payments made twice', found('twice')],
    ['payments lost', found('lost')],
    ['wrong, stray, sums', `${found('wrong')}, ${found('stray')}, ${found('sum')}`],
    ['changed by the service after an end', String(comparison.changedAfterEnd.length)],
    ['left to a person', String(leftToPerson.length)],
    ...[...reasons].map(([reason, those]) => [`  ${reason}`, String(those.length)] as const),
    ['time', `${outcome.seconds} s`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    ...findings.slice(0, mostTold).map(({ kind, what, why }) => `${kind}: ${what}: ${why}`),
    ...(findings.length > mostTold ? [`and ${findings.length - mostTold} more`] : []),
  ].join('\n');
}
