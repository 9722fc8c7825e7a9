import type { Batch, BatchEvent, Conversion } from '../../functions/domain/batch.ts';
import type { Call, ChunkFile, ChunkRecord } from '../../functions/domain/chunk.ts';
import { contradictedDetail, contradictedEvent } from '../../functions/domain/contradiction.ts';
import { lockHolder } from '../../functions/domain/conversion-lock.ts';
import type { Payout } from '../../functions/domain/payout.ts';
import type { PayoutTransition } from '../../functions/domain/payout-lifecycle.ts';
import { addUp } from '../../functions/ledger/adding-up.ts';
import type { BatchChanges, BatchLedger, MoveBatch } from '../../functions/ports/batch-ledger.ts';
import type { Clock } from '../../functions/ports/environment.ts';
import { isoNow } from '../../functions/ports/environment.ts';
import type { FundsLedger, FundsRecord } from '../../functions/ports/funds-ledger.ts';
import type { MovePayout, PayoutChanges, PayoutLedger } from '../../functions/ports/payout-ledger.ts';

type StepLedger = PayoutLedger & FundsLedger & BatchLedger;

export interface MemoryLedger extends StepLedger {
  /** Everything in it, for tests to look at and to arrange. */
  readonly batches: Map<string, Batch>;
  readonly payouts: Map<string, Payout>;
  readonly records: Map<string, ChunkRecord>;
  readonly calls: Call[];
  readonly conversions: Conversion[];
  readonly locks: Map<string, string>;
  /** Timelines of all batches: what was written with an audit. */
  readonly events: (BatchEvent & { readonly batchId: string })[];
}

const notUsedHere = (verb: string) => (): never => {
  throw new Error(`${verb} is not part of this test`);
};

const keyOf = ({ batchId, chunk, row }: Pick<Payout, 'batchId' | 'chunk' | 'row'>): string =>
  `${batchId}/${chunk}/${row}`;

/** The ledger's semantics in memory, for tests of steps: each verb is atomic, as one conditional write is. */
export const createMemoryLedger = (clock: Clock): MemoryLedger => {
  const batches = new Map<string, Batch>();
  const payouts = new Map<string, Payout>();
  const references = new Map<string, string>();
  const records = new Map<string, ChunkRecord>();
  const calls: Call[] = [];
  const conversions: Conversion[] = [];
  const locks = new Map<string, string>();
  const lockedAt = new Map<string, string>();
  const events: (BatchEvent & { readonly batchId: string })[] = [];
  const funds = new Map<string, FundsRecord>();

  const existing = (batchId: string): Batch => {
    const batch = batches.get(batchId);
    if (batch === undefined) throw new Error(`no batch ${batchId}`);
    return batch;
  };
  const apply = (batch: Batch, changes: object): Batch => {
    const next = { ...batch, ...changes };
    const kept = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null && value !== undefined));
    batches.set(batch.batchId, kept as unknown as Batch);
    return existing(batch.batchId);
  };
  const refusedOr = (
    batchId: string,
    allowed: boolean,
    {
      endedExecution,
      leavingSince,
      ...changes
    }: BatchChanges & { readonly status?: Batch['status']; readonly cancelRequestedAt?: string },
  ): MoveBatch => {
    const { executions, statusSince } = existing(batchId);
    const isOvertaken =
      (endedExecution !== undefined && executions !== endedExecution) ||
      (leavingSince !== undefined && statusSince !== leavingSince);
    if (!allowed || isOvertaken) return { kind: 'refused', batch: existing(batchId) };
    const ended = endedExecution === undefined ? {} : { executionEnded: true };
    return { kind: 'moved', batch: apply(existing(batchId), { ...changes, ...ended }) };
  };
  const isFunded = (batchId: string): boolean => {
    const { status, cancelRequestedAt } = existing(batchId);
    return (status === 'validating' || status === 'awaiting_funds') && cancelRequestedAt === undefined;
  };
  const inChunk = (batchId: string, chunk: number): Payout[] =>
    [...payouts.values()]
      .filter((payout) => payout.batchId === batchId && payout.chunk === chunk)
      .sort((a, b) => a.row - b.row);
  const standing = (at: Pick<Payout, 'batchId' | 'chunk' | 'row'>): Payout => {
    const payout = payouts.get(keyOf(at));
    if (payout === undefined) throw new Error(`no payout ${keyOf(at)}`);
    return payout;
  };
  const move = (
    at: Pick<Payout, 'batchId' | 'chunk' | 'row'>,
    transition: PayoutTransition,
    changes: PayoutChanges = {},
    ofCall?: number,
  ): MovePayout => {
    const payout = standing(at);
    if (!transition.from.includes(payout.status)) return { kind: 'refused', payout };
    if (ofCall !== undefined && payout.call !== ofCall) return { kind: 'refused', payout };
    const { disbursementId = payout.disbursementId } = changes;
    if (payout.disbursementId !== undefined && payout.disbursementId !== disbursementId)
      return { kind: 'refused', payout };
    const now = isoNow(clock);
    const { reason: _reason, ...rest } = payout;
    const moved = { ...rest, ...changes, status: transition.to, statusSince: now, updatedAt: now };
    payouts.set(keyOf(at), moved);
    return { kind: 'moved', payout: moved };
  };

  return {
    batches,
    payouts,
    records,
    calls,
    conversions,
    locks,
    events,
    createBatch: notUsedHere('createBatch'),
    findStart: notUsedHere('findStart'),
    listBatches: notUsedHere('listBatches'),
    listEvents: async (batchId) => events.filter((event) => event.batchId === batchId),
    beginExecution: notUsedHere('beginExecution'),
    findPayoutByDisbursementId: notUsedHere('findPayoutByDisbursementId'),
    getPayoutByReference: async (reference) => [...payouts.values()].find((payout) => payout.reference === reference),
    getBatch: async (batchId) => batches.get(batchId),
    moveBatch: async (batchId, transition, _by, changes = {}) =>
      refusedOr(batchId, transition.from.includes(existing(batchId).status), { ...changes, status: transition.to }),
    amendBatch: async (batchId, whileStatus, changes) =>
      refusedOr(
        batchId,
        whileStatus.includes(existing(batchId).status) && !('plan' in changes && existing(batchId).plan !== undefined),
        changes,
      ),
    requestCancel: async (batchId) => refusedOr(batchId, true, { cancelRequestedAt: isoNow(clock) }),

    registerPayouts: async (chunk: ChunkFile, hashes) => {
      const { batchId, rail, currency } = chunk;
      for (const { row, reference, amount } of chunk.payouts) {
        const at = { batchId, chunk: chunk.chunk, row };
        if (payouts.has(keyOf(at))) continue;
        const heldBy = references.get(reference);
        if (heldBy === undefined) references.set(reference, batchId);
        payouts.set(keyOf(at), {
          ...at,
          reference,
          rail,
          currency,
          amount,
          destinationHash: hashes.get(row) ?? '',
          updatedAt: isoNow(clock),
          ...(heldBy === undefined
            ? { status: 'ready' }
            : { status: 'rejected', heldBy, reason: { code: 'duplicate_reference', message: 'taken' } }),
        });
      }
      const key = `${batchId}/${chunk.chunk}`;
      if (records.has(key)) return;
      records.set(key, {
        batchId,
        chunk: chunk.chunk,
        rail,
        currency,
        tallies: {},
        proofs: 0,
        waitingSince: {},
        contradictions: { recorded: 0, payouts: 0 },
        registeredAt: isoNow(clock),
        version: 1,
      });
    },
    readChunk: async (batchId, chunk) => ({
      payouts: inChunk(batchId, chunk),
      calls: calls.filter((call) => call.batchId === batchId && call.chunk === chunk),
    }),
    claimCall: async (call) => {
      const { batchId, chunk, k } = call;
      const batch = existing(batchId);
      if (batch.status !== 'processing' || batch.cancelRequestedAt !== undefined) return { kind: 'stopped' };
      const rows = inChunk(batchId, chunk).filter(({ row }) => call.rows.includes(row));
      const taken = calls.some((other) => other.batchId === batchId && other.chunk === chunk && other.k === k);
      if (taken || rows.some(({ status }) => status !== 'ready')) return { kind: 'taken' };
      calls.push({ ...call, claimedAt: isoNow(clock) });
      for (const payout of rows) {
        // What was counted and said before belongs to the submission before this one.
        const { absences: _, reason: __, ...kept } = payout;
        payouts.set(keyOf(payout), { ...kept, status: 'submitting', call: k, updatedAt: isoNow(clock) });
      }
      return { kind: 'claimed' };
    },
    recordCallOutcome: async (call, outcome) => {
      const index = calls.findIndex(
        (other) => other.batchId === call.batchId && other.chunk === call.chunk && other.k === call.k,
      );
      const found = calls[index];
      if (found === undefined || found.claimId !== call.claimId || found.outcome !== undefined) return false;
      calls[index] = { ...found, outcome };
      return true;
    },
    movePayout: async (at, transition, changes, of) => {
      const moved = move(at, transition, changes, of?.call);
      if (moved.kind === 'moved' && of?.audit !== undefined)
        events.push({ batchId: at.batchId, at: isoNow(clock), ...of.audit });
      return moved;
    },
    countAbsence: async (payout) => {
      const current = standing(payout);
      if (current.status !== 'submitting' && current.status !== 'unknown') return { kind: 'refused', payout: current };
      if (current.call !== payout.call || current.absences !== payout.absences)
        return { kind: 'refused', payout: current };
      const counted = { ...current, absences: (current.absences ?? 0) + 1, updatedAt: isoNow(clock) };
      payouts.set(keyOf(payout), counted);
      return { kind: 'moved', payout: counted };
    },
    recordContradiction: async (payout, found) => {
      const current = standing(payout);
      const { contradictions = [], status, batchId } = current;
      if (status !== payout.status || contradictions.length !== (payout.contradictions ?? []).length)
        return { kind: 'refused', payout: current };
      const at = isoNow(clock);
      const recorded = { ...current, contradictions: [...contradictions, { ...found, at }], updatedAt: at };
      payouts.set(keyOf(payout), recorded);
      const detail = contradictedDetail(current, found);
      events.push({ batchId, at, code: contradictedEvent, by: 'system', detail });
      return { kind: 'moved', payout: recorded };
    },
    noteContradictions: async (payout, audit) => {
      const current = standing(payout);
      const { contradictions = [], contradictionsNoted } = current;
      const isAsRead =
        contradictions.length === (payout.contradictions ?? []).length &&
        contradictionsNoted === payout.contradictionsNoted;
      if (!isAsRead) return { kind: 'refused', payout: current };
      const noted = { ...current, contradictionsNoted: contradictions.length, updatedAt: isoNow(clock) };
      payouts.set(keyOf(payout), noted);
      events.push({ batchId: payout.batchId, at: isoNow(clock), ...audit });
      return { kind: 'moved', payout: noted };
    },
    recordProof: async (at, proof) => {
      const payout = payouts.get(keyOf(at));
      if (payout !== undefined && payout.proof === undefined) payouts.set(keyOf(at), { ...payout, proof });
    },
    refreshChunk: async (batchId, chunk) => {
      const record = records.get(`${batchId}/${chunk}`);
      if (record === undefined) throw new Error('no such chunk');
      const members = inChunk(batchId, chunk);
      const refreshed = { ...record, ...addUp(members), version: record.version + 1 };
      records.set(`${batchId}/${chunk}`, refreshed);
      return { record: refreshed, payouts: members };
    },
    listChunks: async (batchId) => [...records.values()].filter((record) => record.batchId === batchId),
    listPayouts: async ({ batchId }) => ({
      items: [...payouts.values()].filter((payout) => payout.batchId === batchId),
    }),
    findReferences: async (wanted) =>
      new Map(
        wanted.flatMap((reference) => {
          const holder = references.get(reference);
          return holder === undefined ? [] : [[reference, holder]];
        }),
      ),

    readFunds: async (currencies) =>
      currencies.map((currency) => funds.get(currency) ?? { currency, version: 0, reservations: [] }),
    reserve: async (batchId, read, amounts, { whileFunded = false } = {}) => {
      if (read.some(({ currency, version }) => (funds.get(currency)?.version ?? 0) !== version)) return false;
      const setsAside = [...amounts.values()].some((amount) => amount !== '0');
      if ((setsAside || whileFunded) && !isFunded(batchId)) return false;
      for (const { currency, version, reservations } of read) {
        const amount = amounts.get(currency);
        const others = reservations.filter((reservation) => reservation.batchId !== batchId);
        const own = amount === undefined || amount === '0' ? [] : [{ batchId, amount }];
        funds.set(currency, { currency, version: version + 1, reservations: [...others, ...own] });
      }
      return true;
    },
    lockPair: async (input, output, holder) => {
      const current = locks.get(`${input}~${output}`);
      if (current !== undefined && current !== holder) return false;
      locks.set(`${input}~${output}`, holder);
      lockedAt.set(`${input}~${output}`, isoNow(clock));
      return true;
    },
    unlockPair: async (input, output, holder) => {
      if (locks.get(`${input}~${output}`) === holder) locks.delete(`${input}~${output}`);
    },
    unlockUnclaimedPair: async ({ batchId, n, planned }) => {
      const pair = `${planned.inputCurrency}~${planned.outputCurrency}`;
      const isClaimed = conversions.some((claimed) => claimed.batchId === batchId && claimed.n === n);
      if (!isClaimed && locks.get(pair) === lockHolder(batchId, n)) locks.delete(pair);
    },
    claimConversion: async (conversion) => {
      const taken = conversions.find(({ batchId, n }) => batchId === conversion.batchId && n === conversion.n);
      if (taken !== undefined) return { kind: 'taken', conversion: taken };
      const { batchId, n, planned } = conversion;
      if (locks.get(`${planned.inputCurrency}~${planned.outputCurrency}`) !== lockHolder(batchId, n)) {
        return { kind: 'stopped' };
      }
      if (!isFunded(batchId)) return { kind: 'stopped' };
      conversions.push(conversion);
      return { kind: 'claimed' };
    },
    listPairLocks: async () =>
      [...locks].map(([pair, holder]) => {
        const [inputCurrency = '', outputCurrency = ''] = pair.split('~');
        return { inputCurrency, outputCurrency, holder, lockedAt: lockedAt.get(pair) ?? '' };
      }),
    breakPairLock: async ({ inputCurrency, outputCurrency, holder, lockedAt: since }) => {
      const pair = `${inputCurrency}~${outputCurrency}`;
      if (locks.get(pair) !== holder || lockedAt.get(pair) !== since) return false;
      return locks.delete(pair);
    },
    recordConversion: async (conversion, from, audit) => {
      const index = conversions.findIndex(({ batchId, n }) => batchId === conversion.batchId && n === conversion.n);
      const found = conversions[index];
      if (found === undefined || !from.includes(found.status)) return false;
      conversions[index] = conversion;
      if (audit !== undefined) events.push({ batchId: conversion.batchId, at: isoNow(clock), ...audit });
      return true;
    },
    listConversions: async (batchId) => conversions.filter((conversion) => conversion.batchId === batchId),
  };
};
