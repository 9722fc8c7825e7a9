import { approveBatch } from '../../../functions/api/batches/approve-batch.ts';
import { rejectBatch } from '../../../functions/api/batches/reject-batch.ts';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import { fakeWorkflow } from './fake-workflow.ts';
import { batchOf, createFundingScene } from './funding-scene.ts';

export const starter = 'arn:aws:sts::123456789012:assumed-role/Payroll/morning';
export const treasurer = 'arn:aws:iam::123456789012:user/treasurer';
/** The batch that createGate adds. */
export const batchId = 'b-1';

export type FundingScene = ReturnType<typeof createFundingScene>;

/** A batch of 1,000 baht that needs approval, and the endpoints for it. */
export const createGate = (
  balances: Record<string, string> = { THB: '1010' },
  settings: Parameters<typeof createFundingScene>[1] = { approvalAbove: { THB: '500' } },
  changes: Partial<Batch> = {},
) => {
  const scene = createFundingScene(balances, settings);
  scene.add(batchOf(batchId, '1000', { createdBy: starter, ...changes }));
  const dependencies = {
    ledger: scene.ledger,
    workflow: fakeWorkflow(),
    settings: orchestratorSettings().parse({ conversionSources: ['usdt-tron'], ...settings }),
    clock: scene.clock,
  };
  const standing = (): Batch => {
    const batch = scene.ledger.batches.get(batchId);
    if (batch === undefined) throw new Error('no batch');
    return batch;
  };
  const hash = (): string => standing().approval?.hash ?? '';
  return {
    ...scene,
    standing,
    hash,
    approve: (caller = treasurer, of = hash()) =>
      approveBatch(dependencies, { path: { batchId }, caller, body: { hash: of, reason: 'Looked at it.' } }),
    reject: (caller = treasurer) =>
      rejectBatch(dependencies, { path: { batchId }, caller, body: { reason: 'Not ours.' } }),
    timeline: async () => (await scene.ledger.listTimeline(batchId, { limit: 100, consistent: true })).items,
  };
};

/** Reserved amounts of a currency. */
export const held = async (scene: FundingScene, currency = 'THB') =>
  (await scene.reserved(currency))?.map(({ amount }) => amount) ?? [];
