import type { Waiting } from '../../batches/await-funds.ts';
import type { Approval, Batch, Finding, ReleasedConversion } from '../../domain/batch/batch.ts';
import { batchTransitions } from '../../domain/batch/batch-status.ts';
import { plural } from '../../domain/money/format-money.ts';
import { sumByCurrency } from '../../domain/money/money-by-currency.ts';
import type { Needs } from '../../ports/needs.ts';

type AwaitApprovalDependencies = Needs<{ ledger: 'moveBatch' }, 'settings'>;

/** The approval as it is recorded when nobody is asked. */
export const unasked = ({ expiresAt: _, ...approval }: Approval): Approval => approval;

/** @param taken what the batch's conversions have taken */
export const askApproval = async (
  { ledger }: AwaitApprovalDependencies,
  batch: Batch,
  approval: Approval,
  taken: readonly ReleasedConversion[],
): Promise<void> => {
  const isVoid = batch.approval !== undefined && batch.approval.hash !== approval.hash;
  const reason = { code: 'awaits_approval', message: whyAsked(approval, taken) };
  const detail = isVoid ? `${approval.why}, the last approval is void` : approval.why;
  const changes = { approval, reason, awaitingFundsSince: null, leavingSince: batch.statusSince };
  await ledger.moveBatch(batch.batchId, batchTransitions.askApproval, 'system', changes, { detail });
};

export const messagesOf = (findings: readonly Finding[]): string => findings.map(({ message }) => message).join(' ');

/** Why a person is asked, beside the findings. */
const askedBecause: Readonly<Record<Approval['why'], string>> = {
  findings: '',
  request: 'The person who started the batch asked for approval.',
  setting: "Every batch needs a person's approval.",
};

const describeTaken = (taken: readonly ReleasedConversion[]): string => {
  const sums = [...sumByCurrency(taken.map(({ input }) => input)).values()];
  const amounts = sums.map(({ amount, currency }) => `${amount} ${currency}`).join(' and ');
  return sums.length === 0 ? '' : `Its conversions so far took ${amounts}.`;
};

const whyAsked = ({ why, findings }: Approval, taken: readonly ReleasedConversion[]): string =>
  [askedBecause[why], messagesOf(findings), describeTaken(taken)].filter(Boolean).join(' ');

/** Seconds between the first looks for a decision. */
const soonSeconds = 5;

/**
 * Waits a fifth of the time waited so far: an early decision is noticed soon, and a wait of days costs few looks.
 *
 * @param waitedMs milliseconds waited so far
 */
export const awaitApproval = (
  { settings }: AwaitApprovalDependencies,
  { batchId }: Batch,
  waitedMs: number,
): Waiting<'await'> => {
  const longest = settings.fundsRecheckSeconds;
  const waitSeconds = Math.min(longest, Math.max(soonSeconds, Math.round(waitedMs / 5000)));
  return { batchId, next: 'await', waitSeconds };
};

/** PlanFunding finds the batch paused and gives its money back. */
export const expireApproval = async (
  { ledger, settings }: AwaitApprovalDependencies,
  { batchId, statusSince }: Batch,
): Promise<void> => {
  const reason = {
    code: 'approval_expired',
    message: `Nobody approved it within ${settings.approvalHours} ${plural(settings.approvalHours, 'hour')}. If you resume it, its funding is planned again, and approval is asked for again.`,
  };
  const changes = { reason, resumeTo: 'validating', leavingSince: statusSince } as const;
  await ledger.moveBatch(batchId, batchTransitions.expireApproval, 'system', changes, { detail: reason.code });
};
