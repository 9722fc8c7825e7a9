import type { Account } from '../../domain/account.ts';
import type { Conversion } from '../../domain/conversions/conversion.ts';
import type { DepositTerms } from '../../domain/deposits/compose-deposit.ts';
import type { DepositDraft } from '../../domain/deposits/deposit.ts';
import { depositIdFrom } from '../../domain/deposits/deposit.ts';
import { Refused } from '../../domain/refused.ts';
import { badRequest, created, failure } from '../../http/answers.ts';
import type { Context } from '../../store/context.ts';
import { findQuote } from '../../store/conversions/quotes.ts';
import { createDeposit } from '../../store/deposits/create-deposit.ts';
import { quoteProblems } from '../conversions/quote-problems.ts';
import { depositRecord } from './deposit-record.ts';

/**
 * Prices a deposit at the rate of its quote, if it names one; creates it; and answers with its record.
 *
 * @param message the message of the success
 * @param compose checks and prices the request
 */
export const createPricedDeposit = async (
  context: Context,
  account: Account,
  { quoteId, message }: { readonly quoteId: string | undefined; readonly message: string },
  compose: (terms: DepositTerms, quoted: Conversion | undefined) => DepositDraft | Refused,
) => {
  const { settings, randomHex } = context;
  const quoted = quoteId === undefined ? undefined : await findQuote(context, quoteId);
  if (quoted !== undefined && quoted.kind !== 'usable') return badRequest(quoteProblems[quoted.kind]);
  const draft = compose({ ...settings, account: account.terms }, quoted?.conversion);
  if (draft instanceof Refused) return badRequest(draft.message);
  const { fiatExpirySeconds, cryptoExpirySeconds } = settings.deposits;
  const seconds = draft.depositType === 'fiat' ? fiatExpirySeconds : cryptoExpirySeconds;
  const outcome = await createDeposit(context, draft, {
    depositId: depositIdFrom(randomHex()),
    expiresAt: (createdAt) => new Date(createdAt.getTime() + seconds * 1000),
  });
  switch (outcome.kind) {
    case 'created':
      return created(message, depositRecord(account, outcome.deposit));
    case 'reference_used':
      return badRequest(`reference ${outcome.reference} was used before`);
    case 'quote_used':
      return badRequest(quoteProblems.used);
    case 'busy':
    // The random id is taken, which is next to impossible. Trying again helps here too.
    case 'exists':
      return failure(503, 'The deposits are in use, nothing was created, try again');
  }
};
