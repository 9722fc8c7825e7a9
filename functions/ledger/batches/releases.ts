import type { Batch } from '../../domain/batch/batch.ts';
import type { BatchTransition } from '../../domain/batch/batch-status.ts';
import { batchTransitions } from '../../domain/batch/batch-status.ts';
import { paidBy } from '../../domain/batch/release.ts';
import { InvariantBroken } from '../../domain/errors.ts';
import { batchNews } from '../../domain/events/news.ts';
import { reservationsOf } from '../../domain/money/funding.ts';
import { isoNow } from '../../ports/environment.ts';
import type { ReleaseLedger, ReleaseRequest } from '../../ports/ledger/release-ledger.ts';
import { newsWrite } from '../events/events-codec.ts';
import { absent, and, asRead, equals, fieldEquals, oneOf, setting } from '../table/expressions.ts';
import { keys, partitions, sortPrefixes } from '../table/keys.ts';
import type { PartDependencies } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { checking, updating } from '../table/writes.ts';
import { batchAttributes, lineWrite, movedTo, readReleasedSum } from './batch-codec.ts';

/** A transaction has room for 100 writes, and each currency takes two. */
const mostChecked = 20;

/**
 * Adds the batch to the day's sums. When two batches read the same sum, one fails and checks again, so both cannot slip under
 * the limit.
 */
const countWrites = ({ plan }: Batch, { release, counted }: ReleaseRequest): readonly Write[] =>
  counted === undefined || plan === undefined
    ? []
    : [...paidBy(plan)].map(([currency, paid]) => {
        const before = counted.get(currency);
        const { amount } = before?.plus(paid) ?? paid;
        const condition = asRead('amount', before?.amount);
        return updating(keys.released(release.day, currency), setting({ currency, amount }), condition);
      });

/**
 * When two batches share debts and are released concurrently, one must check again. Beyond `mostChecked` batches, the sums of
 * their common day ensure it.
 */
const checksOf = ({ unreleased = [] }: ReleaseRequest): readonly Write[] =>
  unreleased.slice(0, mostChecked).map((other) => checking(keys.batch(other), absent('release')));

/** Releases batches and sums what each day released. */
export const createReleases = ({ store, clock, ids }: PartDependencies): ReleaseLedger => ({
  readReleased: async (day) => {
    const sums = await store.list(partitions.released(day), sortPrefixes.currency, readReleasedSum);
    return new Map(sums.map((sum) => [sum.currency, sum]));
  },

  releaseBatch: async (batch, request) => {
    const { batchId, funding, sharesDebtsWith } = batch;
    const { release } = request;
    if (funding === undefined) throw new InvariantBroken(`batch ${batchId} is not funded`);
    const at = isoNow(clock);
    const { startProcessing, release: toConvert } = batchTransitions;
    const transition: BatchTransition = funding.conversions.length > 0 ? toConvert : startProcessing;
    const { from, to, event } = transition;
    // Another run of this batch may have given back the reservation that this plan needs.
    const reserved = [...reservationsOf(funding)].map(([currency, amount]) =>
      checking(keys.reservation(currency, batchId), equals('amount', amount.amount)),
    );
    const result = await store.transact([
      ...reserved,
      updating(
        keys.batch(batchId),
        setting(batchAttributes({ ...movedTo(to, at), awaitingFundsSince: null, release })),
        and(
          oneOf('status', from),
          absent('cancelRequestedAt'),
          equals('statusSince', batch.statusSince),
          fieldEquals('funding', 'plannedAt', funding.plannedAt),
          asRead('sharesDebtsWith', sharesDebtsWith),
        ),
      ),
      lineWrite(batchId, ids.sortable(), { at, code: event, by: 'system', detail: release.hash }),
      newsWrite(batchId, ids.sortable(), batchNews(at, transition)),
      ...countWrites(batch, request),
      ...checksOf(request),
    ]);
    if (result.kind === 'written') return 'released';
    return result.writes.slice(0, reserved.length).some(({ failed }) => failed) ? 'unfunded' : 'changed';
  },
});
