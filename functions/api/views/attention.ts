import type { Batch, Conversion } from '../../domain/batch/batch.ts';
import { batchStatusIs, fileAltered, hasBegunDisbursing, isBatchEnd } from '../../domain/batch/batch-status.ts';
import { describeApprover, whyNobodyDecides } from '../../domain/batch/caller.ts';
import { heldByCanary } from '../../domain/batch/canary-hold.ts';
import type { WaitingStatus } from '../../domain/batch/chunk.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import { countIn, hasUnregistered, overdueToSubmit } from '../../domain/batch/progress.ts';
import { given } from '../../domain/given.ts';
import { isInDoubt } from '../../domain/money/conversion.ts';
import { compareFees } from '../../domain/money/fees.ts';
import type { PayoutStatus } from '../../domain/payout/payout-status.ts';
import { payoutStatusesNotAtProvider, payoutStatusesThat } from '../../domain/payout/payout-status.ts';
import type { OrchestratorSettings } from '../../domain/settings.ts';
import { adviceOnTooOld, isTooOldToResume, mayReportAgain, reportsByItself } from '../control/allowed-actions.ts';
import { leftoverWorkOf } from '../control/leftover-work.ts';
import type { Attention } from '../schemas/batch.ts';
import { adviceOnConversion } from './payout-advice.ts';
import type { Elsewhere } from './rows-to-correct.ts';
import { attentionOfLeftOut, attentionOfSkipped, attentionOfUnpaid } from './rows-to-correct.ts';

/** A batch with what its attention depends on. */
interface Watched extends Elsewhere {
  readonly batch: Batch;
  readonly progress: Progress;
  readonly conversions: readonly Conversion[];
  readonly settings: Pick<OrchestratorSettings, 'readyTooLongMinutes' | 'feeTolerancePercent'>;
  readonly nowMs: number;
}

const listOf = (batchId: string, status: PayoutStatus): string => `GET /batches/${batchId}/payouts?status=${status}`;

/** Requests that list payouts, one for each of these statuses that has any. */
const listsOf = ({ batchId }: Batch, { currencies }: Progress, statuses: readonly PayoutStatus[]): readonly string[] =>
  statuses.filter((status) => countIn(currencies, status) > 0).map((status) => listOf(batchId, status));

/** Explains why a batch that is being canceled has not ended: a chunk file is altered, or payouts claimed before are still open. */
const cancelingAttention = (batch: Batch, progress: Progress): readonly Attention[] => {
  const { cancelRequestedAt: since = '', reason } = batch;
  // Registered rows are canceled without their file.
  const isAltered = batch.status === 'paused' && reason?.code === fileAltered.code && hasUnregistered(batch, progress);
  const altered = isAltered ? [{ code: fileAltered.code, since, message: fileAltered.message, requests: [] }] : [];
  const count = countIn(progress.currencies, ...payoutStatusesThat('isOpen'));
  if (count === 0) return altered;
  const message =
    'These were submitted before the cancellation and have not ended. The batch follows them, but does not wait for those that ' +
    'are quarantined or held for long. Ask the provider about those that it holds. Settle those that are quarantined.';
  const requests = [...listsOf(batch, progress, payoutStatusesThat('isOpen'))];
  return [...altered, { code: 'cancellation_waits', count, since, message, requests }];
};

/** For a batch that waits for approval, its start time or money, and continues by itself after that. */
const waitingAttention = (batch: Batch, inDoubt: readonly Conversion[]): readonly Attention[] => {
  const { batchId, createdBy, status, statusSince: since, reason } = batch;
  const cancel = `POST /batches/${batchId}/cancel`;
  if (batchStatusIs(status, 'awaitsApproval')) {
    const nobody = whyNobodyDecides(createdBy);
    const who = nobody ?? `${describeApprover(createdBy)} approves it, for approval.hash, or rejects it.`;
    const message = `${reason?.message ?? ''} ${who}`;
    const decisions = nobody === undefined ? ['approve', 'reject'] : [];
    const decide = decisions.map((decision) => `POST /batches/${batchId}/${decision}`);
    return [{ code: 'awaits_approval', message, since, requests: [...decide, cancel] }];
  }
  if (batchStatusIs(status, 'awaitsStart')) {
    const message = `It starts at ${batch.startAt ?? ''} by itself. Balance, limits and approval are checked then. No action is needed.`;
    return [{ code: 'scheduled', message, since, requests: [cancel] }];
  }
  if (batchStatusIs(status, 'awaitsFunds')) {
    // The reason stays until the batch checks again. The conversion's own entry says what to do, with its request.
    if (reason?.code === 'conversion_in_doubt') {
      const message = 'Its conversion is settled. It checks again by itself.';
      return inDoubt.length > 0 ? [] : [{ code: 'awaiting_funds', message, since, requests: [cancel] }];
    }
    const message = `${reason?.message ?? 'The batch awaits funds.'} It checks again by itself.`;
    const holder = reason?.code === 'conversion_locked' ? ['GET /funds'] : [];
    return [{ code: reason?.code ?? 'awaiting_funds', message, since, requests: [...holder, cancel] }];
  }
  return [];
};

const canaryAttention = (batch: Batch): readonly Attention[] => {
  const message =
    `${batch.canary === 1 ? 'The first payout is' : `The first ${batch.canary} payouts are`} paid before the others. The others are sent ` +
    `once ${batch.canary === 1 ? 'it is' : 'all of the first are'} completed. No action is needed.`;
  const requests = [`GET /batches/${batch.batchId}/payouts`, `POST /batches/${batch.batchId}/cancel`];
  return [{ code: 'canary_open', count: heldByCanary(batch), since: batch.statusSince, message, requests }];
};

const statusAttention = ({ batch, progress, nowMs }: Watched, inDoubt: readonly Conversion[]): readonly Attention[] => {
  const { batchId, status, statusSince: since, reason, executionEnded, plan } = batch;
  const [resume, cancel] = [`POST /batches/${batchId}/resume`, `POST /batches/${batchId}/cancel`];
  if (isBatchEnd(status)) return [];
  if (batch.cancelRequestedAt !== undefined) {
    if (executionEnded !== true) return cancelingAttention(batch, progress);
    const message =
      'The workflow of its cancellation has died. Cancel it again: that follows the claimed payouts and ends the batch.';
    return [{ code: 'execution_ended', message, since, requests: [cancel] }];
  }
  if (isTooOldToResume(batch, nowMs)) {
    const why = reason === undefined ? '' : ` It was paused because: ${reason.message}`;
    const message = `It is too old to be resumed. ${adviceOnTooOld}${why}`;
    return [{ code: 'too_old', message, since, requests: [cancel] }];
  }
  if (batchStatusIs(status, 'isPaused')) {
    const held = hasBegunDisbursing(batch)
      ? 'its reservations stay until it ends'
      : 'it reserves no money meanwhile, and its funding is planned again';
    const why = reason?.message ?? 'The batch is paused.';
    const code = reason?.code ?? 'paused';
    const until = plan?.payableUntil === undefined ? '' : ` It can be resumed until ${plan.payableUntil}.`;
    const message = `${why} Nothing is submitted until it is resumed; ${held}.${until}`;
    return [{ code, message, since, requests: [resume, cancel] }];
  }
  if (executionEnded === true) {
    const message = 'The workflow of the batch has died before the batch ended. Resume or cancel it.';
    return [{ code: 'execution_ended', message, since, requests: [resume, cancel] }];
  }
  return batch.claimUpTo !== undefined && hasBegunDisbursing(batch)
    ? canaryAttention(batch)
    : waitingAttention(batch, inDoubt);
};

const unsubmittedAttention = ({ batch, progress, settings, nowMs }: Watched): readonly Attention[] => {
  const overdue = overdueToSubmit(batch, progress, nowMs, settings);
  if (overdue === undefined) return [];
  const { count, since } = overdue;
  const message =
    'The batch may submit these, but the provider does not have them yet. See in the log of SubmitChunk how calls were answered ' +
    '(call.answer) and which retries wait for the provider’s answer about their originals (retry.waits). Or look at the batch’s execution (executions). Pausing and resuming the batch is harmless while it may still be resumed.';
  const requests = [...listsOf(batch, progress, payoutStatusesNotAtProvider), `POST /batches/${batch.batchId}/pause`];
  return [{ code: 'payouts_not_submitted', count, since, message, requests }];
};

/**
 * Pending payouts need attention in an ended batch that no execution follows, when some take more than a day, or when nothing
 * else of the batch is left. The last holds when at most as many are pending as rows were open in the interim reports, and all
 * have reached the provider.
 */
const describePending = (
  batch: Batch,
  progress: Progress,
  all: { readonly count: number; readonly since?: string },
) => {
  // A resumed batch keeps its end status while another execution follows it.
  if (mayReportAgain(batch) && batch.executionEnded === true) {
    const message =
      'The provider is working on these again, but an ended batch is checked only after days. Resume it to follow them now.';
    return { ...all, message };
  }
  const isAllThatIsLeft =
    all.count > 0 &&
    all.count <= (batch.report?.interim?.openRows ?? 0) &&
    !hasUnregistered(batch, progress) &&
    countIn(progress.currencies, ...payoutStatusesNotAtProvider) === 0;
  const followed = 'They are followed for days, and nothing has to be done in this system.';
  const { longPending } = progress;
  return longPending.count > 0 || !isAllThatIsLeft
    ? {
        ...longPending,
        message:
          'The provider has worked on some of these for more than a day. Ask it: it may hold a bank transfer for a check, or ' +
          `have lost it. ${followed}`,
      }
    : {
        ...all,
        message:
          'Everything else is settled, and interim reports are written. The provider still works on these, or holds them for a ' +
          `check. Ask it if they take long. ${followed}`,
      };
};

const payoutAttention = (batch: Batch, progress: Progress): readonly Attention[] => {
  const { batchId } = batch;
  const { contradictions } = progress;
  const settle = 'POST /payouts/{reference}/settle';
  const again = mayReportAgain(batch) ? [`POST /batches/${batchId}/resume`] : [];
  const list = (status: PayoutStatus): string => listOf(batchId, status);
  const waiting = (status: WaitingStatus) => {
    const since = progress.waitingSince[status];
    return { count: countIn(progress.currencies, status), ...given({ since }) };
  };
  const found = [
    {
      code: 'payouts_unknown',
      ...waiting('unknown'),
      message: 'Calls were not answered; the provider is being asked by reference. No action is needed.',
      requests: [list('unknown'), settle],
    },
    {
      code: 'payouts_pending',
      ...describePending(batch, progress, waiting('pending')),
      requests: [list('pending'), settle, ...again],
    },
    {
      code: 'payouts_on_hold',
      ...waiting('on_hold'),
      message: mayReportAgain(batch)
        ? 'The provider holds payouts for a check, and only it can release them. Ask it, then resume the batch.'
        : 'The provider holds payouts for a check, and only it can release them. Ask it. Its decision arrives by itself.',
      requests: [list('on_hold'), ...again],
    },
    {
      code: 'payouts_quarantined',
      ...waiting('quarantined'),
      message: 'It is not known whether these were paid. Find out at the provider, then settle each.',
      requests: [list('quarantined'), settle, ...again],
    },
    {
      code: 'payouts_contradicted',
      count: contradictions.payouts,
      ...given({ since: contradictions.since }),
      message:
        'The provider contradicts what is recorded of these: a change after their end, an unexpected disbursement, or a second ' +
        'one. The record stays, and the retry file leaves them out. Look at the provider. Claim back what was paid twice, and pay ' +
        'what came back under a new reference. Then settle each as noted. A retry file that was downloaded before may still ' +
        `have them: ${reportsByItself(batch) ? 'download it again later, because the running batch writes it again' : 'resume the batch and download it again'}.`,
      requests: [`GET /batches/${batchId}/payouts?contradicted=true`, settle],
    },
  ];
  return found.filter(({ count }) => count > 0);
};

const reportAttention = (batch: Batch, progress: Progress): readonly Attention[] => {
  if (!mayReportAgain(batch)) return [];
  const { missingProofs, reportOutdated } = leftoverWorkOf(batch, progress);
  const missing = {
    code: 'proofs_missing',
    count: missingProofs,
    message:
      'The provider had no transfer proof of these when proofs were archived. Resume the batch to fetch them now.',
  } as const;
  const outdated = {
    code: 'report_outdated',
    message: 'Payouts have changed since the reports were written. Resume the batch to write them again.',
  } as const;
  // Both refer to the reports: proofs were fetched before them, and the changes came after.
  const since = given({ since: batch.report?.reportedAt });
  return [...(missingProofs > 0 ? [missing] : []), ...(reportOutdated ? [outdated] : [])].map((one) => {
    return { ...one, ...since, requests: [`POST /batches/${batch.batchId}/resume`] };
  });
};

/** Stays permanently: the fees were paid from the balance, and reclaiming them takes longer than a batch. */
const feeAttention = ({ batch, progress, settings }: Watched): readonly Attention[] => {
  const beyond = compareFees(batch, progress, settings).filter(({ isBeyond }) => isBeyond);
  if (beyond.length === 0) return [];
  const fees = beyond.map(
    ({ currency, charged, estimated }) =>
      `${charged.amount} ${currency} charged, ${estimated.amount} ${currency} estimated`,
  );
  const message =
    `The provider charged more than the estimate, by more than feeTolerancePercent: ${fees.join('; ')}. ` +
    'results.csv has the fee of each row. Pause the batch if it still submits, and ask the provider.';
  return [{ code: 'fees_beyond_estimate', message, requests: [`GET /batches/${batch.batchId}/payouts`] }];
};

/** Everything about a batch that waits for a person or may surprise one, and what to do. */
export const attentionTo = (watched: Watched): Attention[] => {
  const { batch, progress, conversions } = watched;
  const inDoubt = conversions.filter(
    // A claimed conversion of a running batch is still being made.
    (one) => isInDoubt(one) && (one.status === 'unknown' || batch.executionEnded || isBatchEnd(batch.status)),
  );
  return [
    ...statusAttention(watched, inDoubt),
    ...inDoubt.map(({ n, claimedAt }) => ({ ...adviceOnConversion(batch.batchId, n), since: claimedAt })),
    ...unsubmittedAttention(watched),
    ...payoutAttention(batch, progress),
    ...attentionOfSkipped(batch),
    ...attentionOfLeftOut(batch),
    ...attentionOfUnpaid(batch, progress, watched),
    ...feeAttention(watched),
    ...reportAttention(batch, progress),
  ];
};
