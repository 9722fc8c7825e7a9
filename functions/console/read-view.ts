import type { GetBatchDependencies } from '../api/batches/get-batch.ts';
import { getBatch } from '../api/batches/get-batch.ts';
import type { GetFileLinkDependencies } from '../api/batches/get-file-link.ts';
import { getFileLink } from '../api/batches/get-file-link.ts';
import type { ListBatchesDependencies } from '../api/batches/list-batches.ts';
import { listBatches } from '../api/batches/list-batches.ts';
import type { GetFundsDependencies } from '../api/get-funds.ts';
import { getFunds } from '../api/get-funds.ts';
import type { Outcome } from '../api/http/answer.ts';
import type { Problem } from '../api/http/problem.ts';
import { describeProblem, problem } from '../api/http/problem.ts';
import type { GetPayoutDependencies } from '../api/payouts/get-payout.ts';
import { getPayout } from '../api/payouts/get-payout.ts';
import type { GetProofLinkDependencies } from '../api/payouts/get-proof-link.ts';
import { getProofLink } from '../api/payouts/get-proof-link.ts';
import type { ListPayoutsDependencies } from '../api/payouts/list-payouts.ts';
import { listPayouts } from '../api/payouts/list-payouts.ts';
import type { BatchSummary, BatchView } from '../api/schemas/batch.ts';
import { batchStatus, hasEnded } from '../api/schemas/batch.ts';
import type { BatchStatus } from '../domain/batch/batch-status.ts';
import { consoleCaller } from '../domain/batch/caller.ts';
import { inOrder } from '../domain/in-parallel.ts';
import type { PayoutStatus } from '../domain/payout/payout-status.ts';
import type { BatchLedger } from '../ports/ledger/batch-ledger.ts';
import type { ProofArchives } from '../ports/proof-archives.ts';
import type { FindRecipientDependencies } from './find-recipient.ts';
import { findInFields, findSameRecipient } from './find-recipient.ts';
import type { Drawing } from './markup/drawing.ts';
import type { Html } from './markup/html.ts';
import { notice } from './markup/widget.ts';
import type { ReadUploadsDependencies } from './read-uploads.ts';
import { readUploads } from './read-uploads.ts';
import type { ConsoleParams, WidgetContext } from './request.ts';
import { inField } from './request.ts';
import type { BatchToDraw } from './views/batch.ts';
import { drawBatch } from './views/batch.ts';
import { drawBatches, wantsLook } from './views/batches.ts';
import { drawColumns } from './views/columns.ts';
import { drawArchive, drawDownload } from './views/download.ts';
import { drawPayout, drawPayouts } from './views/payouts.ts';
import { drawProvider } from './views/provider.ts';
import { drawRecipient, drawRecipientForm, drawUnknownPayout } from './views/recipient.ts';
import { countsOf } from './views/standing.ts';
import { drawUploads } from './views/uploads.ts';
import { toneOfPayout } from './words/tones.ts';

export type ConsoleDependencies = GetBatchDependencies &
  ListBatchesDependencies &
  ListPayoutsDependencies &
  GetPayoutDependencies &
  FindRecipientDependencies &
  GetFundsDependencies &
  GetFileLinkDependencies &
  GetProofLinkDependencies &
  ReadUploadsDependencies & {
    readonly ledger: Pick<BatchLedger, 'findByFile'>;
    /** Cursors that nothing is behind: no batch comes to be in the past, so what was found once stays so. */
    readonly oldest: Set<string>;
    readonly archives: ProofArchives;
  };

/** Batches on a page, and payouts on one: a widget is looked at, not searched through. */
const batchesShown = 20;
const payoutsShown = 100;

/** Milliseconds that counts may be old in a list: of an ended batch they change with what the timeline tells of. */
const listedCountsMs = { running: 15_000, ended: 600_000 } as const;

/** Batches that are read at once. */
const atOnce = 5;

/** What is shown where something asked for is not there. */
const absent = (drawing: Drawing, found: Problem): Html => {
  const { title, detail } = describeProblem(found);
  return notice(drawing, 'plain', title, detail, drawing.opens('All batches', { view: 'batches' }));
};

/** Draws what was answered, or says why there is nothing to draw. */
const drawn = <Body>(drawing: Drawing, outcome: Outcome<Body>, draw: (body: Body) => Html): Html =>
  outcome.kind === 'answer' ? draw(outcome.body) : absent(drawing, outcome);

/** Each of these as it stands; one that is gone since it was listed is left out. */
const readEach = async (
  dependencies: ConsoleDependencies,
  summaries: readonly BatchSummary[],
): Promise<readonly BatchView[]> => {
  const views: BatchView[] = [];
  const read = async (summary: BatchSummary): Promise<BatchView | undefined> => {
    const path = { batchId: summary.batchId };
    const countsMs = hasEnded(summary) ? listedCountsMs.ended : listedCountsMs.running;
    const outcome = await getBatch(dependencies, { path, query: {} }, countsMs);
    return outcome.kind === 'answer' ? outcome.body : undefined;
  };
  for await (const view of inOrder(summaries, atOnce, read)) if (view !== undefined) views.push(view);
  return views;
};

/** Batches that payment of a preview's very file was asked for in; none of another batch. */
const askedIn = async (
  { ledger }: Pick<ConsoleDependencies, 'ledger'>,
  { mode, file }: BatchView,
): Promise<readonly string[]> => (mode === 'preview' ? ledger.findByFile(file) : []);

/** Ids of those that would want a look, were their file not asked to be paid since. */
const askedForSince = async (
  dependencies: ConsoleDependencies,
  batches: readonly BatchView[],
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  const read = async (batch: BatchView) => ({ batch, payments: await askedIn(dependencies, batch) });
  for await (const { batch, payments } of inOrder(batches.filter(wantsLook), atOnce, read))
    if (payments.length > 0) found.add(batch.batchId);
  return found;
};

/** Of what paid nobody and of what rests, the first payouts of each status: for their reasons. */
const readUnpaid = async (
  dependencies: ConsoleDependencies,
  batch: BatchView,
): Promise<Pick<BatchToDraw, 'unpaid' | 'hasMoreUnpaid'>> => {
  const isAsked = (status: PayoutStatus): boolean => ['bad', 'waits'].includes(toneOfPayout(status));
  const pages = await Promise.all(
    countsOf(batch)
      .filter(([status]) => isAsked(status))
      .map(([status]) =>
        listPayouts(dependencies, { path: { batchId: batch.batchId }, query: { status, limit: payoutsShown } }),
      ),
  );
  const found = pages.flatMap((page) => (page.kind === 'answer' ? [page.body] : []));
  return {
    unpaid: found.flatMap(({ payouts }) => payouts),
    hasMoreUnpaid: found.some(({ cursor }) => cursor !== undefined),
  };
};

/** Most cursors kept: one a day, and one for each batch that the first page ended with. */
const mostOldest = 100;

/** Whether a cursor leads to a batch. A year without any is walked through once, and not at each refresh. */
const leadsToSome = async (dependencies: ConsoleDependencies, cursor: string): Promise<boolean> => {
  const { oldest } = dependencies;
  if (oldest.has(cursor)) return false;
  for (let next: string | undefined = cursor; next !== undefined; ) {
    const page = await listBatches(dependencies, { query: { cursor: next, limit: 1 } });
    if (page.kind === 'problem' || page.body.batches.length > 0) return true;
    next = page.body.cursor;
  }
  if (oldest.size >= mostOldest) oldest.clear();
  oldest.add(cursor);
  return false;
};

const batches = async (
  dependencies: ConsoleDependencies,
  drawing: Drawing,
  { status, cursor }: { readonly status?: BatchStatus; readonly cursor?: string },
): Promise<Html> => {
  const of = { ...(status === undefined ? {} : { status }), ...(cursor === undefined ? {} : { cursor }) };
  const page = await listBatches(dependencies, { query: { ...of, limit: batchesShown } });
  if (page.kind === 'problem') return absent(drawing, page);
  const { batches: found, cursor: next } = page.body;
  // A batch comes into a status at any time: of those in one nothing stays known.
  const isMore = next !== undefined && (status !== undefined || (await leadsToSome(dependencies, next)));
  const batches = await readEach(dependencies, found);
  return drawBatches(drawing, {
    batches,
    askedFor: await askedForSince(dependencies, batches),
    ...(status === undefined ? {} : { status }),
    ...(isMore ? { cursor: next } : {}),
  });
};

const payouts = async (
  dependencies: ConsoleDependencies,
  drawing: Drawing,
  { batchId, cursor }: { readonly batchId: string; readonly cursor?: string },
  which: PayoutStatus | 'contradicted' | undefined,
): Promise<Html> => {
  const chosen =
    which === 'contradicted' ? { contradicted: 'true' as const } : which === undefined ? {} : { status: which };
  const query = { ...chosen, limit: payoutsShown, ...(cursor === undefined ? {} : { cursor }) };
  const found = await listPayouts(dependencies, { path: { batchId }, query });
  const of = which === undefined ? {} : { which };
  return drawn(drawing, found, (page) => drawPayouts(drawing, { batchId, page, ...of }));
};

const payout = async (
  dependencies: ConsoleDependencies,
  drawing: Drawing,
  reference: string | undefined,
): Promise<Html> => {
  const found =
    reference === undefined ? problem('payout_not_found') : await getPayout(dependencies, { path: { reference } });
  if (found.kind === 'problem') return drawUnknownPayout(drawing, found);
  const batch = await dependencies.ledger.getBatch(found.body.batchId);
  return drawPayout(drawing, found.body, batch?.plan);
};

/** Reads what a view is about, as the operator API answers it, and draws it. */
export const readView = async (
  dependencies: ConsoleDependencies,
  drawing: Drawing,
  context: WidgetContext,
  params: ConsoleParams,
): Promise<Html> => {
  switch (params.view) {
    case 'batches': {
      // A field says what is looked for next; a page that follows is of what was looked for before.
      const field = params.cursor === undefined ? batchStatus.safeParse(inField(context, 'status')).data : undefined;
      const status = params.status ?? field;
      return batches(dependencies, drawing, { ...params, ...(status === undefined ? {} : { status }) });
    }
    case 'batch': {
      const { batchId, cursor, aside = false } = params;
      const query = cursor === undefined ? {} : { cursor };
      const found = await getBatch(dependencies, { path: { batchId }, query });
      if (found.kind === 'problem') return absent(drawing, found);
      const batch = found.body;
      const unpaid = await readUnpaid(dependencies, batch);
      return drawBatch(drawing, { batch, ...unpaid, askedIn: await askedIn(dependencies, batch), isAside: aside });
    }
    case 'payouts':
      return payouts(dependencies, drawing, params, params.status);
    case 'contradicted':
      return payouts(dependencies, drawing, params, 'contradicted');
    case 'payout':
      return payout(dependencies, drawing, params.reference ?? inField(context, 'reference'));
    case 'recipient': {
      const { sameAs, cursor } = params;
      const found = await (sameAs === undefined
        ? findInFields(dependencies, context)
        : findSameRecipient(dependencies, sameAs, cursor));
      return found === undefined
        ? drawRecipientForm(drawing)
        : drawn(drawing, found, (page) => drawRecipient(drawing, page));
    }
    case 'file': {
      const { batchId, name } = params;
      const found = await getFileLink(dependencies, { path: { batchId, name } });
      return drawn(drawing, found, (link) => drawDownload(drawing, { name, ...link }));
    }
    case 'proof':
      return drawn(drawing, await getProofLink(dependencies, { path: { reference: params.reference } }), (link) =>
        drawDownload(drawing, { name: `proof of ${params.reference}`, ...link }),
      );
    case 'proofs': {
      const { view: _, ...part } = params;
      const made = await dependencies.archives.make(part, consoleCaller);
      if (made.kind === 'refused') return notice(drawing, 'bad', made.title, made.detail);
      return drawArchive(drawing, part.batchId, made);
    }
    case 'uploads':
      return drawUploads(drawing, await readUploads(dependencies, context));
    case 'columns':
      return drawColumns(drawing);
    case 'provider':
      return drawn(drawing, await getFunds(dependencies), (funds) => drawProvider(drawing, funds));
  }
};
