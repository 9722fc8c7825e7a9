import { hash } from 'node:crypto';
import * as z from 'zod';
import type { RateOverrides } from '../../domain/conversions/rates.ts';
import { convertibleInto } from '../../domain/conversions/rates.ts';
import type { FiatCurrency, Token } from '../../domain/money/currencies.ts';
import { fiatCurrencies, isNative, tokens } from '../../domain/money/currencies.ts';

export const currencyReferenceSchema = z
  .strictObject({
    _id: z.string(),
    id: z.string(),
    value: z.string().meta({ description: 'The name of the country.' }),
    currency: z.string(),
    countryCode: z.string(),
    country: z.string(),
    name: z.string(),
    symbol: z.string(),
    logo: z.url(),
    requireBankName: z.boolean(),
    requireIfsc: z.boolean(),
    requireIban: z.boolean(),
    requireAchOrWire: z.boolean(),
    requireAccountNumber: z.boolean(),
  })
  .meta({ id: 'CurrencyReference', description: 'A fiat currency.' });

export const cryptoReferenceSchema = z
  .strictObject({
    _id: z.string(),
    id: z.string().meta({ description: '`<token>-<network>`' }),
    symbol: z.string(),
    name: z.string(),
    label: z.string(),
    address: z.string().meta({ description: 'The address of the contract. Native coins have the zero address.' }),
    chainId: z.int(),
    is_native: z.boolean(),
    logo: z.url(),
    currencies: z
      .array(z.string())
      .meta({ description: 'Codes of the fiat currencies that it can be converted into.' }),
    decimal: z.int(),
    priceId: z.string(),
  })
  .meta({ id: 'CryptoReference', description: 'A token on its network.' });

/** Reserved for examples (RFC 2606). The sandbox has no pictures of its own, and shows nobody else's. */
const assetsHost = 'https://assets.example';

/** Twenty-four hexadecimal digits that never change for a code. */
const recordId = (code: string): string => hash('sha256', `reference\n${code}`).slice(0, 24);

/** The fields that identify a bank account in the country. None of these countries uses IBANs. */
const currencyReference = ({ code, country, countryCode, name, symbol }: FiatCurrency) => ({
  _id: recordId(code),
  id: code,
  value: country,
  currency: code,
  countryCode,
  country,
  name,
  symbol,
  logo: `${assetsHost}/currencies/${code.toLowerCase()}.svg`,
  requireBankName: true,
  requireIfsc: countryCode === 'IN',
  requireIban: false,
  requireAchOrWire: countryCode === 'US',
  requireAccountNumber: true,
});

/**
 * The chain ids are from the registry of EVM chains. Tron's comes from its genesis block. Stellar has none, so its coin
 * type (SLIP-44) takes its place.
 */
const networks = {
  ethereum: { chainId: 1, label: 'Ethereum' },
  bsc: { chainId: 56, label: 'BNB Smart Chain' },
  polygon: { chainId: 137, label: 'Polygon' },
  tron: { chainId: 728_126_428, label: 'Tron' },
  stellar: { chainId: 148, label: 'Stellar' },
} as const;

const cryptoReference = (overrides: RateOverrides, token: Token) => ({
  _id: recordId(token.code),
  id: token.code,
  symbol: token.symbol,
  name: token.name,
  label: `${token.symbol} (${networks[token.network].label})`,
  address: token.tokenAddress,
  chainId: networks[token.network].chainId,
  is_native: isNative(token),
  logo: `${assetsHost}/cryptos/${token.code}.svg`,
  currencies: convertibleInto(overrides, token.code),
  decimal: token.decimals,
  priceId: token.priceId,
});

export const currencyReferences = () => fiatCurrencies.map(currencyReference);

/** The sandbox's contract pays out tokens that are themselves EVM contracts. */
const usesSmartContract = (token: Token): boolean => token.blockchainType === 'evm' && !isNative(token);

/** The matching tokens, each with the fiat currencies it can be converted into. `overrides` are the settings' rates. */
export const cryptoReferences = (overrides: RateOverrides, useSmartContract?: boolean, blockchainType?: string) =>
  tokens
    .filter((token) => useSmartContract === undefined || usesSmartContract(token) === useSmartContract)
    // In any letter case: the public document's own responses vary.
    .filter((token) => blockchainType === undefined || token.blockchainType === blockchainType.toLowerCase())
    .map((token) => cryptoReference(overrides, token));
