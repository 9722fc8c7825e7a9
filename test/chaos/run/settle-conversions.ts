import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import type { ConversionView } from '../../../functions/api/schemas/funding.ts';
import type { OperatorClient } from '../../../infra/local/operator-client.ts';
import { chaosFunctionSeconds } from '../settings.ts';
import { fits, isInDoubt } from '../truth/conversions.ts';
import { readServiceTruth } from '../truth/service-truth.ts';
import { sendUntilAnswered } from './send-until-answered.ts';

/** A conversion in doubt that an operator settled, with the reason for the decision. */
export interface SettledConversion {
  readonly n: number;
  readonly decision: 'happened' | 'not_happened';
  readonly why: string;
}

/**
 * Seconds from a claim until the service's books are complete: the process that claimed it has ended, and delayed requests have
 * arrived.
 */
const settledAfterSeconds = chaosFunctionSeconds.Convert + 10;

const decide = async (conversion: ConversionView): Promise<SettledConversion & { readonly convertId?: string }> => {
  const { n, status, inputCurrency, outputCurrency } = conversion;
  const { conversions } = await readServiceTruth();
  const doubt = `${status}, ${inputCurrency} into ${outputCurrency}`;
  const made = conversions.find((one) => fits(conversion, one));
  if (made === undefined) return { n, decision: 'not_happened', why: `${doubt}: the books have none of its amounts` };
  const { convertId } = made;
  return { n, decision: 'happened', convertId, why: `${doubt}: the books have ${convertId}` };
};

/**
 * Settles a batch's conversions once they have been in doubt for long enough, as an operator does, by the provider's books (here
 * its table). One that has ended meanwhile is left unchanged.
 */
export const settleConversions = async (
  operator: OperatorClient,
  { batchId, conversions }: Pick<BatchView, 'batchId' | 'conversions'>,
): Promise<readonly SettledConversion[]> => {
  const ripe = conversions.filter(
    (one) => isInDoubt(one) && Date.now() - Date.parse(one.claimedAt) > settledAfterSeconds * 1000,
  );
  const settled: SettledConversion[] = [];
  for (const conversion of ripe) {
    const { convertId, ...decided } = await decide(conversion);
    const { status } = await sendUntilAnswered(operator, {
      method: 'POST',
      path: `/batches/${batchId}/conversions/${decided.n}/settle`,
      body: { decision: decided.decision, reason: decided.why, ...(convertId === undefined ? {} : { convertId }) },
    });
    if (status < 300) settled.push(decided);
  }
  return settled;
};
