import type { Waiting } from '../batches/await-funds.ts';
import { awaitFunds } from '../batches/await-funds.ts';
import { endCanceled } from '../batches/end-canceled.ts';
import { readReservedByOthers, reservedFor } from '../batches/reservation.ts';
import type { Batch } from '../domain/batch.ts';
import {
  batchStatusesThat,
  batchTransitions,
  hasBegunDisbursing,
  isBatchEnd,
  permissionToMoveMoney,
} from '../domain/batch-status.ts';
import type { FundingDecision } from '../domain/funding.ts';
import { currenciesOf, planFunding, quotesToAsk, requiredFunds } from '../domain/funding.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { Clock } from '../ports/environment.ts';
import { isoNow } from '../ports/environment.ts';
import type { FundsLedger, FundsRecord } from '../ports/funds-ledger.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { PaymentProvider, Quote } from '../ports/provider.ts';
import { clock, ledger, log, provider, settings } from '../runtime.ts';
import type { BatchInput } from './step.ts';
import { asStep, batchInput, getExistingBatch, planOf } from './step.ts';

export interface PlanFundingDependencies {
  readonly ledger: FundsLedger & Pick<Ledger, 'getBatch' | 'moveBatch' | 'amendBatch' | 'readProgress'>;
  readonly provider: Pick<PaymentProvider, 'readBalances' | 'quoteConversion'>;
  readonly settings: OrchestratorSettings;
  readonly clock: Clock;
}

export type PlanFundingOutput =
  | Waiting
  | {
      readonly batchId: string;
      readonly next: 'disburse';
      /** 1 where all chunks are to be submitted; 0 where Follow has to find out which. */
      readonly round: 0 | 1;
      readonly manifestKey: string;
      readonly sweeps: 0;
      readonly cursor: 0;
    }
  | { readonly batchId: string; readonly next: 'convert' | 'previewed' | 'ended' };

/**
 * Holds what the batch needs against what there is, sets it aside, and decides: disburse, convert first, or wait. A
 * batch that has begun to disburse goes on: its money was set aside, or is with the provider already.
 */
export const planBatchFunding = async (
  dependencies: PlanFundingDependencies,
  { batchId }: BatchInput,
): Promise<PlanFundingOutput> => {
  const batch = await getExistingBatch(dependencies.ledger, batchId);
  if (hasBegunDisbursing(batch) || (isBatchEnd(batch.status) && batch.report !== undefined)) return disburse(batch, 0);
  switch (permissionToMoveMoney(batch)) {
    case 'ended':
      return isBatchEnd(batch.status) ? { batchId, next: 'ended' } : endCanceled(dependencies, batch);
    case 'stopped':
      return { batchId, next: 'wait', waitSeconds: dependencies.settings.fundsRecheckSeconds };
    case 'granted':
      return fund(dependencies, batch);
  }
};

const disburse = (batch: Batch, round: 0 | 1): PlanFundingOutput => {
  const { batchId } = batch;
  const { manifestKey } = planOf(batch);
  if (manifestKey === undefined) return { batchId, next: 'ended' };
  return { batchId, next: 'disburse', round, manifestKey, sweeps: 0, cursor: 0 };
};

const fund = async (dependencies: PlanFundingDependencies, batch: Batch): Promise<PlanFundingOutput> => {
  const { ledger, settings } = dependencies;
  const { batchId } = batch;
  const conversions = await ledger.listConversions(batchId);
  // Nobody has compared the balances for it: it is looked into before they change further, even if they cover the batch.
  if (conversions.some(({ status }) => status === 'claimed')) return { batchId, next: 'convert' };
  const { decision, funds } = await decide(dependencies, batch, conversions.length);
  /** Something was set aside in between: what it left must be looked at anew. */
  const overtaken = { batchId, next: 'wait', waitSeconds: 1 } as const;
  if (batch.mode === 'preview') {
    await ledger.moveBatch(batchId, batchTransitions.preview, 'system', { funding: decision.plan });
    return { batchId, next: 'previewed' };
  }
  if (decision.kind === 'wait') {
    // Only what was read, and only while nothing is disbursed: what another run of the batch has set aside is what it pays with.
    const own = reservedFor(batchId, funds);
    if (own.length > 0 && !(await ledger.reserve(batchId, own, new Map(), { whileFunded: true }))) return overtaken;
    await ledger.amendBatch(batchId, batchStatusesThat('mayReserve'), { funding: decision.plan });
    return awaitFunds(dependencies, batch, shortageReason(decision));
  }
  if (!(await ledger.reserve(batchId, funds, decision.reservations))) return overtaken;
  if (decision.kind === 'convert') {
    await ledger.amendBatch(batchId, batchStatusesThat('mayReserve'), { funding: decision.plan });
    return { batchId, next: 'convert' };
  }
  const moved = await ledger.moveBatch(batchId, batchTransitions.startProcessing, 'system', {
    funding: decision.plan,
    reason: null,
    awaitingFundsSince: null,
  });
  return moved.kind === 'moved'
    ? disburse(batch, 1)
    : { batchId, next: 'wait', waitSeconds: settings.pausedRecheckSeconds };
};

/**
 * Reads reservations before balances: whatever another batch submits in between then counts twice, as set aside and as
 * gone from the balance, and never not at all. Conversions are counted before balances too: a plan from balances that do not
 * show one must not lead to it being made again.
 */
const decide = async (
  { ledger, provider, settings, clock }: PlanFundingDependencies,
  batch: Batch,
  conversionsBefore: number,
): Promise<{ decision: FundingDecision; funds: readonly FundsRecord[] }> => {
  const required = requiredFunds(planOf(batch).currencies, batch.fees ?? []);
  const sources = settings.conversionSources;
  const funds = await ledger.readFunds(currenciesOf(batch, settings));
  const reservedByOthers = await readReservedByOthers(ledger, batch.batchId, funds);
  const balances = await provider.readBalances();
  const situation = { required, reservedByOthers, balances };
  const quotes: Quote[] = [];
  for (const request of quotesToAsk(situation, sources)) {
    const answer = await provider.quoteConversion(request);
    if (answer.kind === 'quoted') quotes.push(answer.quote);
  }
  const made = { conversionsBefore, plannedAt: isoNow(clock) };
  const decision = planFunding(situation, quotes, sources, made, settings.maxSlippagePercent);
  return { decision, funds };
};

const shortageReason = ({ missing }: Extract<FundingDecision, { kind: 'wait' }>) => ({
  code: 'insufficient_balance',
  message: `${missing
    .map(({ currency, shortfall, cause }) =>
      cause === 'not_convertible'
        ? `${currency} is short by ${shortfall} and cannot be converted to.`
        : `${currency} is short by ${shortfall} and no token covers it.`,
    )
    .join(' ')} Top the balance up: the batch goes on by itself.`,
});

export const handler = asStep('PlanFunding', batchInput, log, (input) =>
  planBatchFunding({ ledger: ledger(), provider: provider(), settings: settings(), clock }, input),
);
