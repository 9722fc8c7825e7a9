import { setFlagsFromString } from 'node:v8';
import type { EndCanceledDependencies } from '../batches/end-canceled.ts';
import { endCanceled } from '../batches/end-canceled.ts';
import type { Batch } from '../domain/batch/batch.ts';
import {
  batchTransitions,
  hasBegunDisbursing,
  isBatchEnd,
  permissionToMoveMoney,
} from '../domain/batch/batch-status.ts';
import type { PlanSummary } from '../domain/batch/plan.ts';
import { otherAccountOf } from '../domain/batch/plan.ts';
import { AccountChanged } from '../domain/errors.ts';
import { plural } from '../domain/money/format-money.ts';
import type { Reason } from '../domain/payout/payout.ts';
import { controlDifferences, controlTotalsDifferCode } from '../domain/payout-file/control-totals.ts';
import type { Relatives } from '../domain/report/corrections.ts';
import {
  alreadyPaidCode,
  correctionRefusal,
  describePaid,
  describePayers,
  listBatches,
  paidNobody,
  sameContentCode,
} from '../domain/report/corrections.ts';
import type { Needs } from '../ports/needs.ts';
import { bind, files, ledger, log, provider, settings } from '../runtime.ts';
import type { BatchInput } from './as-step.ts';
import { asStep, batchInput, getExistingBatch } from './as-step.ts';
import type { MakePlanDependencies } from './plan/make-plan.ts';
import { makePlan } from './plan/make-plan.ts';
import { readRelatives } from './plan/read-relatives.ts';
import { writeRefusal } from './report/write-status-report.ts';

// V8 sometimes treats rows, which live for milliseconds, as long-lived. Then 90 MB more of them accumulate.
setFlagsFromString('--no-allocation-site-pretenuring');

export type PlanBatchDependencies = EndCanceledDependencies &
  MakePlanDependencies &
  Needs<{ ledger: 'recordPlan'; files: 'readList' | 'putRefusal' }, 'log'>;

interface PlanBatchOutput {
  readonly batchId: string;
  readonly next: 'estimate' | 'await_start' | 'refused' | 'ended';
}

/**
 * Reads and checks the payout file, splits it into chunks, and records the plan. The first recorded plan wins. A run that finds
 * one uses it, and nobody reads the losing run's files.
 */
export const planBatch = async (
  dependencies: PlanBatchDependencies,
  { batchId }: BatchInput,
): Promise<PlanBatchOutput> => {
  const { ledger, log } = dependencies;
  const batch = await getExistingBatch(ledger, batchId);
  if (batch.plan !== undefined) {
    refuseOtherAccount(dependencies, batch);
    return afterPlan(batch);
  }
  if (isBatchEnd(batch.status)) return { batchId, next: 'ended' };
  if (batch.cancelRequestedAt !== undefined) return endCanceled(dependencies, batch);
  if (batch.status === 'accepted') await ledger.moveBatch(batchId, batchTransitions.startValidating, 'system');
  const relatives = await readRelatives(ledger, batch);
  const { manifestKey, ...plan } = await makePlan(dependencies, batch, relatives);
  const reason = await record(ledger, batch, plan, manifestKey, relatives);
  // Each repetition means that one more correction was recorded, and their number is limited.
  if (reason === 'corrected_meanwhile') return planBatch(dependencies, { batchId });
  if (reason !== undefined) {
    // The alarm comes before the batch ends, because nobody looks at an ended batch again if this run dies. No alarm when
    // another run has planned the batch meanwhile.
    const { plan: planned, status, mode } = await getExistingBatch(ledger, batchId);
    // No alarm for a preview: the person reads the answer.
    if (planned === undefined && !isBatchEnd(status) && mode === 'disburse')
      log.alarm('BatchFailed', { batchId, reason: reason.code });
    const refused = await writeRefusal(dependencies, keepRowsToCorrect(plan, reason), reason);
    const changes = { plan: refused, reason };
    await ledger.moveBatch(batchId, batchTransitions.refuseFile, 'system', changes, { detail: reason.code });
  }
  return afterPlan(await getExistingBatch(ledger, batchId));
};

/** Keeps the file of rows to correct only when the rows are the problem. Otherwise the whole file is started again. */
const keepRowsToCorrect = ({ toCorrectKey, ...plan }: PlanSummary, { code }: Reason): PlanSummary =>
  (code === 'file_invalid' || code === alreadyPaidCode) && toCorrectKey !== undefined
    ? { ...plan, toCorrectKey }
    : plan;

/**
 * Every execution begins here, so none continues a batch with another account.
 *
 * @throws AccountChanged
 */
const refuseOtherAccount = ({ provider }: PlanBatchDependencies, batch: Batch): void => {
  const planned = otherAccountOf(batch, provider.account);
  if (planned === undefined) return;
  // Without payouts it ends, and asks nobody about any.
  const endsUnpaid = !mayHoldPayouts(batch) && permissionToMoveMoney(batch) === 'ended';
  if (!endsUnpaid) throw new AccountChanged(`It was planned for ${planned}, and ${provider.account} is deployed.`);
};

const mayHoldPayouts = (batch: Batch): boolean => batch.report !== undefined || hasBegunDisbursing(batch);

const afterPlan = (batch: Batch): PlanBatchOutput => {
  const { batchId, status, plan, startAt, mode } = batch;
  if (status === 'validation_failed') return { batchId, next: 'refused' };
  if (plan?.manifestKey === undefined || (isBatchEnd(status) && !mayHoldPayouts(batch)))
    return { batchId, next: 'ended' };
  // A preview shows its result immediately, whatever its start time.
  return { batchId, next: startAt !== undefined && mode === 'disburse' ? 'await_start' : 'estimate' };
};

/**
 * Records the plan of a file that may be paid, or returns the reason why it may not. Checks last what other batches may still
 * change.
 *
 * A correction is recorded only while the batches that it corrects have no corrections other than those it was compared with. So
 * when two are planned concurrently, the second is planned again, with the first in view. Nothing needs to be given back when
 * one ends unpaid: the next one reads how it ended, and an end is final.
 */
const record = async (
  ledger: PlanBatchDependencies['ledger'],
  batch: Batch,
  plan: PlanSummary,
  manifestKey: string | undefined,
  relatives: Relatives,
): Promise<Reason | 'corrected_meanwhile' | undefined> => {
  const { sha256 } = plan;
  if (manifestKey === undefined || sha256 === undefined) return refusal(plan);
  const wrongCorrection = correctionRefusal(relatives, plan);
  if (wrongCorrection !== undefined) return wrongCorrection;
  const differences = controlDifferences(batch.expect ?? {}, plan);
  if (differences.length > 0) {
    const message = `The file is not what was expected. ${differences.join(' ')} Nothing was paid.`;
    return { code: controlTotalsDifferCode, message };
  }
  const recorded = await ledger.recordPlan(batch, { ...plan, sha256, manifestKey }, relatives.corrected);
  if (recorded.kind === 'corrected_meanwhile') return recorded.kind;
  if (recorded.kind !== 'same_content') return undefined;
  return { code: sameContentCode, message: await describeSameContent(ledger, recorded.batchIds) };
};

/**
 * Says what the other batches with the same content have paid. One that paid nobody may have been retried by a batch that did.
 *
 * @param batchIds oldest first, at least one
 */
const describeSameContent = async (
  ledger: PlanBatchDependencies['ledger'],
  batchIds: readonly string[],
): Promise<string> => {
  const read = (ids: readonly string[]) => Promise.all(ids.map((id) => getExistingBatch(ledger, id)));
  const holders = await read(batchIds);
  const payer = holders.findLast((holder) => !paidNobody(holder));
  if (payer !== undefined)
    return `Batch ${payer.batchId} pays a file of the same content, or has paid it. Nothing was paid. Send allowSameFile to pay it again.`;
  const unpaid = `Nothing was paid. Batches with the same content paid nobody: ${listBatches(batchIds)}.`;
  const retries = await read([...new Set(holders.flatMap(({ retriedBy }) => [...(retriedBy ?? [])]))]);
  const retrying = retries.filter((retry) => !paidNobody(retry)).map(({ batchId }) => batchId);
  return retrying.length > 0
    ? `${unpaid} Some of their payouts are retried by ${listBatches(retrying)}. See who was paid there. Send allowSameFile only if all are owed once more.`
    : `${unpaid} Send allowSameFile to pay it.`;
};

/**
 * A problem of the file itself explains the most, and may be why rows are missing. It has row 0, or is the row where the file
 * breaks off.
 */
const refusal = (plan: PlanSummary): Reason => {
  const { rows, invalidRows, errors, sha256, alreadyPaid } = plan;
  const ofFile = errors.find(({ row }) => row === 0) ?? (sha256 === undefined ? errors.at(-1) : undefined);
  if (ofFile !== undefined) return { code: 'file_invalid', message: `${ofFile.message} Nothing was paid.` };
  if (alreadyPaid !== undefined && alreadyPaid.rows === rows) {
    const all = rows === 1 ? 'The one row of the file has' : `All ${rows} rows of the file have`;
    const message = `${all} been paid already, ${describePayers(alreadyPaid)}. Nothing was paid again. If this file owes them again, give its rows references of their own.`;
    return { code: alreadyPaidCode, message };
  }
  const message = `${invalidRows} ${plural(invalidRows, 'row is', 'rows are')} invalid, of ${rows} in the file: errors.csv names each.${describePaid(plan)} Nothing was paid.`;
  return { code: 'file_invalid', message };
};

export const handler = asStep('PlanBatch', batchInput, log, bind(planBatch, { ledger, files, provider, settings }));
