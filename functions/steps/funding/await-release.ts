import type { Waiting } from '../../batches/await-funds.ts';
import { giveBackIfUnchanged, giveBackReservation } from '../../batches/reservation.ts';
import type { Approval, Batch, FundingPlan } from '../../domain/batch/batch.ts';
import {
  batchStatusIs,
  batchTransitions,
  hasBegunDisbursing,
  isBatchEnd,
  permissionToMoveMoney,
} from '../../domain/batch/batch-status.ts';
import { isTooOldToPay } from '../../domain/batch/payable-until.ts';
import { conversionsToRelease, dayIn, isReleased, takenBy } from '../../domain/batch/release.ts';
import { msUntilStart } from '../../domain/batch/start-time.ts';
import { isInDoubt, isPlanUsed } from '../../domain/money/conversion.ts';
import { coversShortfalls } from '../../domain/money/funding.ts';
import { notReleasedCode } from '../../domain/report/corrections.ts';
import { isoNow } from '../../ports/environment.ts';
import type { ReleaseRequest } from '../../ports/ledger/release-ledger.ts';
import type { Needs } from '../../ports/needs.ts';
import { findingsOf } from '../../release/checks.ts';
import { decideRelease } from '../../release/decide.ts';
import { bind, ledger, log, settings } from '../../runtime.ts';
import type { BatchInput } from '../as-step.ts';
import { getExistingBatch, planOf } from '../as-step.ts';
import { askApproval, awaitApproval, expireApproval, messagesOf, unasked } from './await-approval.ts';
import { countUnpaidElsewhere } from './count-unpaid-elsewhere.ts';
import { asWaitingStep } from './count-waits.ts';
import type { FundedOutput } from './plan-funding.ts';
import { disburse } from './plan-funding.ts';

export type AwaitReleaseDependencies = Needs<
  {
    ledger:
      | 'getBatch'
      | 'moveBatch'
      | 'listConversions'
      | 'countUnpaidContradictions'
      | 'readReleased'
      | 'releaseBatch'
      | 'readFunds'
      | 'reserve';
  },
  'settings' | 'clock' | 'log'
>;

/** What one run works with. */
type Run = AwaitReleaseDependencies & { readonly batch: Batch };

export type AwaitReleaseOutput =
  | FundedOutput
  | { readonly batchId: string; readonly next: 'refused' | 'previewed' }
  | Waiting<'await'>;

/**
 * The release gate: no money moves before it. Runs all checks on a funded batch. A batch without findings is released
 * immediately, unless the setting or its start asks for approval. Otherwise it waits for a person, or is refused. A person's
 * decision is in the ledger, so any run finds it.
 */
export const awaitRelease = async (
  dependencies: AwaitReleaseDependencies,
  { batchId }: BatchInput,
): Promise<AwaitReleaseOutput> => {
  const batch = await getExistingBatch(dependencies.ledger, batchId);
  if (batch.status === 'validation_failed') return { batchId, next: 'refused' };
  // A batch whose time has not come becomes scheduled before it is funded, however it got here.
  const isTime = batch.mode === 'preview' || msUntilStart(batch, dependencies.clock()) === 0;
  const isToRelease = isTime && permissionToMoveMoney(batch) === 'granted' && !hasBegunDisbursing(batch);
  return isToRelease ? passGate({ ...dependencies, batch }) : backToPlanFunding(batch);
};

/** Returns to PlanFunding, which reads the batch again. */
const backToPlanFunding = ({ batchId }: Batch): AwaitReleaseOutput => ({ batchId, next: 'wait', waitSeconds: 1 });

/**
 * Another run has used its plan, or given its money back. PlanFunding keeps the plan of a batch that awaits approval, so the batch
 * leaves that status first.
 */
const leaveApprovalAndPlanFunding = async (
  { ledger, batch }: Run,
  detail = 'its money was given back',
): Promise<AwaitReleaseOutput> => {
  const { batchId, status, statusSince: leavingSince } = batch;
  if (batchStatusIs(status, 'awaitsApproval')) {
    await ledger.moveBatch(batchId, batchTransitions.fundAnew, 'system', { leavingSince }, { detail });
  }
  return backToPlanFunding(batch);
};

/** Releases the batch, asks a person, waits, or refuses: as `decideRelease` decides. */
const passGate = async (run: Run): Promise<AwaitReleaseOutput> => {
  const { ledger, settings, clock, batch } = run;
  const { batchId, mode, release: earlier, funding } = batch;
  // A late run may find a plan that leaves the batch waiting for funds.
  if (funding === undefined || !(mode === 'preview' || coversShortfalls(funding)))
    return leaveApprovalAndPlanFunding(run);
  const conversionsSoFar = await ledger.listConversions(batchId);
  // Another run has used the plan, or has an earlier conversion in doubt. Nobody is asked to approve one more.
  const isOvertaken = isPlanUsed(funding, conversionsSoFar) || conversionsSoFar.some(isInDoubt);
  if (funding.conversions.length > 0 && isOvertaken) return leaveApprovalAndPlanFunding(run, 'its plan was used');
  const nowMs = clock();
  const plan = planOf(batch);
  const { unpaidElsewhere, contradictedSince } = await countUnpaidElsewhere(ledger, plan, earlier);
  // A batch may wait for long after its conversions. Then the checks look at it again.
  const isCurrent = earlier !== undefined && !isTooOldToPay(batch, nowMs) && contradictedSince.length === 0;
  if (isCurrent && isReleased(batch, conversionsSoFar, settings)) return release(run, funding, { release: earlier });
  const day = dayIn(settings.limitTimezone, nowMs);
  const releasedToday = await ledger.readReleased(day);
  const sharing = [...(batch.sharesDebtsWith ?? [])].toSorted();
  const sharers = await Promise.all(sharing.map((other) => getExistingBatch(ledger, other)));
  const findings = findingsOf({ batch, plan, settings, releasedToday, sharers, contradictedSince, nowMs });
  const taken = takenBy(conversionsSoFar);
  const verdict = decideRelease(batch, findings, taken, settings, nowMs);
  if (verdict.kind === 'refuse') return refuse(run, verdict.approval);
  if (mode === 'preview') {
    const changes = verdict.kind === 'release' ? {} : { approval: unasked(verdict.approval) };
    await ledger.moveBatch(batchId, batchTransitions.preview, 'system', changes);
    return { batchId, next: 'previewed' };
  }
  switch (verdict.kind) {
    case 'release': {
      const conversions = conversionsToRelease(funding.conversions, conversionsSoFar);
      const noted = unpaidElsewhere.length === 0 ? {} : { unpaidElsewhere };
      const unreleased = sharers.filter((one) => one.release === undefined && !isBatchEnd(one.status));
      return release(run, funding, {
        release: { at: isoNow(clock), day, ...earlier, hash: verdict.hash, conversions, ...noted },
        unreleased: unreleased.map((one) => one.batchId),
        ...(earlier ? {} : { counted: releasedToday }),
      });
    }
    case 'ask':
      await askApproval(run, batch, verdict.approval, taken);
      return awaitApproval(run, batch, 0);
    case 'wait':
      return awaitApproval(run, batch, clock() - Date.parse(batch.statusSince));
    case 'expire':
      await expireApproval(run, batch);
      return backToPlanFunding(batch);
  }
};

/**
 * Records the release together with the conversions that are about to be made. A batch without conversions begins to disburse.
 */
const release = async (
  run: Run,
  { conversions }: FundingPlan,
  request: ReleaseRequest,
): Promise<AwaitReleaseOutput> => {
  const { ledger, batch } = run;
  const { batchId } = batch;
  const isToConvert = conversions.length > 0;
  // True when the recorded release suffices, because nothing changed. A batch that still awaits approval, for a conversion that
  // has turned out not to be made, needs a write to leave that status.
  const isRecorded = request.release === batch.release && !batchStatusIs(batch.status, 'awaitsApproval');
  if (isToConvert && isRecorded) return { batchId, next: 'convert' };
  switch (await ledger.releaseBatch(batch, request)) {
    case 'unfunded':
      return leaveApprovalAndPlanFunding(run);
    case 'changed':
      // The funding is not planned again, because a new quote would void the approval.
      return { batchId, next: 'await', waitSeconds: 1 };
    case 'released':
      return isToConvert ? { batchId, next: 'convert' } : disburse(batch, 1);
  }
};

const refuse = async (run: Run, approval: Approval): Promise<AwaitReleaseOutput> => {
  const { ledger, log, batch } = run;
  const { batchId, mode } = batch;
  // Money and alarm come before the batch ends: if this run dies in between, nobody would take care of them. The money is
  // given back again afterward, in case a late run has reserved some meanwhile.
  if (!(await giveBackIfUnchanged(run, batch))) return backToPlanFunding(batch);
  const reason = { code: notReleasedCode, message: `${messagesOf(approval.findings)} Nothing was paid.` };
  const changes = { approval, reason, leavingSince: batch.statusSince };
  const { statusSince } = await getExistingBatch(ledger, batchId);
  if (mode === 'disburse' && statusSince === batch.statusSince)
    log.alarm('BatchFailed', { batchId, reason: reason.code });
  const line = { detail: reason.code };
  const moved = await ledger.moveBatch(batchId, batchTransitions.refuseRelease, 'system', changes, line);
  if (moved.batch.status !== 'validation_failed') return backToPlanFunding(batch);
  await giveBackReservation(run, batch);
  return { batchId, next: 'refused' };
};

export const handler = asWaitingStep('AwaitRelease', log, bind(awaitRelease, { ledger, settings }));
