import type { BatchLedger } from '../ports/batch-ledger.ts';
import type { Clock } from '../ports/environment.ts';
import { isoNow } from '../ports/environment.ts';
import type { Batch } from './batch.ts';
import type { OrchestratorSettings } from './settings.ts';

/** Longer than a batch may run: it awaits funds for 3 days and follows payouts for 9 at most, unless it is paused for weeks. */
const recentDays = 31;
const pageSize = 100;

/** Every batch of the last 31 days, newest first, as the index has it: read one again before acting on it. */
export async function* recentBatches(ledger: Pick<BatchLedger, 'listBatches'>, clock: Clock): AsyncGenerator<Batch> {
  const day = isoNow(clock).slice(0, 'YYYY-MM-DD'.length);
  const oldest = new Date(clock() - recentDays * 86_400_000).toISOString();
  let cursor: string | undefined;
  do {
    const page = await ledger.listBatches({ day, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
    for (const batch of page.items) {
      if (batch.createdAt < oldest) return;
      yield batch;
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/**
 * Every currency that a batch may have set money aside in. The tokens that conversions are made from are always among them:
 * of two runs of PlanFunding at once one can set a token aside that the plan of the other, which stands in the end, does
 * not name.
 */
export const currenciesOf = (
  { plan, funding }: Pick<Batch, 'plan' | 'funding'>,
  { conversionSources }: Pick<OrchestratorSettings, 'conversionSources'>,
): readonly string[] => [
  ...new Set([
    ...conversionSources,
    ...(plan?.currencies ?? []).map(({ currency }) => currency),
    ...(funding?.currencies ?? []).map(({ currency }) => currency),
  ]),
];
