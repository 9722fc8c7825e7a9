/** The roles of infra/ACCESS.md that send requests. */
export const roles = ['watches', 'runs batches', 'approves', 'settles', 'looks people up'] as const;
export type Role = (typeof roles)[number];
const mayDownload = roles.filter((role) => role !== 'watches');

const nowhere = 'b-00000000000000000000000000';

/** Requests that change nothing, their status when they are allowed, and the roles that may send them. */
export const requests: readonly (readonly [
  method: 'GET' | 'POST',
  path: string,
  status: number,
  by: readonly Role[],
])[] = [
  ['GET', '/batches', 200, roles],
  ['GET', `/batches/${nowhere}`, 404, roles],
  ['GET', `/batches/${nowhere}/payouts`, 404, roles],
  ['GET', `/batches/${nowhere}/events`, 404, roles],
  ['GET', `/batches/${nowhere}/files/results.csv`, 404, mayDownload],
  ['GET', '/payouts/no-such-payout', 404, roles],
  ['GET', '/payouts/no-such-payout/proof', 404, mayDownload],
  ['GET', '/funds', 200, roles],
  ['GET', '/template.csv', 200, roles],
  ['GET', '/template.xlsx', 200, roles],
  ['POST', '/batches', 400, ['runs batches']],
  ['POST', `/batches/${nowhere}/pause`, 404, ['runs batches']],
  ['POST', `/batches/${nowhere}/resume`, 404, ['runs batches']],
  ['POST', `/batches/${nowhere}/cancel`, 404, ['runs batches']],
  ['POST', `/batches/${nowhere}/proofs`, 404, ['runs batches', 'looks people up']],
  ['POST', `/batches/${nowhere}/approve`, 400, ['approves']],
  ['POST', `/batches/${nowhere}/reject`, 400, ['approves']],
  ['POST', '/payouts/no-such-payout/settle', 400, ['settles']],
  ['POST', '/payouts/no-such-payout/recipient', 404, ['looks people up']],
  ['POST', '/search/payouts', 400, ['looks people up']],
  ['POST', `/batches/${nowhere}/conversions/1/settle`, 400, ['settles']],
];
