import type { Recipient } from '../../domain/batch/chunk-file.ts';
import { given } from '../../domain/given.ts';
import { formerHash, hashDestination } from '../../domain/payout/destination.ts';
import { isoNow } from '../../ports/environment.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import * as operations from '../schemas/operations/payout-operations.ts';
import type { SearchedRecipient } from '../schemas/recipient.ts';
import { viewPayoutPage } from '../views/payout.ts';

export type SearchPayoutsDependencies = Needs<
  { ledger: 'getBatch' | 'findByDestination' | 'findInBatches' | 'findReferences' | 'getPayouts' },
  'clock'
>;

type Body = RequestOf<typeof operations.searchPayouts>['body'];

/** Spaces are only for readability: no account number or address contains any. */
const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '');

const recipientOf = (searched: SearchedRecipient): Recipient => {
  if ('walletAddress' in searched) return { kind: 'wallet', walletAddress: withoutSpaces(searched.walletAddress) };
  if ('recipientId' in searched) return { kind: 'recipientId', recipientId: searched.recipientId.trim() };
  const { bankCode, accountNumber } = searched;
  // The hash does not depend on names.
  const names = { bankName: '', accountName: '' };
  return { kind: 'bank', bankCode: bankCode.trim(), accountNumber: withoutSpaces(accountNumber), ...names };
};

const hashesOf = (searched: NonNullable<Body['recipient']>) => {
  if ('destinationHash' in searched) return searched;
  const recipient = recipientOf(searched);
  return { destinationHash: hashDestination(recipient), ...given({ formerHash: formerHash(recipient) }) };
};

/** Payouts of all batches or of one, the newest batch first. Payouts of a recipient come from an index. */
export const searchPayouts = async (
  { ledger, clock }: SearchPayoutsDependencies,
  { body: { recipient, ...rest } }: { readonly body: Body },
): Promise<OutcomeOf<typeof operations.searchPayouts>> => {
  const { batchId } = rest;
  // An empty page would say that nobody was paid.
  if (batchId !== undefined && (await ledger.getBatch(batchId)) === undefined)
    return problem('batch_not_found', { batchId });
  const page =
    recipient === undefined
      ? await ledger.findInBatches({ day: isoNow(clock).slice(0, 'YYYY-MM-DD'.length), ...rest })
      : await ledger.findByDestination({ ...hashesOf(recipient), ...rest });
  return answer(200, await viewPayoutPage(ledger, page));
};

export const handler = endpoint(log, operations.searchPayouts, bind(searchPayouts, { ledger }));
