import { given } from '../../domain/given.ts';
import { missingProofReason } from '../../domain/payout/proofs.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, files, ledger, log, settings } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import type { LinkForDependencies } from '../link-for.ts';
import { linkFor } from '../link-for.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import * as operations from '../schemas/operations/payout-operations.ts';
import { findPayout } from './find-payout.ts';

export type GetProofLinkDependencies = LinkForDependencies & Needs<{ ledger: 'getPayoutByReference' | 'getBatch' }>;

/** A presigned link to the proof of one bank transfer, valid for `fileLinkSeconds`. */
export const getProofLink = async (
  dependencies: GetProofLinkDependencies,
  { path: { reference } }: Pick<RequestOf<typeof operations.getProofLink>, 'path'>,
): Promise<OutcomeOf<typeof operations.getProofLink>> => {
  const { ledger } = dependencies;
  const payout = await findPayout(ledger, reference);
  if (payout === undefined) return problem('payout_not_found');
  const { batchId, status: payoutStatus, row, proof } = payout;
  if (proof === undefined) {
    const detail = missingProofReason(payout, (await ledger.getBatch(batchId))?.plan);
    return problem('proof_not_ready', { batchId, payoutStatus, ...given({ detail }) });
  }
  const name = `${row}-${payout.reference.replaceAll(/[^A-Za-z0-9._-]/g, '_')}.pdf`;
  const link = await linkFor(dependencies, proof.key, name);
  return answer(200, { ...link, sha256: proof.sha256, bytes: proof.bytes });
};

export const handler = endpoint(log, operations.getProofLink, bind(getProofLink, { ledger, files, settings }));
