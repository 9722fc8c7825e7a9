import type { Batch } from '../../../functions/domain/batch/batch.ts';
import type { ChunkFile, PlannedPayout } from '../../../functions/domain/batch/chunk-file.ts';
import { fromMinorUnits, toMinorUnits } from '../../../functions/domain/money/decimal.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { currencyPlan } from '../../support/money.ts';
import { exampleBatch, examplePlan } from '../../support/scenes/example-batch.ts';
import { tronAddress } from '../../support/wallet-addresses.ts';
import { feeOfEach } from './scaling-service.ts';

/** A batch after PlanBatch and PlanFunding, with the chunk files of its plan. */
export interface PlannedBatch {
  readonly batch: Batch;
  readonly chunks: readonly ChunkFile[];
}

const { payoutsPerCall } = documentedTraits();
export const banks = ['002', '008', '009', '014', '022', '200', '213', '451'] as const;

/** Most decimals of an amount. */
const decimals = 1;

/** Every fifth row is a wallet transfer, the others are bank transfers. */
const isCrypto = (row: number): boolean => row % 5 === 0;

const payoutOf = (batchId: string, row: number): PlannedPayout => {
  const common = { row, reference: `${batchId}-${row.toString().padStart(7, '0')}` };
  if (isCrypto(row)) {
    const walletAddress = tronAddress(common.reference);
    return { ...common, amount: `${10 + (row % 400)}.5`, recipient: { kind: 'wallet', walletAddress } };
  }
  return {
    ...common,
    amount: `${1_000_000 + row}`,
    name: `Employee ${row}`,
    recipient: {
      kind: 'bank',
      bankCode: banks[row % banks.length] ?? banks[0],
      bankName: 'A bank',
      accountNumber: row.toString().padStart(12, '0'),
      accountName: `Employee ${row}`,
    },
  };
};

/** Chunks in the order in which planning fills them: the next rows of one currency, as many as a call carries. */
const chunksOf = (batchId: string, rows: number): readonly ChunkFile[] => {
  const chunks: ChunkFile[] = [];
  const open = { fiat: [], crypto: [] } as { readonly fiat: PlannedPayout[]; readonly crypto: PlannedPayout[] };
  const close = (rail: 'fiat' | 'crypto'): void => {
    const payouts = open[rail].splice(0);
    if (payouts.length === 0) return;
    const currency = rail === 'fiat' ? 'IDR' : 'usdt-tron';
    chunks.push({ batchId, chunk: chunks.length + 1, rail, currency, payouts });
  };
  for (let row = 1; row <= rows; row += 1) {
    const rail = isCrypto(row) ? 'crypto' : 'fiat';
    open[rail].push(payoutOf(batchId, row));
    if (open[rail].length === payoutsPerCall) close(rail);
  }
  close('fiat');
  close('crypto');
  return chunks;
};

export const planBatch = (batchId: string, rows: number, nowMs: number): PlannedBatch => {
  const chunks = chunksOf(batchId, rows);
  const now = new Date(nowMs).toISOString();
  const planned = (rail: 'fiat' | 'crypto', currency: string) => {
    const payouts = chunks.flatMap((chunk) => (chunk.rail === rail ? chunk.payouts : []));
    return currencyPlan({
      rail,
      currency,
      count: payouts.length,
      amount: fromMinorUnits(
        payouts.reduce((sum, { amount }) => sum + toMinorUnits(amount, decimals), 0n),
        decimals,
      ),
      fee: String(payouts.length * feeOfEach),
      largestAmount: '2000000',
      methods: [],
    });
  };
  const plan = examplePlan(batchId, chunks.length, [planned('fiat', 'IDR'), planned('crypto', 'usdt-tron')]);
  return { batch: exampleBatch(batchId, { createdAt: now, statusSince: now, plan }), chunks };
};
