import { NoFeeEstimate, ProviderUnavailable } from '../domain/errors.ts';
import { Money } from '../domain/money/money.ts';
import type { MoneyByCurrency } from '../domain/money/money-by-currency.ts';
import type { Rail } from '../domain/payout/payout.ts';
import type { Log } from '../ports/environment.ts';
import type { PaymentProvider } from '../ports/provider.ts';
import type { PaymentServiceClient } from './client/payment-service-client.ts';
import { createPaymentServiceClient } from './client/payment-service-client.ts';
import { createConversions } from './conversion.ts';
import { createDisbursementReads } from './disbursement-reads.ts';
import { statusLists } from './disbursement-records.ts';
import { createPageSizes } from './page-sizes.ts';
import { dataOrThrow, isLacking } from './refusal.ts';
import { composeSubmission, createSubmit } from './submission.ts';
import type { Transport, TransportDependencies } from './transport/transport.ts';
import { createTransport, isAddressable } from './transport/transport.ts';

export interface PaymentProviderDependencies extends TransportDependencies {
  /** Defaults to the base URL. */
  readonly account?: string;
  readonly log: Pick<Log, 'warn'>;
}

/** Leaves out entries that do not match the document: one of another country must not keep a file from being paid. */
const onlyReadable = <T>(log: Pick<Log, 'warn'>, rail: Rail, entries: readonly (T | null)[]): readonly T[] => {
  const readable = entries.filter((entry) => entry !== null);
  const unreadable = entries.length - readable.length;
  if (unreadable > 0) log.warn('provider.methods_unreadable', { rail, unreadable });
  return readable;
};

const listPaymentMethodsBy =
  (client: PaymentServiceClient, log: Pick<Log, 'warn'>): PaymentProvider['listPaymentMethods'] =>
  async (rail) => {
    if (rail === 'fiat') {
      const answer = await client.fiatDisbursements.paymentMethods({});
      const methods = dataOrThrow('GET /v1/disbursement/fiat/payment-method', answer);
      return onlyReadable(log, rail, methods).map((method) => ({
        rail,
        currency: method.currency,
        code: method.bankCode,
        name: method.bankName,
        minAmount: Money.of(method.minAmount, method.currency),
        maxAmount: Money.of(method.maxAmount, method.currency),
        feeFlat: Money.of(method.feeFlat, method.currency),
        feePercentage: method.feePercentage,
      }));
    }
    const answer = await client.cryptoDisbursements.paymentMethods();
    // A provider without this endpoint makes only bank transfers. Rows to wallets are invalid, and the others can be paid.
    if (isLacking(answer)) return [];
    const methods = dataOrThrow('GET /v1/disbursement/crypto/payment-method', answer);
    return onlyReadable(log, rail, methods).map((method) => ({
      rail,
      currency: method.currency,
      code: method.currency,
      name: method.name ?? method.currency,
      minAmount: Money.of(method.minimumAmount, method.currency),
      maxAmount: Money.of(method.maximumAmount, method.currency),
      feeFlat: Money.of(method.feeFlat, method.currency),
      feePercentage: method.feePercentage,
    }));
  };

const readBalances = async (client: PaymentServiceClient): Promise<MoneyByCurrency> => {
  const { assets } = dataOrThrow('GET /v1/balance', await client.balance.read());
  const items = [...assets.fiat.balances, ...assets.crypto.balances];
  const balances = new Map(items.map((item) => [item.assetCode, Money.of(item.amount, item.assetCode)]));
  // Two balances of one currency: funding must not be planned on a guess.
  if (balances.size !== items.length) throw new ProviderUnavailable('GET /v1/balance: balance_told_twice');
  return balances;
};

/**
 * Estimates a fee. The document types the amount as an integer, so a service may refuse decimals. After a 400 the client asks
 * again with the amount rounded up, which never estimates too little.
 *
 * @throws NoFeeEstimate when there is no such endpoint
 */
const estimateCryptoFee = async (client: PaymentServiceClient, amount: Money): Promise<Money> => {
  const token = amount.currency;
  const whole = amount.roundedUp(0);
  const exact = await client.cryptoDisbursements.estimate({ token, amount: amount.amount });
  const decimalsRefused = exact.kind === 'refused' && exact.statusCode === 400 && !whole.equals(amount);
  const answer = decimalsRefused ? await client.cryptoDisbursements.estimate({ token, amount: whole.amount }) : exact;
  const endpoint = 'GET /v1/disbursement/crypto/estimate';
  if (isLacking(answer)) throw new NoFeeEstimate(`${endpoint}: there is none`);
  return Money.of(dataOrThrow(endpoint, answer).fee, token);
};

const downloadProof = async (client: PaymentServiceClient, disbursementId: string): Promise<Uint8Array | undefined> => {
  if (!isAddressable(disbursementId)) return undefined;
  const answer = await client.fiatDisbursements.proof(disbursementId);
  // The document shows 404 for an unknown disbursement, and nothing for "not completed yet"; this service answers 400. A provider
  // without proofs looks the same as one with a late proof, so its proofs are requested as often, and then given up.
  if (isLacking(answer) || (answer.kind === 'refused' && answer.statusCode === 400)) return undefined;
  return dataOrThrow('GET /v1/disbursement/fiat/:id/report', answer);
};

/** The provider port over a transport, without `account`: createPaymentProvider adds it. */
export const paymentProviderOver = (
  transport: Transport,
  { log, traits }: Pick<PaymentProviderDependencies, 'log' | 'traits'>,
): Omit<PaymentProvider, 'account'> => {
  const client = createPaymentServiceClient(transport);
  const sizes = createPageSizes(traits.pageLimit);
  return {
    traits,
    pageSize: sizes.of,
    listPaymentMethods: listPaymentMethodsBy(client, log),
    readBalances: () => readBalances(client),
    estimateFee: async (rail, amount) => (rail === 'crypto' ? estimateCryptoFee(client, amount) : undefined),
    ...createConversions(client, traits),
    composeSubmission,
    submit: createSubmit({ client, log, traits }),
    statusLists,
    ...createDisbursementReads({ client, log, traits, sizes }),
    downloadProof: (disbursementId) => downloadProof(client, disbursementId),
  };
};

/**
 * The payment service as the provider port. Calls that move money always return an answer. Reads throw ProviderUnavailable or
 * ProviderRefused, and `estimateFee` also NoFeeEstimate. Their messages hold an endpoint and a code. A read also throws the
 * ledger's errors when it cannot ask for its turn.
 *
 * @throws Error for a base URL without https, or an unknown signing scheme
 */
export const createPaymentProvider = (dependencies: PaymentProviderDependencies): PaymentProvider => ({
  account: dependencies.account ?? dependencies.baseUrl,
  ...paymentProviderOver(createTransport(dependencies), dependencies),
});
