import { InvariantBroken } from '../../domain/errors.ts';
import { contradictionNews, payoutNews } from '../../domain/events/news.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { contradictedDetail, contradictedEvent } from '../../domain/payout/payout.ts';
import { payoutStatusesThat, payoutStatusIs } from '../../domain/payout/payout-status.ts';
import { isoNow } from '../../ports/environment.ts';
import type { MovePayout, PayoutId, PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import { lineWrite, readLine } from '../batches/batch-codec.ts';
import { newsWrite } from '../events/events-codec.ts';
import type { Expression } from '../table/expressions.ts';
import { absent, and, asRead, equals, oneOf, or, setting } from '../table/expressions.ts';
import { keys, partitions, sortPrefixes } from '../table/keys.ts';
import type { Item, PartDependencies } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { payoutAttributes, readPayout } from './payout-codec.ts';

/** Changes of one payout, each one conditional write or transaction. Also counts the contradictions of a batch. */
export const createPayoutMoves = ({ store, clock, ids }: PartDependencies) => {
  const payoutOf = ({ batchId, chunk, row }: PayoutId, item: Item | undefined): Payout => {
    if (item === undefined) throw new InvariantBroken(`payout_missing: ${batchId} ${chunk} ${row}`);
    return readPayout(item);
  };

  /** The change and the other writes are one transaction. */
  const change = async (
    id: PayoutId,
    update: Expression,
    condition: Expression,
    others: readonly Write[] = [],
  ): Promise<MovePayout> => {
    const key = keys.payout(id.batchId, id.chunk, id.row);
    const { kind, item } = await store.move(key, update, condition, others);
    return { kind, payout: payoutOf(id, item) };
  };

  /** The condition that the payout has no other disbursement id. The caller decided without knowing of another one. */
  const knownByNoOther = (disbursementId: string): Expression =>
    or(absent('disbursementId'), equals('disbursementId', disbursementId));

  /** `contradicted` is the number of contradictions. A condition can compare a number, but not a list. */
  const contradictedAsRead = ({ contradictions }: Payout): Expression => asRead('contradicted', contradictions?.length);

  return {
    movePayout: async (id, transition, changes = {}, options = {}) => {
      const now = isoNow(clock);
      // A reason explains the current status, so a new status clears it.
      const update = setting({
        reason: null,
        ...payoutAttributes(changes),
        status: transition.to,
        statusSince: now,
        updatedAt: now,
      });
      const before = payoutStatusIs(transition.to, 'isNews')
        ? payoutOf(id, await store.get(keys.payout(id.batchId, id.chunk, id.row)))
        : undefined;
      const condition = and(
        oneOf('status', transition.from),
        // News names the previous status, so the payout must still be in it.
        ...(before === undefined ? [] : [equals('status', before.status)]),
        // No newer call has claimed the payout.
        ...(options.call === undefined ? [] : [equals('call', options.call)]),
        ...(changes.disbursementId === undefined ? [] : [knownByNoOther(changes.disbursementId)]),
      );
      const news = before && payoutNews(now, before, transition.to, changes.reason);
      return change(id, update, condition, [
        ...(options.audit === undefined ? [] : [lineWrite(id.batchId, ids.sortable(), { ...options.audit, at: now })]),
        ...(news === undefined ? [] : [newsWrite(id.batchId, ids.sortable(), news)]),
      ]);
    },

    countAbsence: (payout) =>
      change(
        payout,
        setting({ absences: (payout.absences ?? 0) + 1, updatedAt: isoNow(clock) }),
        and(
          oneOf('status', payoutStatusesThat('isInDoubt')),
          asRead('call', payout.call),
          asRead('absences', payout.absences),
        ),
      ),

    recordProof: async (id, proof) => {
      const condition = and(absent('proof'), equals('status', 'completed'));
      const { payout } = await change(id, setting({ proof, updatedAt: isoNow(clock) }), condition);
      // The first proof stays: the provider may create a new PDF for each request.
      if (payout.proof === undefined)
        throw new InvariantBroken(`proof_of_payout_not_completed: ${id.batchId} ${id.row}`);
      return payout;
    },

    countProofTry: (payout) =>
      change(
        payout,
        setting({ proofTries: (payout.proofTries ?? 0) + 1, updatedAt: isoNow(clock) }),
        and(absent('proof'), asRead('proofTries', payout.proofTries)),
      ),

    recordContradiction: async (payout, found) => {
      const now = isoNow(clock);
      const contradictions = [...(payout.contradictions ?? []), { ...found, at: now }];
      const update = setting({ contradictions, contradicted: contradictions.length, updatedAt: now });
      const condition = and(equals('status', payout.status), contradictedAsRead(payout));
      const detail = contradictedDetail(payout, found);
      return change(payout, update, condition, [
        lineWrite(payout.batchId, ids.sortable(), {
          at: now,
          code: contradictedEvent,
          by: 'system',
          detail,
          payoutStatus: payout.status,
        }),
        newsWrite(payout.batchId, ids.sortable(), contradictionNews(now, payout, found)),
      ]);
    },

    countUnpaidContradictions: async (batchId) => {
      let count = 0;
      // One at a time: a batch whose payments were all returned has a line for each.
      for await (const item of store.query({ pk: partitions.batch(batchId), prefix: sortPrefixes.contradiction })) {
        const { payoutStatus } = readLine(item);
        if (payoutStatus === undefined || payoutStatusIs(payoutStatus, 'endsUnpaid')) count += 1;
      }
      return count;
    },

    noteContradictions: async (payout, audit) => {
      const now = isoNow(clock);
      const { contradictions = [], contradictionsNoted: noted } = payout;
      const update = setting({ contradictionsNoted: contradictions.length, updatedAt: now });
      const condition = and(contradictedAsRead(payout), asRead('contradictionsNoted', noted));
      return change(payout, update, condition, [lineWrite(payout.batchId, ids.sortable(), { ...audit, at: now })]);
    },
  } satisfies Partial<PayoutLedger>;
};
