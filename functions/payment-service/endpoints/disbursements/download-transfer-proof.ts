import { attachment } from '../../http/answer-schemas.ts';
import { badRequest, failure, file } from '../../http/answers.ts';
import { plainEndpoint } from '../../http/endpoint.ts';
import { drawTransferProof } from '../../proof/transfer-proof.ts';
import { findOnRail } from '../../store/disbursements/find-disbursement.ts';

/** GET /v1/disbursement/fiat/:disbursementId/report: the transfer proof of a completed fiat disbursement. */
export const downloadTransferProof = plainEndpoint(
  {
    method: 'GET',
    path: '/v1/disbursement/fiat/:disbursementId/report',
    access: 'signed',
    summary: 'Download the transfer proof of a completed fiat disbursement',
    answers: attachment('application/pdf'),
    refuses: [404],
  },
  async (context, { account, params }) => {
    const id = params.get('disbursementId') ?? '';
    const found = await findOnRail(context, 'fiat', id);
    // The public document takes only an id here, not a reference.
    if (found === undefined || found.disbursementId !== id) return failure(404, 'Disbursement not found');
    if (found.status !== 'completed') return badRequest('Disbursement is not completed');
    return file('application/pdf', `transfer-proof-${id}.pdf`, await drawTransferProof(account, found));
  },
);
