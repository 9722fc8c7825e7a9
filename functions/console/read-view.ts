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
import { getPayout } from '../api/payouts/get-payout.ts';
import type { GetProofLinkDependencies } from '../api/payouts/get-proof-link.ts';
import { getProofLink } from '../api/payouts/get-proof-link.ts';
import type { ListPayoutsDependencies } from '../api/payouts/list-payouts.ts';
import { listPayouts } from '../api/payouts/list-payouts.ts';
import type { BatchSummary, BatchView } from '../api/schemas/batch.ts';
import { batchStatus, hasEnded } from '../api/schemas/batch.ts';
import type { BatchStatus } from '../domain/batch/batch-status.ts';
import { consoleCaller } from '../domain/batch/caller.ts';
import { given } from '../domain/given.ts';
import { inOrder } from '../domain/in-parallel.ts';
import type { PayoutStatus } from '../domain/payout/payout-status.ts';
import { payoutStatusesThat } from '../domain/payout/payout-status.ts';
import type { ZipProofs } from '../ports/operator-functions.ts';
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
import { countIn, countsOf } from './views/counts-and-money.ts';
import { drawArchive, drawDownload } from './views/download.ts';
import { drawPayout, drawPayouts } from './views/payouts.ts';
import { drawProvider } from './views/provider.ts';
import { drawRecipient, drawRecipientForm, drawUnknownPayout } from './views/recipient.ts';
import { drawUploads } from './views/uploads.ts';
import { toneOfPayout } from './words/tones.ts';

export type ConsoleDependencies = GetBatchDependencies &
  ListBatchesDependencies &
  ListPayoutsDependencies &
  FindRecipientDependencies &
  GetFundsDependencies &
  GetFileLinkDependencies &
  GetProofLinkDependencies &
  ReadUploadsDependencies & {
    /** Cursors with nothing behind them. They stay valid, because no batch is ever added in the past. */
    readonly oldest: Set<string>;
    readonly zipProofs: ZipProofs;
  };

/** Batches and payouts on a page. A widget is for a look, not for a search. */
const batchesShown = 20;
const payoutsShown = 100;

/** Milliseconds that counts in a list may be old. Counts of what has ended change only with the events of the timeline. */
const listedCountsMs = { running: 15_000, ended: 600_000 } as const;

/** Concurrent reads of batches. */
const atOnce = 5;

/** Shown when the requested item does not exist. */
const absent = (drawing: Drawing, found: Problem): Html => {
  const { title, detail } = describeProblem(found);
  return notice(drawing, 'plain', title, detail, drawing.opens('All batches', { view: 'batches' }));
};

/** Draws the answer, or says why there is nothing to draw. */
const drawn = <Body>(drawing: Drawing, outcome: Outcome<Body>, draw: (body: Body) => Html): Html =>
  outcome.kind === 'answer' ? draw(outcome.body) : absent(drawing, outcome);

/** The current state of each batch. Leaves out batches deleted since they were listed. */
const readEach = async (
  dependencies: ConsoleDependencies,
  summaries: readonly BatchSummary[],
): Promise<readonly BatchView[]> => {
  const readAt = async ({ batchId }: BatchSummary, countsMs: number): Promise<BatchView | undefined> => {
    const outcome = await getBatch(dependencies, { path: { batchId }, query: {} }, countsMs);
    return outcome.kind === 'answer' ? outcome.body : undefined;
  };
  const read = async (summary: BatchSummary): Promise<BatchView | undefined> => {
    const ended = hasEnded(summary) ? await readAt(summary, listedCountsMs.ended) : undefined;
    // A webhook or another execution may still move an open payout, and the timeline has no line for that.
    const isMoving = ended === undefined || countIn(ended, payoutStatusesThat('isOpen')) > 0;
    return isMoving ? readAt(summary, listedCountsMs.running) : ended;
  };
  const views = await Array.fromAsync(inOrder(summaries, atOnce, read));
  return views.filter((view) => view !== undefined);
};

/** Batches that request payment of a preview's exact file version. Empty for any other batch. */
const askedIn = async (
  { ledger }: Pick<ConsoleDependencies, 'ledger'>,
  { mode, file }: BatchView,
): Promise<readonly string[]> => (mode === 'preview' ? ledger.findByFile(file) : []);

/** Ids of previews that would need a look, except that payment of their file was requested since. */
const askedForSince = async (
  dependencies: ConsoleDependencies,
  batches: readonly BatchView[],
): Promise<ReadonlySet<string>> => {
  const read = async (batch: BatchView) => ((await askedIn(dependencies, batch)).length > 0 ? [batch.batchId] : []);
  const found = await Array.fromAsync(inOrder(batches.filter(wantsLook), atOnce, read));
  return new Set(found.flat());
};

/** The first failed and waiting payouts of each status, to show their reasons. */
const readUnpaid = async (
  dependencies: ConsoleDependencies,
  batch: BatchView,
): Promise<Pick<BatchToDraw, 'unpaid' | 'hasMoreUnpaid'>> => {
  const isAsked = (status: PayoutStatus): boolean => ['bad', 'waits'].includes(toneOfPayout(status));
  const path = { batchId: batch.batchId };
  const pages = await Promise.all(
    countsOf(batch)
      .filter(([status]) => isAsked(status))
      .map(([status]) => listPayouts(dependencies, { path, query: { status, limit: payoutsShown } })),
  );
  const found = pages.flatMap((page) => (page.kind === 'answer' ? [page.body] : []));
  return {
    unpaid: found.flatMap(({ payouts }) => payouts),
    hasMoreUnpaid: found.some(({ cursor }) => cursor !== undefined),
  };
};

/** How many cursors are kept. A new one appears each day, and whenever another batch becomes the last on the first page. */
const mostOldest = 100;

/** True when there are batches behind a cursor. An empty year is scanned once, not at each refresh. */
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
  const page = await listBatches(dependencies, { query: { ...given({ status, cursor }), limit: batchesShown } });
  if (page.kind === 'problem') return absent(drawing, page);
  const { batches: found, cursor: next } = page.body;
  // Batches enter a status at any time, so with a filter an empty end cannot be remembered.
  const isMore = next !== undefined && (status !== undefined || (await leadsToSome(dependencies, next)));
  const batches = await readEach(dependencies, found);
  return drawBatches(drawing, {
    batches,
    askedFor: await askedForSince(dependencies, batches),
    ...given({ status, cursor: isMore ? next : undefined }),
  });
};

/** Reads a view's data with the operator API's functions, and draws it. */
export const readView = async (
  dependencies: ConsoleDependencies,
  drawing: Drawing,
  context: WidgetContext,
  params: ConsoleParams,
): Promise<Html> => {
  switch (params.view) {
    case 'batches': {
      // The form's field starts a new search. A following page keeps the status of its own search.
      const field = params.cursor === undefined ? batchStatus.safeParse(inField(context, 'status')).data : undefined;
      const status = params.status ?? field;
      return batches(dependencies, drawing, { ...params, ...given({ status }) });
    }
    case 'batch': {
      const { batchId, cursor, aside = false } = params;
      const found = await getBatch(dependencies, { path: { batchId }, query: given({ cursor }) });
      if (found.kind === 'problem') return absent(drawing, found);
      const batch = found.body;
      const unpaid = await readUnpaid(dependencies, batch);
      return drawBatch(drawing, { batch, ...unpaid, askedIn: await askedIn(dependencies, batch), isAside: aside });
    }
    case 'payouts':
    case 'contradicted': {
      const { view, batchId, ...rest } = params;
      const chosen = view === 'contradicted' ? { ...rest, contradicted: 'true' as const } : rest;
      const found = await listPayouts(dependencies, { path: { batchId }, query: { ...chosen, limit: payoutsShown } });
      return drawn(drawing, found, (page) => drawPayouts(drawing, params, page));
    }
    case 'payout': {
      const reference = params.reference ?? inField(context, 'reference');
      if (reference === undefined) return drawUnknownPayout(drawing, problem('payout_not_found'));
      const found = await getPayout(dependencies, { path: { reference } });
      if (found.kind === 'problem') return drawUnknownPayout(drawing, found);
      const batch = await dependencies.ledger.getBatch(found.body.batchId);
      return drawPayout(drawing, found.body, batch?.plan);
    }
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
      const made = await dependencies.zipProofs(part, consoleCaller);
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
