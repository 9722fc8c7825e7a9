import { Readable } from 'node:stream';
import { unlessAlteredOrGone } from '../../domain/errors.ts';
import { given } from '../../domain/given.ts';
import { inOrder } from '../../domain/in-parallel.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { ProvenPayout } from '../../domain/report/proof-archive.ts';
import { proofArchive } from '../../domain/report/proof-archive.ts';
import { isoNow } from '../../ports/environment.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, files, ledger, log, settings } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import type { LinkForDependencies } from '../link-for.ts';
import { linkFor } from '../link-for.ts';
import * as operations from '../schemas/operations/batch-operations.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';

/** The caller waits while a part is made. 250 reads of some 50 ms, eight concurrently, take two of the gateway's 29 seconds. */
const mostProofs = 250;
/** 100 MiB are downloaded and uploaded in some five seconds. */
const mostBytes = 104_857_600;
const readAtOnce = 8;

/** How many of the first payouts fit the size limit together; at least one. */
const howManyFit = (payouts: readonly Payout[]): number => {
  let bytes = 0;
  const first = payouts.findIndex(({ proof }) => {
    bytes += proof?.bytes ?? 0;
    return bytes > mostBytes;
  });
  return first < 0 ? payouts.length : Math.max(1, first);
};

/**
 * Makes a ZIP of the transfer proofs that a batch has now, in parts. Each part is made on request, so it is never outdated. It is
 * deleted a day later; the proofs already hold its personal data.
 */
export const zipProofs = async (
  dependencies: LinkForDependencies &
    Needs<{ ledger: 'getBatch' | 'listPayouts'; files: 'getProof' | 'putProofArchive'; ids: 'sortable' }>,
  { path: { batchId }, body: { cursor } }: Pick<RequestOf<typeof operations.zipProofs>, 'path' | 'body'>,
): Promise<OutcomeOf<typeof operations.zipProofs>> => {
  const { ledger, files, clock, ids } = dependencies;
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) return problem('batch_not_found');
  const asOf = isoNow(clock);
  const list = (limit: number) => ledger.listPayouts({ batchId, ...given({ cursor }), proven: true, limit });
  const most = await list(mostProofs);
  const fitting = howManyFit(most.items);
  const part = fitting === most.items.length ? most : await list(fitting);
  const [first, last] = [part.items.at(0), part.items.at(-1)];
  if (first === undefined || last === undefined)
    return problem('file_not_ready', {
      detail: 'The batch has no archived proofs, or none after this cursor.',
      batchStatus: batch.status,
    });
  let altered = 0;
  const withPdf = async (payout: Payout): Promise<ProvenPayout> => {
    const pdf = payout.proof && (await files.getProof(payout.proof).catch(unlessAlteredOrGone));
    if (pdf === undefined) altered++;
    return { payout, pdf };
  };
  const zip = proofArchive(inOrder(part.items, readAtOnce, withPdf), new Date(clock()));
  const content = Readable.from(zip, { objectMode: false });
  const key = await files.putProofArchive(batchId, ids.sortable().toLowerCase(), content);
  const isWhole = cursor === undefined && part.cursor === undefined;
  const name = isWhole ? `proofs-${batchId}.zip` : `proofs-${batchId}-from-row-${first.row}.zip`;
  return answer(200, {
    ...(await linkFor(dependencies, key, name)),
    name,
    asOf,
    proofs: part.items.length - altered,
    ...given({ altered: altered || undefined, cursor: part.cursor }),
  });
};

export const handler = endpoint(log, operations.zipProofs, bind(zipProofs, { ledger, files, settings }));
