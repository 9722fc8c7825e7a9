import type { Conversion } from '../domain/batch.ts';
import { inferConversion } from '../domain/conversion-inference.ts';
import { isInDoubt, lockHolder } from '../domain/conversion-lock.ts';
import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import type { BatchLedger, FundsLedger } from '../domain/ledger-port.ts';
import { subtractAmounts } from '../domain/money.ts';
import type { PaymentProvider } from '../domain/provider-port.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { Clock, Log } from '../domain/surroundings.ts';
import { isoNow } from '../domain/surroundings.ts';
import { clock, ledger, log, provider, settings } from '../runtime.ts';
import { endpoint } from './endpoint.ts';
import type { Outcome } from './http/answer.ts';
import { answer } from './http/answer.ts';
import { problem } from './http/problem.ts';
import type { ConversionView } from './schemas/batch.ts';
import type { RequestOf } from './schemas/operation.ts';
import * as operations from './schemas/operations.ts';
import { viewConversion } from './views/batch.ts';

export interface SettleConversionDependencies {
  readonly ledger: Pick<BatchLedger, 'getBatch'> &
    Pick<FundsLedger, 'listConversions' | 'recordConversion' | 'unlockPair'>;
  readonly provider: Pick<PaymentProvider, 'readBalances'>;
  readonly settings: Pick<OrchestratorSettings, 'resolveAfterSeconds'>;
  readonly clock: Clock;
  readonly log: Log;
}

type Request = Pick<RequestOf<typeof operations.settleConversion>, 'path' | 'body' | 'caller'>;

const statusOf = { happened: 'completed', not_happened: 'not_made' } as const;

/**
 * Ends a conversion that is in doubt by an operator's decision, unless the balances prove the contrary, and frees its pair. Whatever
 * is decided, the batch plans anew from the balances as they are: a wrong decision converts nothing that the balance covers.
 */
export const settleConversion = async (
  dependencies: SettleConversionDependencies,
  { path: { batchId, number }, body, caller }: Request,
): Promise<Outcome<ConversionView>> => {
  const { ledger, settings, clock, log } = dependencies;
  if ((await ledger.getBatch(batchId)) === undefined) return problem('batch_not_found');
  const conversion = (await ledger.listConversions(batchId)).find(({ n }) => n === number);
  if (conversion === undefined) return problem('conversion_not_found');
  const status = statusOf[body.decision];
  if (!isInDoubt(conversion)) return alreadyEnded(dependencies, conversion, status);
  const mayEndAt = Date.parse(conversion.claimedAt) + settings.resolveAfterSeconds * 1000;
  if (clock() < mayEndAt) {
    return problem('too_early', { detail: `It may still be under way until ${new Date(mayEndAt).toISOString()}.` });
  }
  const balances = await readBalances(dependencies.provider);
  if (balances === undefined) return problem('provider_unavailable', { detail: 'The balances could not be read.' });
  const { inference, moved } = weigh(conversion, balances);
  if (inference === (body.decision === 'happened' ? 'unchanged' : 'happened')) {
    return problem('evidence_contradicts', { detail: `Since it was claimed the balances moved by ${moved}.` });
  }
  const reason = { code: `settled_${body.decision}`, message: `An operator settled it as ${body.decision}.` };
  const ended: Conversion = {
    ...conversion,
    status,
    reason,
    endedAt: isoNow(clock),
    ...(body.convertId === undefined || status === 'not_made' ? {} : { convertId: body.convertId }),
  };
  const audit = {
    code: 'conversion.settled',
    by: caller,
    detail: `conversion ${number} ${body.decision}; balances moved by ${moved}`,
    note: body.reason,
  };
  const recorded = await ledger.recordConversion(ended, ['claimed', 'unknown'], audit);
  log.info('conversion.settle', { batchId, conversion: number, decision: body.decision, inference, recorded });
  if (recorded) return alreadyEnded(dependencies, ended, status);
  // Somebody else was quicker, or its answer came after all.
  const standing = (await ledger.listConversions(batchId)).find(({ n }) => n === number);
  return alreadyEnded(dependencies, standing ?? conversion, status);
};

/** Of an ended conversion the pair is free, also when whoever ended it died before freeing it. */
const alreadyEnded = async (
  { ledger }: SettleConversionDependencies,
  conversion: Conversion,
  wanted: Conversion['status'],
): Promise<Outcome<ConversionView>> => {
  const { batchId, n, planned, status } = conversion;
  await ledger.unlockPair(planned.inputCurrency, planned.outputCurrency, lockHolder(batchId, n));
  const agrees = status === wanted || (status === 'inferred' && wanted === 'completed');
  if (agrees) return answer(200, viewConversion(conversion));
  return problem('conversion_conflict', { batchId, detail: `The conversion has ended as ${status}.` });
};

const readBalances = async (
  provider: SettleConversionDependencies['provider'],
): Promise<ReadonlyMap<string, string> | undefined> => {
  try {
    return await provider.readBalances();
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof ProviderRefused) return undefined;
    throw error;
  }
};

const weigh = (conversion: Conversion, balances: ReadonlyMap<string, string>) => {
  const { planned, inputBalanceBefore: inputBefore, outputBalanceBefore: outputBefore } = conversion;
  const inputAfter = balances.get(planned.inputCurrency) ?? '0';
  const outputAfter = balances.get(planned.outputCurrency) ?? '0';
  const inference = inferConversion({
    inputBefore,
    inputAfter,
    outputBefore,
    outputAfter,
    inputAmount: conversion.inputAmount ?? planned.inputAmount,
    outputAmount: conversion.outputAmount ?? planned.outputAmount,
  });
  const moved = `${subtractAmounts(inputAfter, inputBefore)} ${planned.inputCurrency}, ${subtractAmounts(outputAfter, outputBefore)} ${planned.outputCurrency}`;
  return { inference, moved };
};

export const handler = endpoint(log, operations.settleConversion, (request) =>
  settleConversion({ ledger: ledger(), provider: provider(), settings: settings(), clock, log }, request),
);
