import { expect, it } from 'vitest';
import { payoutTransitions } from '../../../functions/domain/payout/payout-status.ts';
import type { Ledger } from '../../../functions/ports/ledger/ledger.ts';
import { claimOf, processingChunk } from '../../ledger/example.ts';
import { createMemoryLedger } from '../../support/memory-ledger.ts';
import { memoryLedgerTable } from '../../support/memory-table/ledger-table.ts';

it.each<[string, (ledger: Ledger, batchId: string) => Promise<unknown>]>([
  ['its progress', async (ledger, batchId) => (await ledger.readProgress(batchId, { consistent: true })).currencies[0]],
  ['its chunks', async (ledger, batchId) => (await ledger.listChunks(batchId))[0]],
  ['a chunk', async (ledger, batchId) => (await ledger.readChunk(batchId, 1))?.record],
])('the state of a batch is read with strong consistency: %s', async (_name, read) => {
  const ledger = createMemoryLedger(() => 0, memoryLedgerTable({ isBehind: () => true }));
  const { batchId } = await processingChunk(ledger, 1);
  await ledger.claimCall(claimOf(batchId, [1]));
  await ledger.movePayout({ batchId, chunk: 1, row: 1 }, payoutTransitions.observePending);
  await ledger.refreshChunk(batchId, 1);
  expect(await read(ledger, batchId)).toMatchObject({ tallies: { pending: { count: 1 } } });
});

it('payouts and references are read with strong consistency', async () => {
  const ledger = createMemoryLedger(() => 0, memoryLedgerTable({ isBehind: () => true }));
  const { batchId, payouts } = await processingChunk(ledger, 1);
  await ledger.claimCall(claimOf(batchId, [1]));
  expect(await ledger.getPayouts(payouts)).toMatchObject([{ status: 'submitting' }]);
  expect([...(await ledger.findReferences([`${batchId}-1`])).keys()]).toEqual([`${batchId}-1`]);
});
