import { Big } from 'big.js';
import { decimalsOf } from '../../domain/currency.ts';
import type { PaymentServiceClient } from '../client/payment-service-client.ts';
import { isLacking } from '../refusal.ts';
import type { Finding } from './finding.ts';
import { adviceOn, failed, good, note, refusesCredentials, tellAnswer, wrong } from './finding.ts';

const digitsOf = (amount: string): number => (amount.split('.')[1] ?? '').length;

/** How exactly balances are told bounds how exactly a lost conversion is inferred from them. */
export const checkBalance = async (client: PaymentServiceClient): Promise<Finding> => {
  const what = 'balance';
  const answer = await client.balance.read();
  if (answer.kind !== 'succeeded') return failed(what, answer);
  const { fiat, crypto } = answer.data.assets;
  const items = [...fiat.balances, ...crypto.balances];
  const codes = items.map(({ assetCode }) => assetCode);
  const twice = codes.filter((code, index) => codes.indexOf(code) !== index);
  if (twice.length > 0) return wrong(what, `tells ${twice.join(', ')} twice`, 'No batch of them can be funded.');
  const told = items.map(({ assetCode, amount }) => `${assetCode} ${digitsOf(amount)}`);
  return good(what, told.length === 0 ? 'empty' : `decimals: ${told.join(', ')}`);
};

const checkCurrencies = (what: string, currencies: readonly string[]): Finding => {
  const distinct = [...new Set(currencies)];
  if (distinct.length === 0) return note(what, 'none', 'Rows of this rail are refused.');
  const unknown = distinct.filter((currency) => decimalsOf(currency) === undefined);
  const told = `${currencies.length} of ${distinct.join(', ')}`;
  if (unknown.length === 0) return good(what, told);
  return note(
    what,
    told,
    `No row in ${unknown.join(', ')} can be paid: functions/domain/currency.ts does not know it.`,
  );
};

/** A method to ask a price of: what, and the least that it pays. */
export interface Priced {
  readonly currency: string;
  readonly least: string;
}

export const checkMethods = async (
  client: PaymentServiceClient,
): Promise<{ findings: readonly Finding[]; fiat: readonly Priced[]; crypto: readonly Priced[] }> => {
  const fiat = await client.fiatDisbursements.paymentMethods({});
  const crypto = await client.cryptoDisbursements.paymentMethods();
  const [ofFiat, ofCrypto] = ['fiat payment methods', 'crypto payment methods'];
  const noCrypto = isLacking(crypto) ? checkCurrencies(ofCrypto, []) : undefined;
  const currencies = (methods: readonly { readonly currency: string }[]) => methods.map(({ currency }) => currency);
  return {
    findings: [
      fiat.kind === 'succeeded' ? checkCurrencies(ofFiat, currencies(fiat.data)) : failed(ofFiat, fiat),
      crypto.kind === 'succeeded'
        ? checkCurrencies(ofCrypto, currencies(crypto.data))
        : (noCrypto ?? failed(ofCrypto, crypto)),
    ],
    fiat: fiat.kind === 'succeeded' ? fiat.data.map((one) => ({ currency: one.currency, least: one.minAmount })) : [],
    crypto:
      crypto.kind === 'succeeded'
        ? crypto.data.map((one) => ({ currency: one.currency, least: one.minimumAmount }))
        : [],
  };
};

/** The document types the amount an integer. */
export const checkEstimate = async (client: PaymentServiceClient, priced: Priced | undefined): Promise<Finding> => {
  const what = 'crypto fee estimate';
  if (priced === undefined) return note(what, 'not asked: there is no crypto payment method');
  const token = priced.currency;
  const amount = new Big(priced.least).plus('0.5').toFixed();
  const exact = await client.cryptoDisbursements.estimate({ token, amount });
  if (exact.kind === 'succeeded') return good(what, 'takes decimals');
  if (isLacking(exact)) return wrong(what, 'none', 'A batch with wallets pauses before anything of it is paid.');
  const isRefused = exact.kind === 'refused' && exact.statusCode === 400;
  if (!isRefused) return failed(what, exact);
  const whole = new Big(amount).round(0, Big.roundUp).toFixed();
  const rounded = await client.cryptoDisbursements.estimate({ token, amount: whole });
  return rounded.kind === 'succeeded' ? good(what, 'takes whole amounts: asked rounded up') : failed(what, rounded);
};

/** Asks for a quote, which binds nobody. */
export const checkConversion = async (
  client: PaymentServiceClient,
  sources: readonly string[],
  priced: Priced | undefined,
): Promise<Finding> => {
  const what = 'conversion quote';
  const [inputCurrency] = sources;
  if (inputCurrency === undefined) return note(what, 'not asked: orchestrator.conversionSources is empty');
  if (priced === undefined) return note(what, 'not asked: there is no fiat payment method');
  const outputAmount = new Big(priced.least).gt(0) ? priced.least : '1';
  const pair = `${inputCurrency} to ${priced.currency}`;
  const answer = await client.convert.estimate({ inputCurrency, outputCurrency: priced.currency, outputAmount });
  if (answer.kind !== 'succeeded') {
    const follows = 'Without conversions set orchestrator.conversionSources to []: a batch that is short awaits funds.';
    return isLacking(answer) || (answer.kind === 'refused' && !refusesCredentials(answer))
      ? note(what, `${pair}: ${tellAnswer(answer)}`, follows)
      : wrong(what, `${pair}: ${tellAnswer(answer)}`, adviceOn(answer) ?? follows);
  }
  const arrives = new Big(answer.data.estimate.totalConvertedAmount);
  const meant = arrives.gte(outputAmount) ? 'what arrives' : 'before the fee: a second quote asks for more';
  return good(what, `${pair}: the amount asked for is ${meant}`);
};
