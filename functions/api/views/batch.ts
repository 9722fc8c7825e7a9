import type { Batch, Conversion, ReportSummary, TimelineLine } from '../../domain/batch/batch.ts';
import type { PlanSummary } from '../../domain/batch/plan.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import { countSkipped } from '../../domain/batch/skipped-rows.ts';
import { given } from '../../domain/given.ts';
import { conversionInText, inText, plannedConversionInText } from '../../domain/money/money-records.ts';
import { missingProofReason } from '../../domain/payout/proofs.ts';
import { retryName } from '../../domain/payout/retries.ts';
import { triedAgainOf } from '../../domain/payout/tried-again.ts';
import { toCorrectName } from '../../domain/report/corrections.ts';
import type { ReportName } from '../../ports/files.ts';
import { reportNames } from '../../ports/files.ts';
import type { Page } from '../../ports/ledger/ledger.ts';
import type { Needs } from '../../ports/needs.ts';
import { allowedActions } from '../control/allowed-actions.ts';
import { leftoverWorkOf } from '../control/leftover-work.ts';
import type { BatchView } from '../schemas/batch.ts';
import { batchView } from '../schemas/batch.ts';
import type { ConversionView } from '../schemas/funding.ts';
import { conversionView } from '../schemas/funding.ts';
import { attentionTo } from './attention.ts';
import { summarizeBatch } from './batch-summary.ts';
import { countByStatus, describeCurrencies } from './currency-progress.ts';
import { shown } from './shown.ts';

/** Everything the ledger holds about a batch, except its payouts. */
interface BatchRecords {
  readonly batch: Batch;
  readonly progress: Progress;
  readonly conversions: readonly Conversion[];
  /** The newest lines of the timeline, or those at the cursor. */
  readonly lines: Page<TimelineLine>;
  /** The newest contradictions by the provider. None on a page of older lines. */
  readonly contradictions: readonly TimelineLine[];
  /** For a refused file, what may pay its rows: see Elsewhere. */
  readonly paying: readonly Batch[];
  /** The newest of `retriedBy`. */
  readonly retries: readonly Batch[];
}

/** The S3 keys of a batch's files. Undefined for a file that the batch does not have (yet). */
export const fileKeys = ({ plan, report }: Batch): Readonly<Record<ReportName, string | undefined>> => {
  const [toCorrect, retry] = [toCorrectName(plan), retryName(report)];
  return {
    'errors.csv': plan?.errorsFile?.key,
    'to-correct.csv': toCorrect === 'to-correct.csv' ? plan?.toCorrectKey : undefined,
    'to-correct.xlsx': toCorrect === 'to-correct.xlsx' ? plan?.toCorrectKey : undefined,
    'repeated-debts.csv': plan?.repeatedDebts?.list.key,
    'results.csv': report?.resultsKey,
    'retry.csv': retry === 'retry.csv' ? report?.retryKey : undefined,
    'retry.xlsx': retry === 'retry.xlsx' ? report?.retryKey : undefined,
    'evidence.json': report?.evidenceKey,
    'pain-002.xml': report?.statusReportKey ?? plan?.initiation?.statusReportKey,
  };
};

/** A conversion as the API shows it, with amounts as decimals in text. */
export const viewConversion = (conversion: Conversion): ConversionView => {
  const { planned, ...rest } = conversionInText(conversion);
  return shown(conversionView, {
    ...rest,
    inputCurrency: planned.inputCurrency,
    outputCurrency: planned.outputCurrency,
    plannedInputAmount: planned.inputAmount,
    plannedOutputAmount: planned.outputAmount,
    rate: planned.rate,
  });
};

/** Merges both kinds of lines in order of time. */
const viewTimeline = (lines: readonly TimelineLine[], contradictions: readonly TimelineLine[]): BatchView['timeline'] =>
  [...lines, ...contradictions].toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));

type ViewBatchDependencies = Needs<
  { workflow: 'consoleUrl'; settings: 'readyTooLongMinutes' | 'feeTolerancePercent' },
  'clock'
>;

const viewReports = ({ reportedAt, interim }: ReportSummary): BatchView['reports'] => ({
  writtenAt: reportedAt,
  openRows: interim?.openRows ?? 0,
  interim: interim !== undefined,
});

/** Why no payout of a batch gets a proof. Undefined when one may. */
const whyNoProofs = (plan: PlanSummary | undefined): string | undefined => {
  const reasons = plan?.currencies.map((one) => missingProofReason(one, plan)) ?? [];
  return reasons.includes(undefined) ? undefined : reasons[0];
};

const viewProofs = ({ batchId, plan }: Batch, { proofs: { archived, expected } }: Progress): BatchView['proofs'] => {
  const request = archived === 0 ? undefined : `POST /batches/${batchId}/proofs`;
  return { archived, expected, ...given({ note: whyNoProofs(plan), request }) };
};

/** A batch as the API shows it, at the current time. */
export const viewBatch = (
  { workflow, settings, clock }: ViewBatchDependencies,
  { batch, progress, conversions, lines, contradictions, paying, retries }: BatchRecords,
): BatchView => {
  const triedAgain = triedAgainOf(batch, retries);
  const currencies = describeCurrencies(batch, progress, settings);
  const { plan, funding, approval, report } = batch;
  const keys = fileKeys(batch);
  return shown(batchView, {
    ...summarizeBatch(workflow, batch),
    plan,
    countsAsOf: progress.asOf,
    counts: countByStatus(currencies),
    skippedRows: countSkipped(plan),
    currencies,
    funding: funding && {
      ...funding,
      currencies: inText(funding.currencies),
      conversions: funding.conversions.map(plannedConversionInText),
    },
    approval,
    conversions: conversions.map(viewConversion),
    proofs: viewProofs(batch, progress),
    attention: attentionTo({ batch, progress, conversions, settings, nowMs: clock(), paying, triedAgain }),
    timeline: viewTimeline(lines.items, contradictions),
    cursor: lines.cursor,
    reports: report && viewReports(report),
    triedAgain: triedAgain.length === 0 ? undefined : triedAgain,
    files: reportNames.filter((name) => keys[name] !== undefined),
    actions: allowedActions(batch, leftoverWorkOf(batch, progress), clock()),
  });
};
