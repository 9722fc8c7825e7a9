import type { Waiting } from '../../batches/await-funds.ts';
import { awaitFunds } from '../../batches/await-funds.ts';
import { awaitProvider } from '../../batches/await-provider.ts';
import { judgeLocks } from '../../batches/conversion-locks.ts';
import { pauseAsRead } from '../../batches/pause-as-read.ts';
import { readTreasury } from '../../batches/reservation.ts';
import type { Batch, Conversion, FundingPlan, PlannedConversion } from '../../domain/batch/batch.ts';
import { batchTransitions, credentialsRefused, permissionToMoveMoney } from '../../domain/batch/batch-status.ts';
import { isReleased } from '../../domain/batch/release.ts';
import { unlessUnavailable } from '../../domain/errors.ts';
import { hasHappened, isInDoubt, isPlanUsed, isSamePair, pairOf } from '../../domain/money/conversion.ts';
import {
  exceedsPlan,
  isStillShort,
  rateWithinSlippage,
  reservationsOf,
  shortfallOf,
} from '../../domain/money/funding.ts';
import { moneyIn } from '../../domain/money/money-by-currency.ts';
import type { Reason } from '../../domain/payout/payout.ts';
import type { OrchestratorSettings } from '../../domain/settings.ts';
import { requestMs, submitMargins } from '../../domain/settings.ts';
import { isoNow } from '../../ports/environment.ts';
import type { Needs } from '../../ports/needs.ts';
import type { ConvertAnswer, Quote } from '../../ports/provider.ts';
import { bind, ledger, log, pace, provider, settings } from '../../runtime.ts';
import type { Invocation } from '../as-step.ts';
import { getExistingBatch } from '../as-step.ts';
import type { WaitingInput } from './count-waits.ts';
import { asWaitingStep } from './count-waits.ts';
import type { PlanFundingDependencies } from './plan-funding.ts';

type ConvertDependencies = PlanFundingDependencies & Needs<{ provider: 'convert'; pace: 'turn' }, 'ids' | 'log'>;

/** What one run works with. */
type Run = ConvertDependencies & {
  readonly batch: Batch;
  /** True when enough time is left for a request and its answer, after as many milliseconds. */
  readonly hasTime: (afterMs?: number) => boolean;
} & Pick<WaitingInput, 'waits'>;

type ConvertOutput = Waiting | { readonly batchId: string; readonly next: 'fund' };

/** The outcome of a conversion whose answer was never recorded. */
const interrupted = { kind: 'unknown', cause: 'interrupted' } as const;

/**
 * Makes one planned conversion, at most once: lock the pair, check that it is still needed, record balances and intent, POST
 * once. The outcome of a conversion in doubt is first inferred from the balances, and it is never made again.
 */
export const convert = async (
  dependencies: ConvertDependencies,
  { batchId, waits }: WaitingInput,
  invocation: Invocation,
): Promise<ConvertOutput> => {
  const { ledger, provider, settings } = dependencies;
  const hasTime = (afterMs = 0): boolean => invocation.remainingMs() >= afterMs + requestMs(settings);
  const batch = await getExistingBatch(ledger, batchId);
  const run: Run = { ...dependencies, batch, hasTime, waits };
  const conversions = await ledger.listConversions(batchId);
  const inDoubt = conversions.find(isInDoubt);
  if (inDoubt !== undefined) return recordAnswer(run, inDoubt, interrupted);
  const plan = batch.funding;
  const planned = plan?.conversions[0];
  const mayConvert = permissionToMoveMoney(batch) === 'granted' && isReleased(batch, conversions, settings);
  if (plan === undefined || planned === undefined || !mayConvert) return { batchId, next: 'fund' };
  // Another run has used this plan already: a step can run twice, and the plan does not change in between.
  if (isPlanUsed(plan, conversions)) return { batchId, next: 'fund' };
  const lock = { batchId, n: conversions.length + 1, planned };
  if (!(await ledger.lockPair(lock))) return awaitLock(run, planned);
  const claimed = await claim(run, plan, lock).catch(async (error: unknown) => {
    await ledger.unlockPair(lock);
    throw error;
  });
  if ('quote' in claimed) {
    const { conversion, quote } = claimed;
    // A POST that the function cannot outlive would leave a doubt.
    const answer: ConvertAnswer = hasTime()
      ? await provider.convert(quote)
      : { kind: 'not_sent', cause: 'no_time_left' };
    return recordAnswer(run, conversion, answer);
  }
  // Nothing is in doubt under the lock, so other batches need not wait.
  await ledger.unlockPair(lock);
  return claimed;
};

/** A quote must not get too old, nor the pair stay locked. After a longer wait for the provider's limit, the step starts over. */
const turnWithinMs = 5000;

/**
 * Claims a conversion that is still needed, with a quote within `maxSlippagePercent` of the planned one. Otherwise returns what
 * the batch does instead.
 */
const claim = async (
  run: Run,
  plan: FundingPlan,
  { batchId, n, planned }: Pick<Conversion, 'batchId' | 'n' | 'planned'>,
): Promise<ConvertOutput | { readonly conversion: Conversion; readonly quote: Quote }> => {
  const { ledger, pace, settings, clock, ids, log, batch, waits } = run;
  const seen = await lookAgain(run, plan, planned).catch(unlessUnavailable);
  if (seen === undefined) return awaitProvider(run, batch, waits, unreadTreasury);
  const { funds, situation, quoted } = seen;
  if (funds === undefined || !isStillShort(situation, plan, planned.output.currency)) {
    log.info('conversion.overtaken', { batchId, conversion: n });
    return { batchId, next: 'wait', waitSeconds: 1 };
  }
  if (quoted.kind === 'refused') {
    const message = `The provider refused a quote for the needed conversion: ${quoted.message}`;
    return awaitFunds(run, batch, { code: 'conversion_refused', message });
  }
  const { quote } = quoted;
  const whyMoved = movedRate(planned, quote, settings);
  if (whyMoved !== undefined) return awaitFunds(run, batch, { code: 'rate_moved', message: whyMoved });

  const turn = await pace.turn('post', { batchId, withinMs: turnWithinMs });
  if (turn.kind === 'later') return { batchId, next: 'wait', waitSeconds: Math.ceil(turn.waitMs / 1000) };
  // Reads and quote may have been slow.
  if (!run.hasTime(submitMargins.claimMs)) return awaitProvider(run, batch, waits, tooSlow);
  const { quoteId, input, output, fee } = quote;
  const conversion = {
    batchId,
    n,
    status: 'claimed',
    planned,
    quoteId,
    inputBalanceBefore: moneyIn(situation.balances, planned.input.currency),
    outputBalanceBefore: moneyIn(situation.balances, planned.output.currency),
    input,
    output,
    fee,
    claimId: ids.unique(),
    claimedAt: isoNow(clock),
  } as const;
  const reserved = moneyIn(reservationsOf(plan), planned.input.currency);
  const answer = await ledger.claimConversion(conversion, funds, reserved);
  log.info('conversion.claim', { batchId, conversion: n, claim: answer.kind });
  if (answer.kind === 'claimed') return { conversion, quote };
  // The run that claimed it posts it, or has died. Either way this run must not post it.
  if (answer.kind === 'taken' && isInDoubt(answer.conversion)) return recordAnswer(run, answer.conversion, interrupted);
  // Another run made it and knows its outcome, or the batch, its lock or the reservations have changed since they were read.
  return { batchId, next: 'fund' };
};

/** Reads the current funds for judging the planned conversion, and gets a quote. */
const lookAgain = async (run: Run, plan: FundingPlan, planned: PlannedConversion) => {
  const { inputCurrency, outputCurrency } = pairOf(planned);
  // Asks for the amount that PlanFunding asked for, not for the one it was quoted. When the provider deducts a fee, asking for
  // more takes more than is reserved.
  const output = shortfallOf(plan, outputCurrency);
  const { funds, situation } = await readTreasury(run, run.batch, [outputCurrency]);
  const quoted = await run.provider.quoteConversion({ inputCurrency, output });
  return { funds: funds[0], situation, quoted };
};

const tooSlow =
  'The provider returned balances and quote so slowly that no time was left for the needed conversion. Nothing was converted.';

const unreadTreasury =
  'The provider returned no balances or no quote for the needed conversion. Nothing was converted.';

/** Returns why a quote is worse than the plan allows; undefined when it is not. */
const movedRate = (
  planned: PlannedConversion,
  quote: Quote,
  { maxSlippagePercent }: OrchestratorSettings,
): string | undefined => {
  if (!rateWithinSlippage(planned.rate, quote.rate, maxSlippagePercent))
    return `The rate fell by more than ${maxSlippagePercent} percent since it was planned. It is planned again.`;
  if (!exceedsPlan(planned, quote, maxSlippagePercent)) return undefined;
  return 'The conversion would take more than is reserved for it. It is planned again.';
};

/** Seconds until another batch's conversion of the same pair is probably done. */
const lockedRetrySeconds = 15;

/**
 * Handles a pair that another batch has locked: waits, or takes the lock from a holder that is gone. While the other's outcome
 * is in doubt, the pair stays locked, and each wait raises the alarm.
 */
const awaitLock = async (run: Run, planned: PlannedConversion): Promise<Waiting> => {
  const { ledger, settings, clock, log, batch } = run;
  const { batchId } = batch;
  const wanted = pairOf(planned);
  const locks = await judgeLocks(ledger, clock(), settings);
  const lock = locks.find((one) => isSamePair(one, wanted));
  if (lock === undefined) return { batchId, next: 'wait', waitSeconds: 1 };
  const ids = { batchId, holder: lock.holder, pair: `${wanted.inputCurrency}~${wanted.outputCurrency}` };
  switch (lock.state) {
    case 'idle':
      log.warn('conversion.lock_taken', { ...ids, taken: await ledger.breakPairLock(lock) });
      return { batchId, next: 'wait', waitSeconds: 1 };
    case 'held':
      return { batchId, next: 'wait', waitSeconds: lockedRetrySeconds };
    case 'in_doubt':
      log.alarm('TreasuryLockStuck', ids);
      return awaitFunds(run, batch, {
        code: 'conversion_locked',
        message: `Conversion ${lock.n ?? '?'} of batch ${lock.batchId ?? '?'} from ${wanted.inputCurrency} to ${wanted.outputCurrency} is in doubt. No other conversion of that pair is made until it is settled.`,
      });
  }
};

const recordAnswer = async (run: Run, conversion: Conversion, answer: ConvertAnswer): Promise<ConvertOutput> => {
  const { ledger, clock, log, batch } = run;
  const { batchId, n } = conversion;
  const cause = 'cause' in answer ? { cause: answer.cause } : {};
  log.info('conversion.answer', { batchId, conversion: n, answer: answer.kind, ...cause });
  const end = (changes: Partial<Conversion>): Promise<boolean> =>
    ledger.recordConversion({ ...conversion, endedAt: isoNow(clock), ...changes }, ['claimed', 'unknown']);
  switch (answer.kind) {
    case 'converted': {
      const { convertId, input, output, fee } = answer;
      await end({ status: 'completed', convertId, input, output, fee });
      return { batchId, next: 'fund' };
    }
    case 'not_sent':
      await end({ status: 'not_sent' });
      return awaitFunds(run, batch, {
        code: 'conversion_not_sent',
        message:
          'The conversion was not sent: the provider could not be reached, or was too slow before. It is planned again.',
      });
    case 'rejected': {
      const message = `The provider refused the conversion: ${answer.message}`;
      const reason = { code: 'conversion_rejected', message };
      await end({ status: 'rejected', reason });
      return awaitFunds(run, batch, reason);
    }
    case 'halted': {
      const reason = credentialsRefused;
      // Otherwise it stays in doubt: a gateway may have refused the response on its way back.
      if (answer.madeNothing) await end({ status: 'rejected', reason });
      const transition = batchTransitions.halt;
      const isWanted = ({ status }: Batch): boolean => transition.from.includes(status);
      await pauseAsRead(ledger, batch, { transition, by: 'system', reason, detail: reason.code, isWanted });
      log.alarm('BatchHalted', { batchId });
      return { batchId, next: 'fund' };
    }
    case 'unknown':
      return inferFromBalances(run, conversion, end);
  }
};

const inDoubtReason: Reason = {
  code: 'conversion_in_doubt',
  message:
    'The conversion was never answered, and the balances do not prove whether it was made. It is not made again. Look it up at the provider, then settle it. Once the balance covers the batch, it goes on by itself.',
};

const unreadBalances =
  'The conversion was never answered, and the provider returned no balances to show whether it was made. It is not made again.';

/** A conversion has no reference, so only the balances can show whether it was made. */
const inferFromBalances = async (
  run: Run,
  conversion: Conversion,
  end: (changes: Partial<Conversion>) => Promise<boolean>,
): Promise<ConvertOutput> => {
  const { ledger, provider, log, batch, waits } = run;
  const { batchId, n } = conversion;
  const balances = run.hasTime() ? await provider.readBalances().catch(unlessUnavailable) : undefined;
  // It stays `claimed`, and PlanFunding returns to Convert: the next run tries again.
  if (balances === undefined) return awaitProvider(run, batch, waits, unreadBalances);
  const isProven = hasHappened(conversion, balances);
  log.info('conversion.inference', { batchId, conversion: n, isProven });
  if (isProven) {
    await end({ status: 'inferred' });
    return { batchId, next: 'fund' };
  }
  // Recorded once only: a repeated write would succeed again, as after a lost answer, and each look would raise the alarm.
  const first =
    conversion.status === 'claimed' &&
    (await ledger.recordConversion({ ...conversion, status: 'unknown', reason: inDoubtReason }, ['claimed']));
  if (first) log.alarm('ConversionUnknown', { batchId, conversion: n });
  return awaitFunds(run, batch, inDoubtReason);
};

export const handler = asWaitingStep('Convert', log, bind(convert, { ledger, provider, pace, settings }));
