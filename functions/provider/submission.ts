import type { PlannedPayout } from '../domain/batch/chunk-file.ts';
import { InvariantBroken } from '../domain/errors.ts';
import type { PaymentProvider } from '../ports/provider.ts';
import { composeCryptoDisbursements } from './client/crypto-disbursements.ts';
import { composeFiatDisbursements } from './client/fiat-disbursements.ts';
import { disbursementsOn } from './client/payment-service-client.ts';
import type { DisbursementDependencies } from './disbursement-reads.ts';
import { disbursementOf } from './disbursement-records.ts';
import { classifyUnsuccessful } from './refusal.ts';

const fiatItem = (payout: PlannedPayout) => {
  const { recipient, amount, reference, note } = payout;
  switch (recipient.kind) {
    case 'recipientId':
      return { recipientId: recipient.recipientId, amount, reference, note };
    case 'bank': {
      const { bankName, accountName, accountNumber, bankCode } = recipient;
      const bank = { bankName, accountName, accountNumber, bankCode };
      return { recipient: { name: payout.name, email: payout.email, bank }, amount, reference, note };
    }
    case 'wallet':
      throw new InvariantBroken(`row ${payout.row}: a wallet in a fiat call`);
  }
};

const cryptoItem = (payout: PlannedPayout) => {
  const { recipient, amount, reference, note } = payout;
  if (recipient.kind !== 'wallet') throw new InvariantBroken(`row ${payout.row}: no wallet in a crypto call`);
  return { amount, receiverWalletAddress: recipient.walletAddress, reference, note };
};

/**
 * The body that one call would POST. Equal payouts make equal text, because the claim records its hash.
 *
 * @throws InvariantBroken when a payout's recipient does not fit the rail
 */
export const composeSubmission: PaymentProvider['composeSubmission'] = ({ rail, currency }, payouts) => {
  switch (rail) {
    case 'fiat':
      return composeFiatDisbursements({ currency, disburseData: payouts.map(fiatItem) });
    case 'crypto':
      // The currency code of a payment method, network included, is the `token` to create with.
      return composeCryptoDisbursements({ token: currency, receivers: payouts.map(cryptoItem) });
  }
};

/** POSTs a composed body once and classifies the answer. Never throws for a failure of the service or the network. */
export const createSubmit =
  ({ client, log, traits }: Pick<DisbursementDependencies, 'client' | 'log' | 'traits'>): PaymentProvider['submit'] =>
  async (rail, body) => {
    const answer = await disbursementsOn(client, rail).create(body);
    if (answer.kind === 'succeeded')
      return { kind: 'answered', disbursements: answer.data.disburseData.map((record) => disbursementOf(log, record)) };
    // The service reports a success, but not readably what it created.
    if (answer.kind === 'unknown' && answer.cause === 'data_unreadable')
      return { kind: 'unknown', cause: 'items_unreadable' };
    return classifyUnsuccessful(answer, traits);
  };
