import { byWord } from '../../by-word.ts';
import { decimalsOf } from '../../money/currency.ts';
import type { Bank, TwoBanks } from '../bank-names.ts';
import type { CurrencyTerms } from '../currency-terms.ts';
import { didYouMean, guess } from './guess.ts';
import { shownCode } from './shown-value.ts';

/** Names and signs that people write for a currency, in lower case. */
const meantBy = byWord(
  Object.entries({
    IDR: 'rp rp. rupiah',
    THB: '฿ baht bath',
    VND: '₫ đ dong đồng',
    PHP: '₱ peso pesos',
    MYR: 'rm ringgit',
    INR: '₹ rupee rupees rs',
    JPY: '¥ yen',
    EUR: '€ euro euros',
    GBP: '£ pound pounds',
    USD: 'us$ dollar dollars',
  }),
);

/** True when a word beside an amount names a currency. No other word may be dropped. */
export const isCurrencyWord = (word: string): boolean =>
  word === '$' || meantBy.has(word.toLowerCase()) || decimalsOf(word.toUpperCase()) !== undefined;

/** The most codes listed in a message, so that people can read it. */
const mostListed = 8;

const listed = (codes: readonly string[]): string =>
  codes.length <= mostListed
    ? codes.join(', ')
    : `${codes.slice(0, mostListed).join(', ')} and ${codes.length - mostListed} more`;

/** The offered currency that was probably meant: by name, by a token without its network, or by a typing error. */
const currencyMeant = (text: string, offered: readonly string[]): string | undefined => {
  const named = meantBy.get(text.toLowerCase());
  if (named !== undefined) return offered.find((currency) => currency === named);
  return offered.find((currency) => currency.startsWith(`${text.toLowerCase()}-`)) ?? guess(text, offered);
};

/**
 * Says why a currency cannot be paid.
 *
 * @param isKnown true for a real currency that the provider has no payment method for
 */
export const currencyProblem = (
  currency: string,
  isKnown: boolean,
  offered: readonly string[],
): readonly [code: string, message: string] => {
  if (currency === '') return ['value_missing', `"currency" is empty. Write one of ${listed(offered)}.`];
  if (isKnown)
    return ['currency_not_offered', `The provider does not pay in ${currency}. It pays in ${listed(offered)}.`];
  const meant = currencyMeant(currency, offered);
  // A text close to a code, or as long as one, is not a person's name. So it may be shown.
  const shown = meant !== undefined || currency.length === 3 ? shownCode(currency) : undefined;
  const what = shown === undefined ? 'The currency is not known.' : `${shown} is not a known currency.`;
  const instead = ' Write a code such as IDR, or a token such as usdt-tron.';
  return ['currency_unknown', `${what}${meant === undefined ? instead : didYouMean(meant)}`];
};

/** A bank's code, with its name if that differs. */
const bankText = ({ code, name }: Bank): string => (name === code ? code : `${code} (${name})`);

/** Message about a bank's code beside another bank's name. */
export const twoBanksProblem = ({ coded, named }: TwoBanks): string =>
  `"bankCode" is ${bankText(coded)}, and "bankName" is that of ${bankText(named)}. Write the code and the name of the bank that has the account.`;

/** Message about a bank code that the provider does not list for the currency. */
export const bankCodeProblem = (bankCode: string, { currency, banks, bankMeant }: CurrencyTerms): string => {
  const codes = [...banks.keys()];
  const shown = shownCode(bankCode);
  const what = `The provider has no bank ${shown ?? 'of this code'} for ${currency}.`;
  const near = guess(bankCode, codes);
  if (near?.toLowerCase() === bankCode.toLowerCase()) return `${what}${didYouMean(near)}`;
  const named = bankMeant(bankCode);
  if (named !== undefined) return `${what}${didYouMean(bankText(named))}`;
  // A mistyped code may be closer to another bank's code than to its own.
  if (near !== undefined) return `${what}${didYouMean(near)} Compare it with the name of the bank.`;
  return `${what} It has ${listed(codes)}.`;
};
