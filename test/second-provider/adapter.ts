import * as z from 'zod';
import type { PlannedPayout, Recipient } from '../../functions/domain/batch/chunk-file.ts';
import { InvariantBroken, NoFeeEstimate, ProviderRefused, ProviderUnavailable } from '../../functions/domain/errors.ts';
import { railOf } from '../../functions/domain/money/currency.ts';
import { Money } from '../../functions/domain/money/money.ts';
import { hashDestination } from '../../functions/domain/payout/destination.ts';
import type { ObservedStatus } from '../../functions/domain/payout/payout-status.ts';
import type {
  CallFailure,
  Disbursement,
  Lookup,
  PaymentProvider,
  ProviderTraits,
} from '../../functions/ports/provider.ts';
import { otherRecord } from '../../functions/ports/provider.ts';
import type { WebhookNames } from '../../functions/ports/webhook-names.ts';
import type { HttpOutcome } from '../../functions/provider/transport/http.ts';
import { requestOnce, requestRead } from '../../functions/provider/transport/http.ts';
import type { Http } from '../../functions/provider/transport/transport.ts';

export interface SecondDependencies {
  readonly url: string;
  readonly token: string;
  readonly timeoutMs: number;
  /** Real sockets by default. */
  readonly http?: Http;
}

/** The provider remembers a key for a day, whichever the rail. */
const keyed = { referenceUniqueHours: 24, hiddenHours: 1, hasProofs: false } as const;

export const secondTraits: ProviderTraits = {
  payoutsPerCall: 1,
  rails: { fiat: keyed, crypto: keyed },
};

/** A webhook contains the payout's key, and its id under another name than in answers. */
export const secondWebhookNames: WebhookNames = { references: ['key'], ids: ['number'] };

const payout = z.object({
  id: z.string().min(1),
  key: z.string().min(1),
  unit: z.string(),
  value: z.string().regex(/^\d+(\.\d+)?$/),
  charge: z.string().regex(/^\d+(\.\d+)?$/),
  to: z.union([z.object({ bank: z.string(), account: z.string() }), z.object({ wallet: z.string() })]),
  state: z.string(),
  made: z.string(),
});
const funds = z.object({ funds: z.array(z.object({ unit: z.string(), value: z.string() })) });
const routes = z.object({
  routes: z.array(
    z.object({
      unit: z.string(),
      bank: z.string().optional(),
      title: z.string(),
      least: z.string(),
      most: z.string(),
      price: z.object({ flat: z.string(), percent: z.string() }).optional(),
    }),
  ),
});
const declined = z.object({ code: z.string().regex(/^[a-z_]{1,40}$/) });

/** An answer from the service itself, or the reason that there is none. */
type Answer =
  | { readonly kind: 'body'; readonly status: number; readonly body: unknown }
  | Extract<HttpOutcome, { readonly kind: 'not_sent' | 'unknown' }>;

const read = (outcome: HttpOutcome): Answer => {
  if (outcome.kind !== 'response') return outcome;
  try {
    return { kind: 'body', status: outcome.status, body: JSON.parse(outcome.body.toString()) };
  } catch {
    return { kind: 'unknown', cause: outcome.status < 300 ? 'unreadable_body' : `status_${outcome.status}` };
  }
};

const states: ReadonlyMap<string, ObservedStatus> = new Map(
  Object.entries({ queued: 'pending', sending: 'pending', settled: 'completed', returned: 'failed' } as const),
);

const destinationOf = (to: z.infer<typeof payout>['to']): string =>
  hashDestination(
    'wallet' in to
      ? { kind: 'wallet', walletAddress: to.wallet }
      : { kind: 'bank', bankCode: to.bank, accountNumber: to.account, bankName: '', accountName: '' },
  );

const disbursementOf = (found: z.infer<typeof payout>): Disbursement => ({
  disbursementId: found.id,
  reference: found.key,
  rail: railOf(found.unit) ?? 'fiat',
  amount: Money.of(found.value, found.unit),
  fee: Money.of(found.charge, found.unit),
  status: states.get(found.state) ?? 'pending',
  providerStatus: found.state,
  destinationHash: destinationOf(found.to),
  createdAt: found.made,
});

/** Returns the body of a success. Undefined when the answer is no success, or its body does not match the schema. */
const dataOf = <T>(answer: Answer, schema: z.ZodType<T>): T | undefined =>
  answer.kind === 'body' && (answer.status === 200 || answer.status === 201)
    ? schema.safeParse(answer.body).data
    : undefined;

const causeOf = (answer: Answer): string => {
  if (answer.kind !== 'body') return answer.cause;
  return answer.status < 300 ? 'unreadable_body' : `status_${answer.status}`;
};

const failureOf = (answer: Answer): CallFailure => {
  if (answer.kind !== 'body') return answer;
  const code = declined.safeParse(answer.body).data?.code;
  if (code === undefined) return { kind: 'unknown', cause: causeOf(answer) };
  switch (answer.status) {
    case 401:
      return { kind: 'halted', madeNothing: true };
    case 409:
      return { kind: 'rejected', message: code, isTaken: true };
    case 422:
      return { kind: 'rejected', message: code, ...(code === 'insufficient_funds' && { isBalanceTooLow: true }) };
    default:
      return { kind: 'unknown', cause: causeOf(answer) };
  }
};

const toOf = (recipient: Recipient) => {
  switch (recipient.kind) {
    case 'bank':
      return { bank: recipient.bankCode, account: recipient.accountNumber, holder: recipient.accountName };
    case 'wallet':
      return { wallet: recipient.walletAddress };
    case 'recipientId':
      return {};
  }
};

/** The submission that is hashed before the claim. The key is sent as a header, the wish as the body. */
const submission = z.object({ key: z.string(), wish: z.unknown() });

const compose: PaymentProvider['composeSubmission'] = ({ currency }, payouts: readonly PlannedPayout[]) => {
  const [one, ...others] = payouts;
  if (one === undefined || others.length > 0) throw new InvariantBroken('one payout a call');
  const { reference, amount, recipient } = one;
  return JSON.stringify({ key: reference, wish: { unit: currency, value: amount, to: toOf(recipient) } });
};

/** Creates the adapter for a provider of another shape than the documented one. Its service is in serve.ts. */
export const createSecondProvider = ({ url, token, timeoutMs, http }: SecondDependencies): PaymentProvider => {
  const { requestOnce: once, requestRead: again } = http ?? { requestOnce, requestRead };
  const common = { url: new URL(url), timeoutMilliseconds: timeoutMs, maximumBytes: 1_000_000 };
  const headers = { accept: 'application/json', 'api-token': token };

  const get = async (path: string): Promise<Answer> => {
    const request = { ...common, method: 'GET', path, headers } as const;
    return read(await again(request, async () => request));
  };

  const ask = async <T>(path: string, schema: z.ZodType<T>): Promise<T> => {
    const answer = await get(path);
    const data = dataOf(answer, schema);
    if (data !== undefined) return data;
    const isRefused = answer.kind === 'body' && answer.status >= 400 && answer.status < 500 && answer.status !== 429;
    const cause = causeOf(answer);
    throw new (isRefused ? ProviderRefused : ProviderUnavailable)(`GET ${path}: ${cause}`, { cause });
  };

  const lookUpAt = async (path: string): Promise<Lookup> => {
    const answer = await get(path);
    const found = dataOf(answer, payout);
    if (found !== undefined) return { kind: 'found', disbursement: disbursementOf(found) };
    const code = answer.kind === 'body' ? declined.safeParse(answer.body).data?.code : undefined;
    if (answer.kind === 'body' && answer.status === 404 && code === 'no_such_payout') return { kind: 'absent' };
    if (answer.kind === 'body' && answer.status === 401) throw new ProviderRefused('GET /payouts: status_401');
    return { kind: 'unknown', cause: causeOf(answer) };
  };

  const lookUp: PaymentProvider['lookUp'] = async (_rail, idOrReference) => {
    const name = encodeURIComponent(idOrReference);
    const byKey = await lookUpAt(`/payouts?key=${name}`);
    if (byKey.kind === 'absent') return lookUpAt(`/payouts/${name}`);
    // The provider ignores letter case in keys, so a payout under another spelling is a different one.
    if (byKey.kind === 'found' && byKey.disbursement.reference !== idOrReference)
      return { kind: 'unknown', cause: otherRecord };
    return byKey;
  };

  return {
    account: 'second',
    traits: secondTraits,
    pageSize: () => 0,
    statusLists: () => [],
    listPaymentMethods: async (rail) =>
      (await ask('/routes', routes)).routes
        .filter(({ unit }) => railOf(unit) === rail)
        .map(({ unit, bank, title, least, most, price }) => ({
          rail,
          currency: unit,
          code: bank ?? unit,
          name: title,
          minAmount: Money.of(least, unit),
          maxAmount: Money.of(most, unit),
          feeFlat: Money.of(price?.flat ?? '0', unit),
          feePercentage: price?.percent ?? '0',
        })),
    readBalances: async () =>
      new Map((await ask('/funds', funds)).funds.map(({ unit, value }) => [unit, Money.of(value, unit)])),
    estimateFee: async (rail, amount) => {
      if (rail === 'fiat') return undefined;
      const { currency: token } = amount;
      const route = (await ask('/routes', routes)).routes.find(({ unit }) => unit === token);
      if (route?.price === undefined) throw new NoFeeEstimate(`GET /routes: no price of ${token}`);
      return amount.percent(route.price.percent).plus(Money.of(route.price.flat, token));
    },
    quoteConversion: async () => ({ kind: 'refused', message: 'The provider makes no conversions.', isLacking: true }),
    convert: async () => ({ kind: 'not_sent', cause: 'no_conversions' }),
    composeSubmission: compose,
    submit: async (_rail, body) => {
      const { key, wish } = submission.parse(JSON.parse(body));
      const answer = read(
        await once({
          ...common,
          method: 'POST',
          path: '/payouts',
          headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify(wish),
        }),
      );
      const made = dataOf(answer, payout);
      return made === undefined ? failureOf(answer) : { kind: 'answered', disbursements: [disbursementOf(made)] };
    },
    lookUp,
    listDisbursements: async () => {
      throw new ProviderRefused('there are no lists');
    },
    listByReference: async (rail, reference) => {
      const found = await lookUp(rail, reference);
      if (found.kind === 'unknown')
        throw new ProviderUnavailable(`GET /payouts: ${found.cause}`, { cause: found.cause });
      return found.kind === 'found' ? [found.disbursement] : [];
    },
    // Not needed: a lookup by key finds every payout.
    destinationSearch: () => undefined,
    downloadProof: async () => undefined,
  };
};
