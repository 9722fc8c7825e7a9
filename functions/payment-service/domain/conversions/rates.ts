import type { Asset } from '../money/currencies.ts';
import { fiatCurrencies } from '../money/currencies.ts';
import type { Decimal } from '../money/decimal.ts';
import { divide, isPositive } from '../money/decimal.ts';

const dollar = {
  IDR: '16250.5',
  PHP: '58.42',
  VND: '25410',
  THB: '34.18',
  SGD: '1.3465',
  INR: '84.27',
  USD: '0.9995',
};

/** Fiat per token, by token and fiat currency. The sandbox's market never moves. */
const rates: Readonly<Record<string, Readonly<Record<string, Decimal>>>> = {
  'usdt-tron': dollar,
  'usdt-ethereum': dollar,
  'usdc-polygon': dollar,
  'usdc-ethereum': dollar,
  'usdc-stellar': dollar,
  'eth-ethereum': {
    IDR: '51190000',
    PHP: '184020',
    VND: '80041500',
    THB: '107670',
    SGD: '4241.5',
    INR: '265450',
    USD: '3150.25',
  },
  'bnb-bsc': {
    IDR: '9833000',
    PHP: '35350',
    VND: '15375000',
    THB: '20682',
    SGD: '814.75',
    INR: '50990',
    USD: '605.1',
  },
};

/** Rates that replace those of the table, by `<token>/<fiat>`. */
export type RateOverrides = Readonly<Record<string, Decimal>>;

/** The rate of a pair. An override wins over the table. Undefined when the pair cannot be converted. */
export const rateOf = (overrides: RateOverrides, token: string, fiat: string): Decimal | undefined =>
  overrides[`${token}/${fiat}`] ?? rates[token]?.[fiat];

/** Two tokens are converted through USD, and two fiat currencies through USDT. */
const meeting = { crypto: 'USD', fiat: 'usdt-tron' } as const;
const crossDecimals = 18;

/**
 * The amount of one asset that one unit of another of its kind buys, cut off after 18 decimals. Undefined when the pair
 * cannot be converted.
 */
export const crossRateOf = (overrides: RateOverrides, input: Asset, output: Asset): Decimal | undefined => {
  const [bought, paid] =
    input.type === 'crypto'
      ? [rateOf(overrides, input.code, meeting.crypto), rateOf(overrides, output.code, meeting.crypto)]
      : [rateOf(overrides, meeting.fiat, output.code), rateOf(overrides, meeting.fiat, input.code)];
  if (bought === undefined || paid === undefined) return undefined;
  const rate = divide(bought, paid, crossDecimals, 'down');
  return isPositive(rate) ? rate : undefined;
};

/** The fiat currencies with a rate for the token. */
export const convertibleInto = (overrides: RateOverrides, token: string): string[] =>
  fiatCurrencies.map(({ code }) => code).filter((code) => rateOf(overrides, token, code) !== undefined);
