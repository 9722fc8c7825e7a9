import { Refused } from '../../domain/refused.ts';
import { RefusedWith } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { attachment } from '../../http/success.ts';
import { drawTransferProof } from '../../proof/transfer-proof.ts';
import { findOnRail } from '../../store/disbursements/find-disbursement.ts';

/** GET /v1/disbursement/fiat/:disbursementId/report: the transfer proof of a completed fiat disbursement. */
export const downloadTransferProof = plainEndpoint({
  route: 'GET /v1/disbursement/fiat/:disbursementId/report',
  access: 'signed',
  summary: 'Download the transfer proof of a completed fiat disbursement',
  answers: attachment('application/pdf'),
  refuses: [404],
  work: async (context, { account, params }) => {
    const id = params.get('disbursementId') ?? '';
    const found = await findOnRail(context, 'fiat', id);
    // The public document takes only an id here, not a reference.
    if (found === undefined || found.disbursementId !== id) return new RefusedWith(404, 'Disbursement not found');
    if (found.status !== 'completed') return new Refused('Disbursement is not completed');
    return { fileName: `transfer-proof-${id}.pdf`, bytes: await drawTransferProof(account, found) };
  },
});
