import { NoFeeEstimate } from '../../domain/errors.ts';
import { decimalsOf } from '../../domain/money/currency.ts';
import { Money } from '../../domain/money/money.ts';
import type { Rail } from '../../domain/payout/payout.ts';
import type { PaymentMethod } from '../../ports/provider.ts';
import type { Finding, Judgment } from './finding.ts';
import { good, note, wrong } from './finding.ts';
import type { ProviderToCheck } from './provider-to-check.ts';
import { ask } from './provider-to-check.ts';

/** Reports the decimals of each balance. They limit how precisely a lost conversion can be inferred from balances. */
export const checkBalance = (checked: ProviderToCheck): Promise<Finding> =>
  ask(checked, { about: 'balance' }, 'balance', async () => {
    const decimals = [...(await checked.provider.readBalances())].map(
      ([code, amount]) => `${code} ${amount.decimals()}`,
    );
    return good(decimals.length === 0 ? 'empty' : `decimals: ${decimals.join(', ')}`);
  });

const judgeMethods = (methods: readonly PaymentMethod[]): Judgment => {
  const distinct = [...new Set(methods.map(({ currency }) => currency))];
  if (distinct.length === 0) return note('none', 'Rows of this rail are refused.');
  const unknown = distinct.filter((currency) => decimalsOf(currency) === undefined);
  const summary = `${methods.length} of ${distinct.join(', ')}`;
  if (unknown.length === 0) return good(summary);
  const follows = `No row in ${unknown.join(', ')} can be paid: functions/domain/money/currency.ts does not know it.`;
  return note(summary, follows);
};

/** Checks a rail's payment methods. Returns the first one too, which the price checks use. */
export const checkMethods = async (checked: ProviderToCheck, rail: Rail) => {
  let first: PaymentMethod | undefined;
  const finding = await ask(checked, { about: 'methods' }, `${rail} payment methods`, async () => {
    const methods = await checked.provider.listPaymentMethods(rail);
    first = methods[0];
    return judgeMethods(methods);
  });
  return { finding, first };
};

/** Asks for the fee of an amount with decimals, because rows have them. */
export const checkEstimate = (checked: ProviderToCheck, priced: PaymentMethod | undefined): Promise<Finding> =>
  ask(checked, { about: 'price' }, 'crypto fee estimate', async () => {
    if (priced === undefined) return note('not asked: there is no crypto payment method');
    const amount = priced.minAmount.plus(Money.of('0.5', priced.currency));
    try {
      const fee = await checked.provider.estimateFee(priced.rail, amount);
      if (fee === undefined) return good('not needed: the payment methods have the fees');
      return good(`${fee.amount} for ${amount.amount} ${amount.currency}`);
    } catch (error) {
      if (!(error instanceof NoFeeEstimate)) throw error;
      return wrong('none', 'A batch with wallets pauses before any of it is paid.');
    }
  });

/** Asks for a quote, which commits nobody to anything. */
export const checkConversion = (
  checked: ProviderToCheck,
  sources: readonly string[],
  priced: PaymentMethod | undefined,
): Promise<Finding> =>
  ask(checked, { about: 'price' }, 'conversion quote', async () => {
    const [inputCurrency] = sources;
    if (inputCurrency === undefined) return note('not asked: orchestrator.conversionSources is empty');
    if (priced === undefined) return note('not asked: there is no fiat payment method');
    const output = priced.minAmount.isPositive() ? priced.minAmount : Money.of('1', priced.currency);
    const pair = `${inputCurrency} to ${output.currency}`;
    const answer = await checked.provider.quoteConversion({ inputCurrency, output });
    if (answer.kind === 'quoted') return good(`${pair}: the full amount arrives`);
    const follows =
      'To do without conversions, set orchestrator.conversionSources to []. A batch that is short then awaits funds.';
    return note(`${pair}: ${answer.message}`, follows);
  });
