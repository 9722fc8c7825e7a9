import type { Batch } from '../../functions/domain/batch/batch.ts';
import { batchStatuses } from '../../functions/domain/batch/batch-status.ts';
import type { ChunkFile } from '../../functions/domain/batch/chunk-file.ts';
import { lockHolder } from '../../functions/domain/money/conversion.ts';
import { payoutStatuses } from '../../functions/domain/payout/payout-status.ts';
import type { Files } from '../../functions/ports/files.ts';
import type { MemoryLedger } from '../support/memory-ledger.ts';
import { currencyPlan, idr, usdt } from '../support/money.ts';
import { exampleBatch, examplePlan } from '../support/scenes/example-batch.ts';
import { tronAddress } from '../support/wallet-addresses.ts';

const day = '2026-01-04';
const hash = 'a1'.repeat(32);

/** Fields that a batch needs in a status. */
const fieldsByStatus: Partial<Record<Batch['status'], Partial<Batch>>> = {
  pending_approval: {
    approval: {
      hash,
      findings: [
        { code: 'batch_limit', message: 'More than usual.', rows: 0, against: 'a limit', mayBeReleased: true },
      ],
      why: 'findings',
      expiresAt: '2026-02-01T00:00:00.000Z',
    },
  },
  paused: { resumeTo: 'processing' },
  completed: {
    report: {
      resultsKey: 'results.csv',
      retryKey: 'reports/retry.csv',
      evidenceKey: 'evidence.json',
      reportedAt: `${day}T10:00:00.000Z`,
    },
  },
};

const planned = { input: usdt('100'), output: idr('1600000'), fee: idr('0'), rate: '16000' };

const chunkOf = (batchId: string): ChunkFile => ({
  batchId,
  chunk: 1,
  rail: 'crypto',
  currency: 'usdt-tron',
  payouts: payoutStatuses.map((status, index) => ({
    row: index + 1,
    reference: `${batchId}-${status}`,
    amount: `${index + 1}00.50`,
    recipient: { kind: 'wallet', walletAddress: tronAddress(`${index}`) },
  })),
});

/** Registers a payout of each status, and a second disbursement for the completed one's reference. */
const addPayouts = async (ledger: MemoryLedger, files: Files, batchId: string): Promise<void> => {
  const chunk = chunkOf(batchId);
  const { putChunk } = files.planFiles(batchId, '1', 'k');
  await putChunk(chunk);
  const { payouts } = await ledger.registerPayouts(chunk);
  for (const [index, payout] of payouts.entries()) {
    const status = payoutStatuses[index];
    // A crypto payout has no proof in reality. This one has, so that a request for a link to it succeeds.
    const proof =
      status === 'completed' ? { proof: await files.putProof(batchId, payout.row, Buffer.from('%PDF')) } : {};
    if (status !== undefined) ledger.putPayout({ ...payout, status, ...proof });
  }
  const completed = ledger.payouts.find((one) => one.batchId === batchId && one.status === 'completed');
  if (completed === undefined) throw new Error('no payout is completed');
  await ledger.recordContradiction(completed, {
    code: 'reference_used_twice',
    disbursementId: 'd-2',
    observed: 'pending',
  });
  await ledger.refreshChunk(batchId, 1);
};

/**
 * Adds batches of every status, such as `b-1-paused`, with payouts and conversions where the status can have them. More
 * batches await approval, because each can be approved or rejected only once.
 */
export const addBatches = async (ledger: MemoryLedger, files: Files, createdBy: string): Promise<void> => {
  for (const round of [1, 2, 3, 4, 5, 6]) {
    for (const status of round > 2 ? (['pending_approval'] as const) : batchStatuses) {
      const batchId = `b-${round}-${status}`;
      const currency = { rail: 'crypto', currency: 'usdt-tron', count: 10, amount: '5505', fee: '10' } as const;
      const plan = {
        ...examplePlan(batchId, 1, [currencyPlan({ ...currency, largestAmount: '1000.50', methods: [] })]),
        prefix: files.planFiles(batchId, '1', 'k').prefix,
        errorsFile: { key: 'errors.csv', sha256: hash },
      };
      const createdAt = `${day}T08:00:00.000Z`;
      ledger.putBatch(
        exampleBatch(batchId, {
          status,
          plan,
          createdBy,
          createdAt,
          statusSince: createdAt,
          ...fieldsByStatus[status],
        }),
      );
      if (['processing', 'paused', 'completed'].includes(status)) await addPayouts(ledger, files, batchId);
      if (status === 'processing' || status === 'awaiting_funds') {
        const claimedAt = `${day}T09:00:00.000Z`;
        ledger.putConversion({
          batchId,
          n: 1,
          status: 'unknown',
          planned,
          quoteId: 'q-1',
          inputBalanceBefore: usdt('1000'),
          outputBalanceBefore: idr('0'),
          claimId: lockHolder(batchId, 1),
          claimedAt,
        });
      }
    }
  }
};
