import type { Waiting } from '../batches/await-funds.ts';
import { awaitFunds, awaitProvider } from '../batches/await-funds.ts';
import { judgeLocks } from '../batches/conversion-locks.ts';
import { readReservedByOthers } from '../batches/reservation.ts';
import type { Batch, FundingPlan, PlannedConversion } from '../domain/batch.ts';
import { permissionToMoveMoney } from '../domain/batch-status.ts';
import { isInDoubt, lockHolder } from '../domain/conversion.ts';
import { unlessUnavailable } from '../domain/errors.ts';
import { isStillShort, rateWithinSlippage, requiredFunds, shortfallOf, takesTooMuch } from '../domain/funding.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import { isoNow } from '../ports/environment.ts';
import type { Quote } from '../ports/provider.ts';
import { clock, ids, ledger, log, pace, provider, settings } from '../runtime.ts';
import type { ConvertDependencies, ConvertOutput } from './settle-conversion.ts';
import { settleConversion } from './settle-conversion.ts';
import type { BatchInput } from './step.ts';
import { asStep, batchInput, getExistingBatch, planOf } from './step.ts';

/**
 * Makes one planned conversion, at most once: lock the pair, see that it is still needed, write balances and intent down, POST
 * once. A conversion whose outcome is in doubt is looked into by its balances first, and never made again.
 */
export const convert = async (dependencies: ConvertDependencies, { batchId }: BatchInput): Promise<ConvertOutput> => {
  const { ledger } = dependencies;
  const batch = await getExistingBatch(ledger, batchId);
  const conversions = await ledger.listConversions(batchId);
  const inDoubt = conversions.find(isInDoubt);
  if (inDoubt !== undefined)
    return settleConversion(dependencies, batch, inDoubt, { kind: 'unknown', cause: 'interrupted' });
  const plan = batch.funding;
  const planned = plan?.conversions[0];
  // Somebody made the conversion of this plan already: a step can run twice, and its plan then stands still.
  const isUsed = plan?.conversionsBefore !== conversions.length;
  if (planned === undefined || isUsed || permissionToMoveMoney(batch) !== 'granted') return { batchId, next: 'fund' };
  return makeConversion(dependencies, batch, plan, planned, conversions.length + 1);
};

/** What a quote's age can bear, and the pair's lock: who waits longer for the provider's limit begins anew. */
const turnWithinMs = 5000;

const makeConversion = async (
  dependencies: ConvertDependencies,
  batch: Batch,
  plan: FundingPlan,
  planned: PlannedConversion,
  n: number,
): Promise<ConvertOutput> => {
  const { ledger, provider, pace, settings, clock, ids, log } = dependencies;
  const { batchId } = batch;
  const { inputCurrency, outputCurrency } = planned;
  const holder = lockHolder(batchId, n);
  if (!(await ledger.lockPair(inputCurrency, outputCurrency, holder))) return awaitLock(dependencies, batch, planned);
  const unlock = () => ledger.unlockUnclaimedPair({ batchId, n, planned });

  const treasury = await readTreasury(dependencies, batch, plan, planned).catch(async (error: unknown) => {
    // Nothing was claimed under it: others need not wait until the provider answers.
    await unlock();
    return unlessUnavailable(error);
  });
  if (treasury === undefined) return awaitProvider(dependencies, batch, unreadTreasury);
  const { balances, quoted, stillShort } = treasury;
  if (!stillShort) {
    await unlock();
    log.info('conversion.overtaken', { batchId, conversion: n });
    return { batchId, next: 'wait', waitSeconds: 1 };
  }
  const refusal = quoted.kind === 'refused' ? refusedQuote(quoted.message) : movedRate(planned, quoted.quote, settings);
  if (quoted.kind === 'refused' || refusal !== undefined) {
    await unlock();
    return awaitFunds(dependencies, batch, refusal ?? refusedQuote(''));
  }

  const turn = await pace.turn('post', { batchId, withinMs: turnWithinMs });
  if (turn.kind === 'later') {
    await unlock();
    return { batchId, next: 'wait', waitSeconds: Math.ceil(turn.waitMs / 1000) };
  }
  const conversion = {
    batchId,
    n,
    status: 'claimed',
    planned,
    quoteId: quoted.quote.quoteId,
    inputBalanceBefore: balances.get(inputCurrency) ?? '0',
    outputBalanceBefore: balances.get(outputCurrency) ?? '0',
    inputAmount: quoted.quote.inputAmount,
    outputAmount: quoted.quote.outputAmount,
    fee: quoted.quote.fee,
    claimId: ids.unique(),
    claimedAt: isoNow(clock),
  } as const;
  const claim = await ledger.claimConversion(conversion);
  log.info('conversion.claim', { batchId, conversion: n, claim: claim.kind });
  switch (claim.kind) {
    case 'stopped':
      await unlock();
      return { batchId, next: 'fund' };
    case 'taken':
      if (!isInDoubt(claim.conversion)) {
        // Another run made it, and knows what became of it.
        await ledger.unlockPair(inputCurrency, outputCurrency, holder);
        return { batchId, next: 'fund' };
      }
      // Whoever claimed it posts it, or is gone: either way this run must not.
      return settleConversion(dependencies, batch, claim.conversion, { kind: 'unknown', cause: 'interrupted' });
    case 'claimed':
      return settleConversion(dependencies, batch, conversion, await provider.convert(quoted.quote));
  }
};

/** Reservations before balances, as PlanFunding reads them. */
const readTreasury = async (
  { ledger, provider }: ConvertDependencies,
  batch: Batch,
  plan: FundingPlan,
  planned: PlannedConversion,
) => {
  const { inputCurrency, outputCurrency } = planned;
  // As PlanFunding asked, not what its quote would bring: where a fee is taken off, asking for more takes more than is set aside.
  const outputAmount = shortfallOf(plan.currencies, outputCurrency);
  const funds = await ledger.readFunds([outputCurrency]);
  const reservedByOthers = await readReservedByOthers(ledger, batch.batchId, funds);
  const balances = await provider.readBalances();
  const required = requiredFunds(planOf(batch).currencies, batch.fees ?? []);
  return {
    balances,
    stillShort: isStillShort({ required, reservedByOthers, balances }, plan, outputCurrency),
    quoted: await provider.quoteConversion({ inputCurrency, outputCurrency, outputAmount }),
  };
};

const unreadTreasury =
  'The provider did not tell balances or quote before the conversion that is needed. Nothing was converted.';

const refusedQuote = (message: string) => ({
  code: 'conversion_refused',
  message: `The provider gives no quote for the conversion that is needed: ${message}`,
});

const movedRate = (planned: PlannedConversion, quote: Quote, { maxSlippagePercent }: OrchestratorSettings) => {
  const code = 'rate_moved';
  if (!rateWithinSlippage(planned.rate, quote.rate, maxSlippagePercent)) {
    const message = `The rate fell by more than ${maxSlippagePercent} percent since it was planned. It is planned again.`;
    return { code, message };
  }
  if (!takesTooMuch(planned, quote, maxSlippagePercent)) return undefined;
  return { code, message: 'The conversion would take more than was set aside for it. It is planned again.' };
};

export const handler = asStep('Convert', batchInput, log, (input) =>
  convert({ ledger: ledger(), provider: provider(), pace: pace(), settings: settings(), clock, ids, log }, input),
);

/** Seconds until another batch's conversion of the same pair is likely done. */
const lockedRetrySeconds = 15;

/**
 * What a batch does whose pair is locked by another: it waits while the other is at work. From a holder that is gone and
 * posted nothing, or whose conversion has ended, the lock is taken. While the other's outcome is in doubt it stays locked,
 * and a person is told each time somebody waits for it.
 */
const awaitLock = async (
  dependencies: ConvertDependencies,
  batch: Batch,
  { inputCurrency, outputCurrency }: PlannedConversion,
): Promise<Waiting> => {
  const { ledger, settings, clock, log } = dependencies;
  const { batchId } = batch;
  const locks = await judgeLocks(ledger, clock(), settings);
  const lock = locks.find((one) => one.inputCurrency === inputCurrency && one.outputCurrency === outputCurrency);
  if (lock === undefined) return { batchId, next: 'wait', waitSeconds: 1 };
  const ids = { batchId, holder: lock.holder, pair: `${inputCurrency}~${outputCurrency}` };
  switch (lock.state) {
    case 'idle':
      log.warn('conversion.lock_taken', { ...ids, taken: await ledger.breakPairLock(lock) });
      return { batchId, next: 'wait', waitSeconds: 1 };
    case 'held':
      return { batchId, next: 'wait', waitSeconds: lockedRetrySeconds };
    case 'in_doubt':
      log.alarm('TreasuryLockStuck', ids);
      return awaitFunds(dependencies, batch, {
        code: 'conversion_locked',
        message: `Conversion ${lock.n ?? '?'} of batch ${lock.batchId ?? '?'} from ${inputCurrency} to ${outputCurrency} is in doubt: no other is made of that pair until it is settled.`,
      });
  }
};
