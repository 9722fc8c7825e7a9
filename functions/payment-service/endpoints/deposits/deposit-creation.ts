import type * as z from 'zod';
import type { Conversion } from '../../domain/conversions/conversion.ts';
import type { DepositTerms } from '../../domain/deposits/compose-deposit.ts';
import type { DepositDraft } from '../../domain/deposits/deposit.ts';
import { depositIdFrom } from '../../domain/deposits/deposit.ts';
import { Refused } from '../../domain/refused.ts';
import { RefusedWith } from '../../http/answers.ts';
import type { Place } from '../../http/endpoint.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { findQuote } from '../../store/conversions/quotes.ts';
import { createDeposit } from '../../store/deposits/create-deposit.ts';
import { quoteProblems } from '../conversions/quote-problems.ts';
import { depositRecord, depositSchema } from './deposit-record.ts';

interface Creation<Body extends z.ZodType> extends Pick<Place<never>, 'route' | 'summary'> {
  /** The message of the success. */
  readonly message: string;
  readonly body: Body;
  /** Checks and prices the request. */
  readonly compose: (terms: DepositTerms, request: z.output<Body>, quoted?: Conversion) => DepositDraft | Refused;
}

/** An endpoint that prices a deposit, at the rate of its quote if it names one; creates it; and answers with its record. */
export const depositCreation = <Body extends z.ZodType<{ readonly quoteId?: string | undefined }>>({
  message,
  compose,
  ...place
}: Creation<Body>) =>
  bodyEndpoint({
    ...place,
    access: 'authorization',
    answers: enveloped(message, depositSchema, 201),
    refuses: [503],
    work: async (context, { account }, request) => {
      const { settings, randomHex } = context;
      const { quoteId } = request;
      const quoted = quoteId === undefined ? undefined : await findQuote(context, quoteId);
      if (typeof quoted === 'string') return new Refused(quoteProblems[quoted]);
      const draft = compose({ ...settings, account: account.terms }, request, quoted);
      if (draft instanceof Refused) return draft;
      const { fiatExpirySeconds, cryptoExpirySeconds } = settings.deposits;
      const seconds = draft.depositType === 'fiat' ? fiatExpirySeconds : cryptoExpirySeconds;
      const outcome = await createDeposit(context, draft, {
        depositId: depositIdFrom(randomHex()),
        expiresAt: (createdAt) => new Date(createdAt.getTime() + seconds * 1000),
      });
      switch (outcome.kind) {
        case 'created':
          return depositRecord(account, outcome.deposit);
        case 'reference_used':
          return new Refused(`reference ${outcome.reference} was used before`);
        case 'quote_used':
          return new Refused(quoteProblems.used);
        case 'busy':
        // The expiry has passed, which is next to impossible. Trying again helps.
        case 'too_late':
          return new RefusedWith(503, 'The deposits are in use, nothing was created, try again');
      }
    },
  });
