import * as z from 'zod';
import type { Outcome } from '../api/http/answer.ts';
import { problem } from '../api/http/problem.ts';
import { findPayout } from '../api/payouts/find-payout.ts';
import type { GetPayoutDependencies } from '../api/payouts/get-payout.ts';
import type { SearchPayoutsDependencies } from '../api/payouts/search-payouts.ts';
import { searchPayouts } from '../api/payouts/search-payouts.ts';
import type { PayoutPage } from '../api/schemas/payout.ts';
import { soughtRecipient } from '../api/schemas/recipient.ts';
import { given } from '../domain/given.ts';
import type { WidgetContext } from './request.ts';
import { inField } from './request.ts';

export type FindRecipientDependencies = SearchPayoutsDependencies & GetPayoutDependencies;

type Recipient = z.infer<typeof soughtRecipient>;

/** Payouts on a page. */
const payoutsShown = 100;

const recipients = z.array(soughtRecipient);

/**
 * Recipients that the fields may mean. Without a bank code, only a search shows whether the text is a wallet's address
 * or a recipient's id. Providers list bank codes in one letter case, but people may type another, so several are tried.
 */
const recipientsIn = (context: WidgetContext): readonly Recipient[] => {
  const [bankCode, account] = [inField(context, 'bankCode'), inField(context, 'account')];
  if (account === undefined) return [];
  const meant =
    bankCode === undefined
      ? [{ walletAddress: account }, { recipientId: account }]
      : [...new Set([bankCode, bankCode.toUpperCase(), bankCode.toLowerCase()])].map((code) => ({
          bankCode: code,
          accountNumber: account,
        }));
  return recipients.safeParse(meant).data ?? [];
};

/** Searches until a page has payouts, or is the last. One search is bounded, so a page may be empty although more follow. */
const search = async (
  dependencies: SearchPayoutsDependencies,
  recipient: Recipient,
  cursor?: string,
): Promise<Outcome<PayoutPage>> => {
  const criteria = { recipient, limit: payoutsShown };
  let found = await searchPayouts(dependencies, { body: { ...criteria, ...given({ cursor }) } });
  while (found.kind === 'answer' && found.body.payouts.length === 0 && found.body.cursor !== undefined)
    found = await searchPayouts(dependencies, { body: { ...criteria, cursor: found.body.cursor } });
  return found;
};

/** Payouts to the recipient in the form's fields. Undefined when the fields name no recipient. */
export const findInFields = async (
  dependencies: SearchPayoutsDependencies,
  context: WidgetContext,
): Promise<Outcome<PayoutPage> | undefined> => {
  let found: Outcome<PayoutPage> | undefined;
  for (const recipient of recipientsIn(context)) {
    found = await search(dependencies, recipient);
    if (found.kind === 'problem' || found.body.payouts.length > 0) return found;
  }
  return found;
};

/**
 * Payouts to the recipient of this payout. Further pages are requested the same way. So no button's markup contains an
 * account number, or its hash, which would confirm a guessed number.
 */
export const findSameRecipient = async (
  dependencies: FindRecipientDependencies,
  reference: string,
  cursor: string | undefined,
): Promise<Outcome<PayoutPage>> => {
  const payout = await findPayout(dependencies.ledger, reference);
  if (payout === undefined) return problem('payout_not_found');
  return search(dependencies, { destinationHash: payout.destinationHash }, cursor);
};
