import type { Conversion } from '../../domain/batch/batch.ts';
import { given } from '../../domain/given.ts';
import { isInDoubt } from '../../domain/money/conversion.ts';
import { isoNow } from '../../ports/environment.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log, settings } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import * as operations from '../schemas/operations/batch-operations.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import { viewConversion } from '../views/batch.ts';

type SettleConversionDependencies = Needs<
  { ledger: 'getBatch' | 'listConversions' | 'recordConversion'; settings: 'resolveAfterSeconds' },
  'clock' | 'log'
>;

type Request = Pick<RequestOf<typeof operations.settleConversion>, 'path' | 'body' | 'caller'>;

const statusOf = { happened: 'completed', not_happened: 'not_made' } as const;

/**
 * Ends a conversion in doubt by an operator's decision, and frees its pair. In either case the batch plans anew from the current
 * balances, so a wrong decision converts nothing that the balance covers. Convert itself finds what balances prove, each time it
 * looks. Reading balances here would need the credential that moves money.
 */
export const settleConversion = async (
  dependencies: SettleConversionDependencies,
  { path: { batchId, number }, body, caller }: Request,
): Promise<OutcomeOf<typeof operations.settleConversion>> => {
  const { ledger, settings, clock, log } = dependencies;
  if ((await ledger.getBatch(batchId)) === undefined) return problem('batch_not_found');
  const conversion = (await ledger.listConversions(batchId)).find(({ n }) => n === number);
  if (conversion === undefined) return problem('conversion_not_found');
  const status = statusOf[body.decision];
  if (!isInDoubt(conversion)) return ended(conversion, status);
  const mayEndAt = Date.parse(conversion.claimedAt) + settings.resolveAfterSeconds * 1000;
  if (clock() < mayEndAt)
    return problem('too_early', { detail: `It may still be under way until ${new Date(mayEndAt).toISOString()}.` });
  const reason = { code: `settled_${body.decision}`, message: `An operator settled it as ${body.decision}.` };
  const settled: Conversion = {
    ...conversion,
    status,
    reason,
    endedAt: isoNow(clock),
    ...given({ convertId: status === 'not_made' ? undefined : body.convertId }),
  };
  const detail = `conversion ${number} ${body.decision}`;
  const audit = { code: 'conversion.settled', by: caller, detail, note: body.reason };
  const recorded = await ledger.recordConversion(settled, ['claimed', 'unknown'], audit);
  log.info('conversion.settle', { batchId, conversion: number, decision: body.decision, recorded });
  if (recorded) return ended(settled, status);
  // Someone else settled it first, or its answer arrived after all.
  const current = (await ledger.listConversions(batchId)).find(({ n }) => n === number);
  return ended(current ?? conversion, status);
};

const ended = (conversion: Conversion, wanted: Conversion['status']): OutcomeOf<typeof operations.settleConversion> => {
  const { batchId, status } = conversion;
  const agrees = status === wanted || (status === 'inferred' && wanted === 'completed');
  if (agrees) return answer(200, viewConversion(conversion));
  return problem('conversion_conflict', { batchId, detail: `The conversion has ended as ${status}.` });
};

export const handler = endpoint(log, operations.settleConversion, bind(settleConversion, { ledger, settings }));
