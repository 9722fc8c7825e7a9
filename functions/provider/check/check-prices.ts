import { NoFeeEstimate } from '../../domain/errors.ts';
import { decimalsOf } from '../../domain/money/currency.ts';
import { Money } from '../../domain/money/money.ts';
import type { Rail } from '../../domain/payout/payout.ts';
import type { PaymentMethod } from '../../ports/provider.ts';
import type { Finding } from './finding.ts';
import { good, note, wrong } from './finding.ts';
import type { ProviderToCheck } from './provider-to-check.ts';
import { ask } from './provider-to-check.ts';

/** Reports the decimals of each balance. They limit how precisely a lost conversion can be inferred from balances. */
export const checkBalance = (checked: ProviderToCheck): Promise<Finding> => {
  const what = 'balance';
  return ask(checked, { about: 'balance' }, what, async () => {
    const decimals = [...(await checked.provider.readBalances())].map(
      ([code, amount]) => `${code} ${amount.decimals()}`,
    );
    return good(what, decimals.length === 0 ? 'empty' : `decimals: ${decimals.join(', ')}`);
  });
};

const judgeMethods = (what: string, methods: readonly PaymentMethod[]): Finding => {
  const distinct = [...new Set(methods.map(({ currency }) => currency))];
  if (distinct.length === 0) return note(what, 'none', 'Rows of this rail are refused.');
  const unknown = distinct.filter((currency) => decimalsOf(currency) === undefined);
  const summary = `${methods.length} of ${distinct.join(', ')}`;
  if (unknown.length === 0) return good(what, summary);
  const follows = `No row in ${unknown.join(', ')} can be paid: functions/domain/money/currency.ts does not know it.`;
  return note(what, summary, follows);
};

/** Checks a rail's payment methods. Returns the first one too, which the price checks use. */
export const checkMethods = async (
  checked: ProviderToCheck,
  rail: Rail,
): Promise<{ readonly finding: Finding; readonly first: PaymentMethod | undefined }> => {
  const what = `${rail} payment methods`;
  let first: PaymentMethod | undefined;
  const finding = await ask(checked, { about: 'methods' }, what, async () => {
    const methods = await checked.provider.listPaymentMethods(rail);
    first = methods[0];
    return judgeMethods(what, methods);
  });
  return { finding, first };
};

/** Asks for the fee of an amount with decimals, because rows have them. */
export const checkEstimate = async (checked: ProviderToCheck, priced: PaymentMethod | undefined): Promise<Finding> => {
  const what = 'crypto fee estimate';
  if (priced === undefined) return note(what, 'not asked: there is no crypto payment method');
  const amount = priced.minAmount.plus(Money.of('0.5', priced.currency));
  return ask(checked, { about: 'price' }, what, async () => {
    try {
      const fee = await checked.provider.estimateFee(priced.rail, amount);
      if (fee === undefined) return good(what, 'not needed: the payment methods have the fees');
      return good(what, `${fee.amount} for ${amount.amount} ${amount.currency}`);
    } catch (error) {
      if (!(error instanceof NoFeeEstimate)) throw error;
      return wrong(what, 'none', 'A batch with wallets pauses before any of it is paid.');
    }
  });
};

/** Asks for a quote, which commits nobody to anything. */
export const checkConversion = async (
  checked: ProviderToCheck,
  sources: readonly string[],
  priced: PaymentMethod | undefined,
): Promise<Finding> => {
  const what = 'conversion quote';
  const [inputCurrency] = sources;
  if (inputCurrency === undefined) return note(what, 'not asked: orchestrator.conversionSources is empty');
  if (priced === undefined) return note(what, 'not asked: there is no fiat payment method');
  const output = priced.minAmount.isPositive() ? priced.minAmount : Money.of('1', priced.currency);
  const pair = `${inputCurrency} to ${output.currency}`;
  return ask(checked, { about: 'price' }, what, async () => {
    const answer = await checked.provider.quoteConversion({ inputCurrency, output });
    if (answer.kind === 'quoted') return good(what, `${pair}: the full amount arrives`);
    const follows =
      'To do without conversions, set orchestrator.conversionSources to []. A batch that is short then awaits funds.';
    return note(what, `${pair}: ${answer.message}`, follows);
  });
};
