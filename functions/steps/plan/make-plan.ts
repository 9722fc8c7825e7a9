import type { Batch } from '../../domain/batch/batch.ts';
import { debtsKeptUntil, payableUntil } from '../../domain/batch/payable-until.ts';
import type { PlanSummary } from '../../domain/batch/plan.ts';
import { dayIn } from '../../domain/batch/release.ts';
import { errorColumns, errorLine } from '../../domain/batch/skipped-rows.ts';
import { msUntilStart } from '../../domain/batch/start-time.ts';
import { given } from '../../domain/given.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import { FileDebts, placeOf } from '../../domain/payout/debts.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { lacksAllProofs } from '../../domain/payout/proofs.ts';
import { planPayoutFile } from '../../domain/payout-file/plan-payout-file.ts';
import type { Relatives } from '../../domain/report/corrections.ts';
import { otherCorrections } from '../../domain/report/corrections.ts';
import { csvSink } from '../../domain/report/csv-report.ts';
import { readOriginals } from '../../payouts/check-retry.ts';
import type { Needs } from '../../ports/needs.ts';
import type { FindElsewhereDependencies, RetriedPayouts } from './find-debts-elsewhere.ts';
import { findDebtsElsewhere } from './find-debts-elsewhere.ts';
import { noteInstructions } from './note-instructions.ts';
import { writeRepeatedDebts } from './write-repeated-debts.ts';
import { writeToCorrect } from './write-to-correct.ts';

export type MakePlanDependencies = FindElsewhereDependencies &
  Needs<
    {
      ledger: 'findReferences' | 'getPayoutByReference' | 'recordDebts' | 'noteSharedDebts';
      files: 'openUpload' | 'readList' | 'planFiles';
      provider: 'account' | 'listPaymentMethods' | 'traits';
    },
    'settings' | 'ids' | 'clock'
  >;

/** Concurrent reads of originals within one lookup's rows. Ten lookups run concurrently. */
const concurrentReads = 8;

/** Maximum batches that learn about their retries, in the transaction that records the plan. */
const maxRetried = 20;

/**
 * Reads and checks a batch's payout file, and writes everything that its plan consists of. Every run writes files of its own.
 *
 * @returns the plan to record; without manifestKey when the file is refused
 */
export const makePlan = async (
  dependencies: MakePlanDependencies,
  batch: Batch,
  relatives: Relatives,
): Promise<PlanSummary> => {
  const checked = await checkFile(dependencies, batch);
  const { plan, planFiles, isRefused } = checked;
  if (isRefused) return plan;
  const related = [...relatives.corrected, ...relatives.corrections];
  const compared = await compareDebts(dependencies, batch, checked, related);
  // The first round submits these chunks. Follow adds the others once the canary has passed.
  const manifestKey = await planFiles.putManifest(plan.canaryChunks ?? plan.chunks);
  const alsoCorrectedBy = otherCorrections(relatives);
  return { ...plan, manifestKey, ...compared, ...(alsoCorrectedBy.length === 0 ? {} : { alsoCorrectedBy }) };
};

type Checked = Awaited<ReturnType<typeof checkFile>>;

/**
 * Reads the file in one pass: writes its chunks, its errors and the rows to correct, and collects its debts and retries. Returns
 * the plan as far as it needs no other batch.
 */
const checkFile = async ({ ledger, files, provider, settings, ids, clock }: MakePlanDependencies, batch: Batch) => {
  const { batchId, file, invalidRows, canary } = batch;
  const methods = [...(await provider.listPaymentMethods('fiat')), ...(await provider.listPaymentMethods('crypto'))];
  const sealKey = ids.unique();
  const runId = ids.sortable().toLowerCase();
  const planFiles = files.planFiles(batchId, runId, sealKey);
  await planFiles.putMethods(methods);
  const errors = csvSink(errorColumns, (csv) => planFiles.putList('errors.csv', csv));
  const instructions = noteInstructions(planFiles);
  const debts = new FileDebts(settings.maxRows);
  const retried = new Map<string, Map<number, number>>();
  const lacking = lacksAllProofs(provider.traits) ? { hasNoProofs: true as const } : {};
  const { kind, isCorrectable, ...summary } = await planPayoutFile(
    {
      // May miss a reference taken a moment ago: registering refuses a taken reference in any case.
      findReferences: (references) => ledger.findReferences(references, { mayBeOld: true }),
      getPayouts: ledger.getPayouts,
      findRefusedRetries: async (retries) => {
        const refused = new Map<number, string>();
        await inParallel(retries, concurrentReads, async ({ row, reference }) => {
          const read = await readOriginals(ledger, { batchId, reference });
          if (read.kind === 'refused') refused.set(row, read.message);
          else for (const original of read.originals) noteRetried(retried, original, row);
        });
        return refused;
      },
      putChunk: (chunk) => {
        debts.add(chunk);
        return planFiles.putChunk({ ...chunk, ...lacking });
      },
      writeError: (error, shown) => errors.write(errorLine(error, shown)),
      seeInstructions: instructions.see,
    },
    {
      batchId,
      paidOn: dayIn(settings.limitTimezone, clock() + msUntilStart(batch, clock())),
      source: await files.openUpload(file),
      invalidRows,
      ...given({ canary }),
      methods,
      payoutsPerCall: provider.traits.payoutsPerCall,
      settings,
    },
  );
  const isRefused = kind === 'refused';
  const errorsFile = await errors.finish();
  const initiation = await instructions.finish();
  // A truncated file cannot be corrected from here: only its author has the missing rows.
  const toCorrectKey =
    errorsFile === undefined || !isCorrectable
      ? undefined
      : await writeToCorrect({ files, planFiles, settings }, file, errorsFile, isRefused);
  const plan: PlanSummary = {
    ...summary,
    ...lacking,
    account: provider.account,
    prefix: planFiles.prefix,
    sealKey,
    ...given({ errorsFile, toCorrectKey, initiation }),
    ...countRetries(retried),
  };
  return { plan, isRefused, runId, planFiles, debts, retried };
};

/**
 * Compares the debts of a planned file with each other and with those of other batches, and writes repeated-debts.csv. A batch
 * that pays records its debts before it reads those of others. So of two that are planned concurrently, at least one finds the
 * other. A preview records nothing.
 *
 * @param relatives batches whose rows a correction may contain by mistake: see readRelatives
 */
const compareDebts = async (
  { ledger, files, settings, clock }: MakePlanDependencies,
  batch: Batch,
  { runId, planFiles, debts: gathered, retried }: Checked,
  relatives: readonly Batch[],
): Promise<Pick<PlanSummary, 'payableUntil' | 'repeatedDebts' | 'unpaidElsewhere'>> => {
  const { batchId, mode } = batch;
  const isSearched = settings.duplicateWindowDays > 0;
  if (!isSearched && relatives.length === 0) return {};
  const debts = gathered.sorted();
  const until = isSearched && mode === 'disburse' ? payableUntil(batch, clock(), settings) : undefined;
  if (until !== undefined) await ledger.recordDebts(batchId, runId, debts.toStore(), debtsKeptUntil(until, settings));
  const elsewhere = await findDebtsElsewhere({ ledger, files, settings }, batchId, debts, relatives, retried);
  if (mode === 'disburse') await ledger.noteSharedDebts(batchId, elsewhere.sharers);
  const inFile = isSearched ? debts.repeats : new Map<number, number>();
  const found = { batchId, inFile, elsewhere: elsewhere.found, relatives };
  const repeatedDebts = await writeRepeatedDebts({ ledger, planFiles }, found);
  const { unpaid } = elsewhere;
  return given({ payableUntil: until, repeatedDebts, unpaidElsewhere: unpaid.length === 0 ? undefined : unpaid });
};

const noteRetried = (
  retried: Map<string, Map<number, number>>,
  { batchId, chunk, row }: Payout,
  retryRow: number,
): void => {
  const rows = retried.get(batchId) ?? new Map();
  retried.set(batchId, rows.set(placeOf(chunk, row), retryRow));
};

const countRetries = (retried: RetriedPayouts): Pick<PlanSummary, 'retries'> => {
  if (retried.size === 0) return {};
  const counts = [...retried].map(([batchId, rows]) => ({ batchId, payouts: rows.size }));
  return { retries: counts.toSorted((one, other) => (one.batchId < other.batchId ? -1 : 1)).slice(0, maxRetried) };
};
