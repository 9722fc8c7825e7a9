import { Money } from '../../../functions/domain/money/money.ts';
import { hashDestination } from '../../../functions/domain/payout/destination.ts';
import type { Rail } from '../../../functions/domain/payout/payout.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { Log } from '../../../functions/ports/environment.ts';
import type { Disbursement, Lookup, PaymentProvider, SubmitAnswer } from '../../../functions/ports/provider.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { chunkInput } from '../../../functions/steps/submit-chunk.ts';
import { createMemoryLedger } from '../memory-ledger.ts';
import { exampleBatch, exampleChunkFile, examplePlan } from './example-batch.ts';

export const batchId = 'b-1';
export const startedAt = Date.parse('2026-11-21T08:00:00Z');

const batch = exampleBatch(batchId, { plan: examplePlan(batchId, 1, []) });

/**
 * A chunk being paid: the steps' dependencies in memory, a provider that answers as scripted and counts its requests, and a
 * clock that a test moves. An unscripted request throws.
 */
export const createChunkScene = (rail: Rail = 'fiat', rows = 4) => {
  let now = startedAt;
  let ids = 0;
  const chunk = exampleChunkFile(batchId, rail, 1, rows);
  const ledger = createMemoryLedger(() => now);
  ledger.putBatch(batch);
  const alarms: string[] = [];
  const log: Log = { info: () => undefined, warn: () => undefined, alarm: (metric) => alarms.push(metric) };
  const posted: string[][] = [];
  const answers: ((references: readonly string[]) => SubmitAnswer)[] = [];
  const lookups = new Map<string, Lookup[]>();

  const disbursementOf = (reference: string, changes: Partial<Disbursement> = {}): Disbursement => {
    const payout = chunk.payouts.find((planned) => planned.reference === reference);
    if (payout === undefined) throw new Error(`no payout ${reference}`);
    return {
      disbursementId: `d-${reference}`,
      reference,
      rail,
      amount: Money.of(payout.amount, chunk.currency),
      fee: Money.of('1', chunk.currency),
      status: 'pending',
      providerStatus: 'pending',
      destinationHash: hashDestination(payout.recipient),
      createdAt: new Date(now).toISOString(),
      ...changes,
    };
  };

  const provider: Pick<
    PaymentProvider,
    | 'traits'
    | 'pageSize'
    | 'composeSubmission'
    | 'submit'
    | 'lookUp'
    | 'listByReference'
    | 'destinationSearch'
    | 'listDisbursements'
    | 'downloadProof'
  > = {
    traits: documentedTraits(),
    pageSize: () => documentedTraits().pageLimit,
    composeSubmission: (_chunk, payouts) => JSON.stringify(payouts.map(({ reference }) => reference)),
    submit: async (_rail, body) => {
      const references: string[] = JSON.parse(body);
      posted.push(references);
      const answer = answers.shift();
      if (answer === undefined) throw new Error('no answer is scripted for this POST');
      return answer(references);
    },
    lookUp: async (_rail, reference) => {
      const scripted = lookups.get(reference);
      const lookup = scripted === undefined || scripted.length > 1 ? scripted?.shift() : scripted[0];
      return lookup ?? { kind: 'absent' };
    },
    listByReference: async (_rail, reference) => [disbursementOf(reference)],
    destinationSearch: (searched) =>
      searched === 'crypto'
        ? async () => {
            throw new Error('no answer is scripted for a search by destination');
          }
        : undefined,
    listDisbursements: async () => {
      throw new Error('no answer is scripted for a list');
    },
    downloadProof: async () => undefined,
  };

  return {
    ledger,
    provider,
    alarms,
    /** References of each POST, in order. */
    posted,
    /** Answers to the next POSTs, in order. */
    answers,
    /** Answers to lookups by reference, in order; the last one repeats. Absent by default. */
    lookups,
    chunk,
    hashes: new Map(chunk.payouts.map(({ row, recipient }) => [row, hashDestination(recipient)])),
    disbursementOf,
    accept: (references: readonly string[]): SubmitAnswer => ({
      kind: 'answered',
      disbursements: references.map((reference) => disbursementOf(reference)),
    }),
    passSeconds: (seconds: number) => {
      now += seconds * 1000;
    },
    input: chunkInput.parse({ batchId, chunk: 1 }),
    invocation: { remainingMs: () => 90_000 },
    statuses: () =>
      ledger.payouts
        .filter((payout) => payout.batchId === batchId)
        .toSorted((a, b) => a.row - b.row)
        .map(({ status }) => status),
    dependencies: {
      ledger,
      provider,
      files: {
        getChunk: async () => chunk,
        putProof: async (_batchId: string, row: number, pdf: Uint8Array) => ({
          key: `proofs/${row}.pdf`,
          sha256: 'hash',
          bytes: pdf.byteLength,
        }),
      },
      settings: orchestratorSettings().parse({}),
      clock: () => now,
      random: () => 0.5,
      ids: { sortable: () => `${++ids}`, unique: () => `claim-${++ids}` },
      log,
      pace: { turn: async () => ({ kind: 'now' }) as const },
    },
  };
};
