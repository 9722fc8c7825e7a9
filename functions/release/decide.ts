import { hash } from 'node:crypto';
import type { Approval, Batch, Finding, ReleasedConversion } from '../domain/batch/batch.ts';
import { batchStatusIs } from '../domain/batch/batch-status.ts';
import { hourMs } from '../domain/durations.ts';
import { InvariantBroken } from '../domain/errors.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';

/**
 * SHA-256 over everything that a release covers: file, plan, fees, funding, findings, and the conversions so far. Without the
 * conversions, one approval would cover a second one equal to the first. Balances and the findings' texts are left out. Other
 * batches' actions change those, but not what this batch pays.
 *
 * @param taken what the batch's conversions have taken, or may have: see takenBy
 * @throws InvariantBroken when the batch has no plan or no funding
 */
export const hashOf = (
  { batchId, file, plan, fees, funding }: Batch,
  findings: readonly Finding[],
  taken: readonly ReleasedConversion[],
): string => {
  if (plan === undefined || funding === undefined) throw new InvariantBroken(`batch ${batchId} is not funded`);
  const released = [
    [batchId, file.key, file.versionId, plan.sha256 ?? null],
    [plan.prefix, plan.rows, plan.validRows, plan.invalidRows],
    plan.currencies.map(({ rail, currency, count, amount }) => [rail, currency, count, amount.amount]),
    (fees ?? []).map(({ rail, fee }) => [rail, fee.currency, fee.amount]),
    funding.currencies.map(({ currency, required, shortfall }) => [currency, required.amount, shortfall.amount]),
    funding.conversions.map(({ input, output, fee }) => [
      input.currency,
      input.amount,
      output.currency,
      output.amount,
      fee.amount,
    ]),
    findings.map(({ code, rows, against, mayBeReleased }) => [code, rows, against, mayBeReleased]),
    ...(taken.length === 0
      ? []
      : [taken.map(({ input, outputCurrency }) => [input.currency, input.amount, outputCurrency])]),
  ];
  return hash('sha256', JSON.stringify(released));
};

/** The decision about a batch without a release that still covers it. */
type Verdict =
  | { readonly kind: 'release'; readonly hash: string }
  /**
   * `refuse`: nobody may release it. `ask`: a person is asked, or asked again. `wait`: the question is still open. `expire`:
   * nobody decided in time.
   */
  | { readonly kind: 'refuse' | 'ask' | 'wait' | 'expire'; readonly approval: Approval };

type GateSettings = Pick<OrchestratorSettings, 'approval' | 'approvalHours' | 'fundsRecheckSeconds'>;

const whyAsked = (
  { approvalRequired }: Batch,
  findings: readonly Finding[],
  { approval }: GateSettings,
): Approval['why'] | undefined => {
  if (approval === 'always') return 'setting';
  if (approvalRequired) return 'request';
  return findings.length > 0 ? 'findings' : undefined;
};

/**
 * An approval holds for at least an hour, or two waits of the gate. One that is given in the last minutes must outlast the wait
 * until the gate looks again.
 */
const wasApprovedLately = (
  { at }: NonNullable<Approval['approved']>,
  { fundsRecheckSeconds }: GateSettings,
  nowMs: number,
): boolean => nowMs < Date.parse(at) + Math.max(hourMs, 2 * fundsRecheckSeconds * 1000);

/** Decides by the setting `approval`, the start's request for one, the findings, and a person's approval of exactly this hash. */
export const decideRelease = (
  batch: Batch,
  findings: readonly Finding[],
  taken: readonly ReleasedConversion[],
  settings: GateSettings,
  nowMs: number,
): Verdict => {
  const hash = hashOf(batch, findings, taken);
  const why = whyAsked(batch, findings, settings);
  if (why === undefined) return { kind: 'release', hash };
  const asks = { hash, findings, why };
  const isUnreleasable = findings.some(({ mayBeReleased }) => !mayBeReleased);
  if (isUnreleasable || (settings.approval === 'never' && findings.length > 0))
    return { kind: 'refuse', approval: asks };
  const expiresAt = new Date(nowMs + settings.approvalHours * hourMs).toISOString();
  const { approval } = batch;
  // A new hash voids the earlier question, and its approval.
  if (approval?.hash !== hash) return { kind: 'ask', approval: { ...asks, expiresAt } };
  const hasExpired = nowMs >= Date.parse(approval.expiresAt ?? '');
  if (approval.approved !== undefined && (!hasExpired || wasApprovedLately(approval.approved, settings, nowMs)))
    return { kind: 'release', hash };
  if (!batchStatusIs(batch.status, 'awaitsApproval')) return { kind: 'ask', approval: { ...asks, expiresAt } };
  return { kind: hasExpired ? 'expire' : 'wait', approval };
};
