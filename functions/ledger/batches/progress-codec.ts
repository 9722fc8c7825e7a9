import * as z from 'zod';
import { waitingStatuses } from '../../domain/batch/chunk.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import { storedTallies, talliesInText, talliesOfText } from '../../domain/money/money-records.ts';
import { once } from '../../domain/once.ts';
import { rail } from '../../domain/payout/payout.ts';
import { counter } from '../../domain/records.ts';
import type { Key } from '../table/keys.ts';
import { keys } from '../table/keys.ts';
import type { Item } from '../table/store.ts';

const since = once(() => z.string().exactOptional());

const progress = once<z.ZodType<Progress>>(() =>
  z.object({
    asOf: z.string(),
    chunks: counter(),
    payouts: counter(),
    currencies: z.array(
      z
        .object({ rail: rail(), currency: z.string(), tallies: storedTallies() })
        .transform(({ tallies, ...of }) => ({ ...of, tallies: talliesOfText(of.currency, tallies) })),
    ),
    proofs: z.object({ archived: counter(), expected: counter() }),
    waitingSince: z.partialRecord(z.enum(waitingStatuses), z.string()),
    longPending: z.object({ count: counter(), since: since() }),
    contradictions: z.object({ recorded: counter(), payouts: counter(), since: since() }),
    chunkVersions: counter(),
  }),
);

/** Undefined also when the item is unreadable: progress is derived from the chunk records, so it is computed again. */
export const readStoredProgress = (item: Item | undefined): Progress | undefined => progress().safeParse(item).data;

export const progressItem = (batchId: string, of: Progress): Key & Readonly<Record<string, unknown>> => ({
  ...keys.progress(batchId),
  ...of,
  currencies: of.currencies.map(({ rail: ofRail, currency, tallies }) => ({
    rail: ofRail,
    currency,
    tallies: talliesInText(tallies),
  })),
});
