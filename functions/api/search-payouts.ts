import type { Recipient } from '../domain/chunk.ts';
import { hashDestination } from '../domain/chunk.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import { ledger, log } from '../runtime.ts';
import { endpoint } from './endpoint.ts';
import type { Outcome } from './http/answer.ts';
import { answer } from './http/answer.ts';
import type { RequestOf } from './schemas/operation.ts';
import type { PayoutPage } from './schemas/payout.ts';
import * as operations from './schemas/payout-operations.ts';
import type { SearchedRecipient } from './schemas/recipient.ts';
import { viewPayout } from './views/payout.ts';

export interface SearchPayoutsDependencies {
  readonly ledger: Pick<PayoutLedger, 'findByDestination'>;
}

/** Spaces are for people: no account number or address has any. */
const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '');

const recipientOf = (searched: SearchedRecipient): Recipient => {
  if ('walletAddress' in searched) return { kind: 'wallet', walletAddress: withoutSpaces(searched.walletAddress) };
  if ('recipientId' in searched) return { kind: 'recipientId', recipientId: searched.recipientId.trim() };
  const { bankCode, accountNumber } = searched;
  // Its hash knows no names.
  const names = { bankName: '', accountName: '' };
  return { kind: 'bank', bankCode: bankCode.trim(), accountNumber: withoutSpaces(accountNumber), ...names };
};

/** What a recipient was paid, or is to be, over all batches, the newest first. */
export const searchPayouts = async (
  { ledger }: SearchPayoutsDependencies,
  { body: { recipient, ...rest } }: Pick<RequestOf<typeof operations.searchPayouts>, 'body'>,
): Promise<Outcome<PayoutPage>> => {
  const destinationHash =
    'destinationHash' in recipient ? recipient.destinationHash : hashDestination(recipientOf(recipient));
  const page = await ledger.findByDestination({ destinationHash, ...rest });
  return answer(200, {
    payouts: page.items.map(viewPayout),
    ...(page.cursor === undefined ? {} : { cursor: page.cursor }),
  });
};

export const handler = endpoint(log, operations.searchPayouts, (request) =>
  searchPayouts({ ledger: ledger() }, request),
);
