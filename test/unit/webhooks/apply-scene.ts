import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Payout, Rail } from '../../../functions/domain/payout/payout.ts';
import { keys } from '../../../functions/ledger/table/keys.ts';
import type { Disbursement, Lookup } from '../../../functions/ports/provider.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { webhookNames } from '../../../functions/provider/webhook-names.ts';
import type { ApplyWebhookDependencies } from '../../../functions/webhooks/apply-webhook.ts';
import { findCandidates } from '../../../functions/webhooks/find-candidates.ts';
import { createMemoryLedger } from '../../support/memory-ledger.ts';
import { memoryLedgerTable } from '../../support/memory-table/ledger-table.ts';
import { idr } from '../../support/money.ts';
import { exampleChunk } from '../../support/scenes/example-batch.ts';

export const disbursement: Disbursement = {
  disbursementId: 'd-1',
  reference: 'r-1',
  rail: 'fiat',
  amount: idr('250.1'),
  fee: idr('4'),
  status: 'completed',
  providerStatus: 'completed',
};

export const now = '2026-01-05T09:10:00.000Z';

/** One payout in the real ledger over the table in memory, a provider with one answer, and the effects. */
export const world = (
  first: Payout,
  says: (rail: Rail, id: string) => Lookup,
  byReference?: readonly Disbursement[],
) => {
  const time = { now: Date.parse(now) };
  const table = memoryLedgerTable();
  const ledger = createMemoryLedger(() => time.now, table);
  const add = (payout: Payout): void => {
    const { batchId, chunk, row, rail, reference, amount } = payout;
    ledger.putPayout(payout);
    ledger.putChunk(exampleChunk(batchId, { chunk, rail, currency: amount.currency }));
    table.answer(
      new PutCommand({ TableName: table.name, Item: { ...keys.reference(reference), batchId, chunk, row } }),
    );
  };
  add(first);
  const hidden: (readonly [string, number])[] = [];
  const aside: string[] = [];
  const asked: string[] = [];
  const refreshed: string[] = [];
  const lines: { readonly code: string }[] = [];
  const write = (code: string, fields?: object) => void lines.push({ code, ...fields });
  const dependencies: ApplyWebhookDependencies = {
    ledger: {
      ...ledger,
      countAbsence: async () => {
        throw new Error('no hint proves an absence');
      },
      refreshChunk: async (...of) => {
        refreshed.push(of.join('/'));
        return ledger.refreshChunk(...of);
      },
    },
    hintQueue: {
      hide: async (handle, seconds) => void hidden.push([handle, seconds]),
      setAside: async (text) => void aside.push(text),
    },
    clock: () => time.now,
    settings: { reconcileAfterDays: [1, 3, 7] },
    lookupWindowSeconds: 30,
    waitsSeconds: [30, 60, 120],
    provider: {
      traits: documentedTraits(),
      lookUp: async (rail, id, urgency) => {
        asked.push(`${rail} ${id}${urgency?.isSpare ? ', spare' : ''}`);
        return says(rail, id);
      },
      listByReference: async (_rail, reference) => {
        asked.push(`list ${reference}`);
        if (byReference === undefined) throw new Error('no answer is scripted for listByReference');
        return byReference;
      },
    },
    log: { info: write, warn: write, alarm: write },
  };
  const held = (reference = first.reference): Payout => {
    const payout = ledger.payouts.find((one) => one.reference === reference);
    if (payout === undefined) throw new Error('no payout');
    return payout;
  };
  return { dependencies, ledger, asked, refreshed, lines, hidden, aside, time, add, held };
};

/** The default time of these tests' hints. */
const receivedAt = '2026-01-05T09:09:59.000Z';

/** The hints of these bodies, as queued by the stream's handler and delivered by the queue. */
export const queued = (...bodies: readonly string[]) => ({
  Records: bodies.map((body, index) => ({
    messageId: `${index + 1}`,
    receiptHandle: `handle-${index + 1}`,
    body: JSON.stringify({
      webhook: `hash-${index + 1}`,
      receivedAt,
      candidates: [],
      ...findCandidates(webhookNames, body),
    }),
    attributes: { ApproximateReceiveCount: 1 },
  })),
});

/** One hint at its n-th attempt. */
export const tried = (times: number, body = '{"reference":"r-1"}', cameAt = receivedAt) => ({
  Records: queued(body).Records.map((one) => ({
    ...one,
    body: JSON.stringify({ ...JSON.parse(one.body), receivedAt: cameAt }),
    attributes: { ApproximateReceiveCount: times },
  })),
});

/** The provider has the disbursement, with these differences. */
export const found =
  (differences: Partial<Disbursement> = {}) =>
  (): Lookup => ({
    kind: 'found',
    disbursement: { ...disbursement, ...differences },
  });
