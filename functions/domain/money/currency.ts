import type { Rail } from '../payout/payout.ts';

type DecimalsTable = readonly (readonly [decimals: number, codes: string])[];

/** Active codes of ISO 4217 by their number of decimals (its "minor unit" column). */
const fiatTable: DecimalsTable = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC
     CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD
     KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO
     NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
     THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
];

/**
 * Tokens by their decimals, on any network unless the code names one: bridged dollars on BNB Smart Chain have 18. Sources: the
 * tokens' contracts (`decimals()`) and the native units of the networks.
 */
const tokenTable: DecimalsTable = [
  [6, 'usdt usdc trx'],
  [8, 'btc'],
  [9, 'sol ton'],
  [18, 'dai eth bnb matic pol avax usdt-bsc usdt-bnb usdc-bsc usdc-bnb'],
];

const decimalsByCode: ReadonlyMap<string, number> = new Map(
  [...fiatTable, ...tokenTable].flatMap(([decimals, codes]) =>
    codes.split(/\s+/).map((code) => [code, decimals] as const),
  ),
);

/**
 * Derives the rail from the form of a currency code: `IDR` is fiat, `usdt-tron` is crypto. Undefined when it has neither form.
 */
export const railOf = (currency: string): Rail | undefined => {
  if (/^[A-Z]{3}$/.test(currency)) return 'fiat';
  if (/^[a-z0-9]+-[a-z0-9]+$/.test(currency)) return 'crypto';
  return undefined;
};

/** Normalizes the letter case of a currency code, by its form. A text with characters beyond ASCII is returned as it is. */
export const currencyCode = (text: string): string => {
  if (!/^[A-Za-z0-9-]+$/.test(text)) return text;
  return text.includes('-') ? text.toLowerCase() : text.toUpperCase();
};

/** Returns how many decimals an amount of the currency may have. Undefined when the currency is not in the table. */
export const decimalsOf = (currency: string): number | undefined => {
  if (railOf(currency) === undefined) return undefined;
  const [token = ''] = currency.split('-');
  return decimalsByCode.get(currency) ?? decimalsByCode.get(token);
};

/** Networks by the form of their addresses: see check-wallet-address.ts. */
export const networks = {
  evm: ['ethereum', 'polygon', 'bsc', 'bnb', 'arbitrum', 'base', 'optimism', 'avalanche'],
  tron: ['tron'],
  bitcoin: ['bitcoin'],
  solana: ['solana'],
  ton: ['ton'],
  stellar: ['stellar'],
} as const;

const knownNetworks: readonly string[] = Object.values(networks).flat();

export const isKnownNetwork = (network: string): boolean => knownNetworks.includes(network);
