import { deployedClient } from '../../contract/provider/deployed-service.ts';
import { payoutOf, walletRow } from './deployed-orchestrator.ts';

/** A wallet transfer that takes a minute, unless `setStatus` ends it. Until then its batch cannot end. */
export const lateRow = (reference: string, amount: string): string =>
  walletRow('usdc-polygon', amount)
    .replace(/^[^,]*/, reference)
    .replace(/0277,$/, '1a7e,');

/** The provider changes a payment that it has accepted, even one that has ended. */
export const setStatus = async (reference: string, status: string): Promise<void> => {
  const { disbursementId } = await payoutOf(reference);
  if (disbursementId === undefined) throw new Error(`the provider has not accepted ${reference}`);
  await deployedClient().sandbox.updateDisbursement(disbursementId, { status });
};
