import { setTimeout as wait } from 'node:timers/promises';
import { payoutView } from '../../../functions/api/schemas/payout.ts';
import { deployedClient } from '../../contract/provider/deployed-service.ts';
import { send } from '../../support/payment-service/merchant.ts';
import { longestWaitMs, operator, payoutOf, walletRow } from './deployed-orchestrator.ts';

/**
 * A wallet transfer that takes a minute, unless `setStatus` ends it. Others end within seconds, so a batch that a test wants
 * to stop or to cancel needs one.
 */
export const lateRow = (reference: string): string => walletRow('usdc-polygon', '2.5', reference, '1a7e');

/** Waits until the provider has accepted a payout. Unlike a batch's counts, a payout is read afresh. */
export const untilAccepted = async (reference: string): Promise<void> => {
  for (const deadline = Date.now() + longestWaitMs; Date.now() < deadline; await wait(400)) {
    const { status, body } = await operator().send({ method: 'GET', path: `/payouts/${reference}` });
    // Before the batch registers its payouts it is 404.
    if (status === 200 && payoutView.parse(body).disbursementId !== undefined) return;
  }
  throw new Error(`the provider has not accepted ${reference}`);
};

/** The provider changes a payment that it has accepted, even one that has ended. */
export const setStatus = async (reference: string, status: string): Promise<void> => {
  const { disbursementId = '' } = await payoutOf(reference);
  const { kind } = await deployedClient().sandbox.updateDisbursement(disbursementId, { status });
  if (kind !== 'succeeded') throw new Error(`the status of ${reference} was not set: ${kind}`);
};

/** Replaces the faults of the sandbox. Without arguments, it has none. */
export const setFaults = async (...faults: readonly object[]): Promise<void> => {
  const { status } = await send('PUT', '/sandbox/faults', { faults });
  if (status !== 200) throw new Error(`PUT /sandbox/faults was answered with ${status}`);
};
