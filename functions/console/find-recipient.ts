import * as z from 'zod';
import { findPayout } from '../api/control/find-payout.ts';
import type { Outcome } from '../api/http/answer.ts';
import { problem } from '../api/http/problem.ts';
import type { GetPayoutDependencies } from '../api/payouts/get-payout.ts';
import type { SearchPayoutsDependencies } from '../api/payouts/search-payouts.ts';
import { searchPayouts } from '../api/payouts/search-payouts.ts';
import type { PayoutPage } from '../api/schemas/payout.ts';
import { soughtRecipient } from '../api/schemas/recipient.ts';
import type { WidgetContext } from './request.ts';
import { inField } from './request.ts';
import { recipientFields } from './views/search.ts';

export type FindRecipientDependencies = SearchPayoutsDependencies & GetPayoutDependencies;

type Recipient = z.infer<typeof soughtRecipient>;

/** Payouts on a page. */
const payoutsShown = 100;

const recipients = z.array(soughtRecipient);

/**
 * Whom the fields may mean: an account, or what only a search tells to be a wallet's address or a recipient's id. Providers list
 * bank codes in one letter case, and people write them in another.
 */
const recipientsIn = (context: WidgetContext): readonly Recipient[] => {
  const [bankCode, account] = [inField(context, recipientFields.bankCode), inField(context, recipientFields.account)];
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

/** A page with payouts, or the last one: a search is bounded, so a page of it may be empty and go on. */
const search = async (
  dependencies: SearchPayoutsDependencies,
  recipient: Recipient,
  cursor?: string,
): Promise<Outcome<PayoutPage>> => {
  const of = { recipient, limit: payoutsShown };
  let found = await searchPayouts(dependencies, { body: cursor === undefined ? of : { ...of, cursor } });
  while (found.kind === 'answer' && found.body.payouts.length === 0 && found.body.cursor !== undefined)
    found = await searchPayouts(dependencies, { body: { ...of, cursor: found.body.cursor } });
  return found;
};

/** What the recipient in the form's fields was paid; undefined when the fields do not say whom. */
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
 * What the recipient of this payout was paid. A page that follows is asked for so: neither an account number nor its hash, which
 * confirms a guessed one, stands in the markup of a button.
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
