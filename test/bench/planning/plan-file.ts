import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { planBatch } from '../../../functions/steps/plan-batch.ts';
import { silentLog } from '../../support/silent-log.ts';
import { filesInFolder } from './files-in-folder.ts';
import { oneBatchLedger } from './one-batch-ledger.ts';
import { generatedMethods, repeatedRow } from './payout-rows.ts';
import { reportSelf } from './report-self.ts';

const batchId = '01JZ0000000000000000000000';

/**
 * The real step PlanBatch with default settings. Chunks, manifest and methods are written to a folder beside the file, and
 * references are kept in memory. Runs as a process of its own.
 */
await reportSelf(async (file) => {
  const folder = await mkdtemp(path.join(path.dirname(file), 'planned-'));
  const files = await filesInFolder(folder);
  try {
    const ledger = oneBatchLedger(batchId, file);
    const { next } = await planBatch(
      {
        ledger,
        files,
        provider: {
          account: 'bench',
          traits: documentedTraits(),
          listPaymentMethods: async (rail) => generatedMethods.filter((method) => method.rail === rail),
        },
        settings: orchestratorSettings().parse({}),
        clock: Date.now,
        ids: { sortable: () => '01JZ0000000000000000000001', unique: () => 'one-run' },
        log: silentLog,
      },
      { batchId },
    );
    const { status, plan } = (await ledger.getBatch(batchId)) ?? {};
    if (next !== 'estimate' || status !== batchTransitions.startValidating.to || plan?.manifestKey === undefined) {
      throw new Error(`The generated file was not planned: ${JSON.stringify(plan?.errors.slice(0, 3))}`);
    }
    const [repeated, ...more] = plan.repeatedDebts?.first ?? [];
    if (repeated?.row !== plan.rows || repeated.earlierRow !== repeatedRow || more.length > 0)
      throw new Error(`The repeated debts differ from the expected one: ${JSON.stringify(plan.repeatedDebts)}`);
    return plan.validRows;
  } finally {
    await files.close();
    await rm(folder, { recursive: true });
  }
});
