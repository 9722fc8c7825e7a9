import type { Account } from '../../domain/account.ts';
import type { Conversion } from '../../domain/conversions/conversion.ts';
import type { ComposedDeposit, DepositTerms } from '../../domain/deposits/compose-deposit.ts';
import { badRequest, created } from '../../http/answers.ts';
import { findQuoted } from '../conversions/find-quoted.ts';
import type { Service } from '../service.ts';
import { depositRecord } from './deposit-record.ts';
import { depositRefusal } from './deposit-refusal.ts';

/** What both creations of deposits need of the service. */
export type DepositMaker = Pick<Service, 'depositTerms' | 'findQuote' | 'createDeposit'>;

/**
 * Prices a deposit, at the rate of its quote when it names one, creates it, and answers its record.
 *
 * @param compose checks and prices the request
 */
export const makeDeposit = async (
  service: DepositMaker,
  account: Account,
  { quoteId, message }: { readonly quoteId: string | undefined; readonly message: string },
  compose: (terms: DepositTerms, quoted: Conversion | undefined) => ComposedDeposit,
) => {
  const quoted = quoteId === undefined ? undefined : await findQuoted(service, account.accountId, quoteId);
  if (quoted?.kind === 'refused') return badRequest(quoted.message);
  const composed = compose(service.depositTerms(account), quoted?.conversion);
  if (composed.kind === 'refused') return badRequest(composed.message);
  const outcome = await service.createDeposit(account.accountId, composed.draft);
  return outcome.kind === 'created'
    ? created(message, depositRecord(account, outcome.deposit))
    : depositRefusal(outcome);
};
