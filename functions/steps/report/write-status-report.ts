import { Readable } from 'node:stream';
import type { Initiation, PlanSummary } from '../../domain/batch/plan.ts';
import { readInstructions } from '../../domain/pain-002/instruction-lines.ts';
import { RowStatuses } from '../../domain/pain-002/row-statuses.ts';
import type { StatusReport } from '../../domain/pain-002/write-pain-002.ts';
import { writePain002 } from '../../domain/pain-002/write-pain-002.ts';
import type { Reason } from '../../domain/payout/payout.ts';
import { isoNow } from '../../ports/environment.ts';
import type { Needs } from '../../ports/needs.ts';

/** Streams the pain.002 that answers a pain.001: of a batch, or of a refused file. `runId` makes the message id unique per run. */
export const statusReport = (
  { files, clock }: Needs<{ files: 'readList' }, 'clock'>,
  runId: string,
  initiation: Initiation,
  rest: Pick<StatusReport, 'statuses' | 'refusal'>,
): Readable => {
  const { instructions } = initiation;
  async function* read() {
    if (instructions !== undefined) yield* readInstructions(files.readList(instructions));
  }
  const messageId = `PSR-${runId}`;
  return Readable.from(writePain002({ initiation, messageId, createdAt: isoNow(clock), instructions: read, ...rest }));
};

/**
 * Writes the pain.002 of a refused pain.001, naming the transactions of the plan's first errors. Returns the plan with the
 * report's key.
 */
export const writeRefusal = async (
  dependencies: Needs<{ files: 'readList' | 'putRefusal'; ids: 'sortable' }, 'clock'>,
  plan: PlanSummary,
  refusal: Reason,
): Promise<PlanSummary> => {
  const { initiation, errors } = plan;
  if (initiation === undefined) return plan;
  const statuses = new RowStatuses(Math.max(0, ...errors.map(({ row }) => row)));
  for (const { row, code, message } of errors.toReversed())
    if (row > 0) statuses.set(row, { status: 'RJCT', reason: { code, message } });
  const runId = dependencies.ids.sortable().toLowerCase();
  const xml = statusReport(dependencies, runId, initiation, { statuses, refusal });
  return { ...plan, initiation: { ...initiation, statusReportKey: await dependencies.files.putRefusal(plan, xml) } };
};
