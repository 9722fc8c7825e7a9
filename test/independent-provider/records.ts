import { createHash } from 'node:crypto';
import type { Disbursement } from './account.ts';
import { statusAt } from './account.ts';

const timestamp = (time: number): string => new Date(time).toISOString();

const historyOf = ({ course }: Disbursement, time: number): object[] => [
  ...['created', 'queued'].map((activity) => ({
    activity,
    status: 'pending',
    description: `Disbursement ${activity}`,
    updatedAt: timestamp(course[0]?.at ?? time),
  })),
  ...course
    .filter(({ at }) => at <= time)
    .map(({ at, status }) => ({ activity: 'moved', status, description: `Now ${status}`, updatedAt: timestamp(at) })),
];

/** Returns the record at a time. Fields without a value are left out. */
export const recordOf = (disbursement: Disbursement, time: number): object => {
  const { rail, disbursementId, groupId, amount, currency, fee, feePercentage, reference, note, to } = disbursement;
  const status = statusAt(disbursement, time);
  const moved = disbursement.course.filter(({ at }) => at <= time).at(-1)?.at ?? disbursement.createdAt;
  const common = {
    disbursementId,
    groupId,
    amount,
    feeAmount: fee.toNumber(),
    feePercentage,
    status,
    createdBy: 'user-1',
    activityHistory: historyOf(disbursement, time),
    reference,
    note,
    createdAt: timestamp(disbursement.createdAt),
    updatedAt: timestamp(moved),
  };
  if (rail === 'fiat') {
    return {
      ...common,
      currency,
      recipient: to,
      balance: disbursement.balance,
      organizationId: 'org-1',
      organizationName: 'A merchant',
      initiatedBy: { userId: 'user-1', name: 'A merchant' },
      completedAt: status === 'completed' ? timestamp(moved) : undefined,
    };
  }
  const [, network] = currency.split('-');
  const sent = status === 'processed' || status === 'completed';
  return {
    ...common,
    ...to,
    tokenAddress: '0x55d398326f99059ff775485246999027b3197955',
    token: currency,
    network,
    // The document: "Letter case differs between responses". Here a sent record uses lower case, an earlier one upper case.
    blockchainType: sent ? 'evm' : 'EVM',
    tokenDecimal: 18,
    feeConfig: { currency, feePercentage, feeNetwork: 0 },
    transactionData: sent
      ? {
          gasUsed: 21_000,
          gasFeeActual: 0.0004,
          txHash: `0x${createHash('sha256').update(disbursementId).digest('hex')}`,
        }
      : { gasFeeEstimated: 0.0005 },
  };
};

/** Returns a page of a list. `limit` is the size used, which may be smaller than the requested one. */
export const pageOf = (all: object[], page: number, limit: number): object => {
  const totalPages = Math.max(1, Math.ceil(all.length / limit));
  const offset = (page - 1) * limit;
  return {
    docs: all.slice(offset, offset + limit),
    offset,
    page,
    limit,
    totalPages,
    totalDocs: all.length,
    pagingCounter: offset + 1,
    hasPrevPage: page > 1,
    hasNextPage: page < totalPages,
    prevPage: page > 1 ? page - 1 : null,
    nextPage: page < totalPages ? page + 1 : null,
  };
};
