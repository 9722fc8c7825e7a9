import type { Waiting } from '../batches/await-funds.ts';
import { awaitFunds, awaitProvider } from '../batches/await-funds.ts';
import { pauseAsRead } from '../batches/pause-as-read.ts';
import type { Batch, Conversion } from '../domain/batch.ts';
import { batchTransitions, credentialsRefused } from '../domain/batch-status.ts';
import { inferConversion } from '../domain/conversion.ts';
import { unlessUnavailable } from '../domain/errors.ts';
import type { Reason } from '../domain/payout.ts';
import { isoNow } from '../ports/environment.ts';
import type { ConvertAnswer } from '../ports/provider.ts';
import type { PlanFundingDependencies } from './plan-funding.ts';
import type { Needs } from './step.ts';

export type ConvertDependencies = PlanFundingDependencies & Needs<{ provider: 'convert'; pace: 'turn' }, 'ids' | 'log'>;

export type ConvertOutput = Waiting | { readonly batchId: string; readonly next: 'fund' };

/** Writes down what became of a conversion, and frees the pair unless its outcome is still in doubt. */
export const settleConversion = async (
  dependencies: ConvertDependencies,
  batch: Batch,
  conversion: Conversion,
  answer: ConvertAnswer,
): Promise<ConvertOutput> => {
  const { ledger, clock, log } = dependencies;
  const { batchId, n } = conversion;
  log.info('conversion.answer', { batchId, conversion: n, answer: answer.kind });
  const end = async (changes: Partial<Conversion>): Promise<void> => {
    await ledger.recordConversion({ ...conversion, endedAt: isoNow(clock), ...changes }, ['claimed', 'unknown']);
    await ledger.unlockPair(conversion);
  };
  switch (answer.kind) {
    case 'converted': {
      const { convertId, inputAmount, outputAmount, fee } = answer;
      await end({ status: 'completed', convertId, inputAmount, outputAmount, fee });
      return { batchId, next: 'fund' };
    }
    case 'not_sent':
      await end({ status: 'not_sent' });
      return awaitFunds(dependencies, batch, {
        code: 'conversion_not_sent',
        message: 'The provider could not be reached for the conversion. It is planned again.',
      });
    case 'rejected': {
      const message = `The provider refused the conversion: ${answer.message}`;
      const reason = { code: 'conversion_rejected', message };
      await end({ status: 'rejected', reason });
      return awaitFunds(dependencies, batch, reason);
    }
    case 'halted': {
      const reason = credentialsRefused;
      await end({ status: 'rejected', reason });
      const transition = batchTransitions.halt;
      const isWanted = ({ status }: Batch): boolean => transition.from.includes(status);
      await pauseAsRead(ledger, batch, { transition, by: 'system', reason, detail: reason.code, isWanted });
      log.alarm('BatchHalted', { batchId });
      return { batchId, next: 'fund' };
    }
    case 'unknown':
      return inferFromBalances(dependencies, batch, conversion, end);
  }
};

const inDoubtReason: Reason = {
  code: 'conversion_in_doubt',
  message:
    'The conversion was never answered and the balances do not prove what became of it. It is not made again: look it up at the provider, then settle it. When the balance covers the batch it goes on by itself.',
};

const unreadBalances =
  'The conversion was never answered, and the provider did not tell the balances that show whether it was made. It is not made again.';

/** Nothing else tells: a conversion has no reference. Both balances must have moved by exactly what was quoted. */
const inferFromBalances = async (
  dependencies: ConvertDependencies,
  batch: Batch,
  conversion: Conversion,
  end: (changes: Partial<Conversion>) => Promise<void>,
): Promise<ConvertOutput> => {
  const { ledger, provider, log } = dependencies;
  const { batchId, n } = conversion;
  const balances = await provider.readBalances().catch(unlessUnavailable);
  // It stays `claimed`, which PlanFunding sends back to Convert: the next run looks again.
  if (balances === undefined) return awaitProvider(dependencies, batch, unreadBalances);
  const inference = inferConversion(conversion, balances);
  log.info('conversion.inference', { batchId, conversion: n, inference });
  if (inference === 'happened') {
    await end({ status: 'inferred' });
    return { batchId, next: 'fund' };
  }
  // Written again it would be found as it stands, as after a lost answer: the alarm would ring at each look.
  const first =
    conversion.status === 'claimed' &&
    (await ledger.recordConversion({ ...conversion, status: 'unknown', reason: inDoubtReason }, ['claimed']));
  if (first) log.alarm('ConversionUnknown', { batchId, conversion: n });
  return awaitFunds(dependencies, batch, inDoubtReason);
};
