import { given } from '../../domain/given.ts';
import { missingProofReason } from '../../domain/payout/proofs.ts';
import type { Needs } from '../../ports/needs.ts';
import { clock, files, ledger, log, settings } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import type { Outcome } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import type { ProofLink } from '../schemas/file-links.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import * as operations from '../schemas/operations/payout-operations.ts';
import { findPayout } from './find-payout.ts';

export type GetProofLinkDependencies = Needs<
  { ledger: 'getPayoutByReference' | 'getBatch'; files: 'linkTo'; settings: 'fileLinkSeconds' },
  'clock'
>;

/** A presigned link to the proof of one bank transfer, valid for `fileLinkSeconds`. */
export const getProofLink = async (
  { ledger, files, settings, clock }: GetProofLinkDependencies,
  { path: { reference } }: Pick<RequestOf<typeof operations.getProofLink>, 'path'>,
): Promise<Outcome<ProofLink>> => {
  const payout = await findPayout(ledger, reference);
  if (payout === undefined) return problem('payout_not_found');
  const { batchId, status: payoutStatus, row, proof } = payout;
  if (proof === undefined) {
    const detail = missingProofReason(payout, (await ledger.getBatch(batchId))?.plan);
    return problem('proof_not_ready', { batchId, payoutStatus, ...given({ detail }) });
  }
  // Computed before the link is signed, so the link is valid at least this long.
  const expiresAt = new Date(clock() + settings.fileLinkSeconds * 1000).toISOString();
  const name = `${row}-${payout.reference.replaceAll(/[^A-Za-z0-9._-]/g, '_')}.pdf`;
  const url = await files.linkTo(proof.key, settings.fileLinkSeconds, name);
  return answer(200, { url, expiresAt, sha256: proof.sha256, bytes: proof.bytes });
};

export const handler = endpoint(log, operations.getProofLink, (request) =>
  getProofLink({ ledger: ledger(), files: files(), settings: settings(), clock }, request),
);
