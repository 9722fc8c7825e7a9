/** Disbursements go to a bank (fiat) or to a wallet (crypto). */
export type Rail = 'fiat' | 'crypto';

export type FiatCurrency = Readonly<ReturnType<typeof fiat>>;
export type Token = Readonly<ReturnType<typeof token>>;
export type Asset = FiatCurrency | Token;

/** @param countryCode ISO 3166-1, two letters */
const fiat = (code: string, decimals: number, country: string, countryCode: string, name: string, symbol: string) => ({
  type: 'fiat' as const,
  code,
  decimals,
  country,
  countryCode,
  name,
  symbol,
});

export const fiatCurrencies: readonly FiatCurrency[] = [
  fiat('IDR', 2, 'Indonesia', 'ID', 'Indonesian Rupiah', 'Rp'),
  fiat('PHP', 2, 'Philippines', 'PH', 'Philippine Peso', '₱'),
  fiat('VND', 0, 'Vietnam', 'VN', 'Vietnamese Dong', '₫'),
  fiat('THB', 2, 'Thailand', 'TH', 'Thai Baht', '฿'),
  fiat('SGD', 2, 'Singapore', 'SG', 'Singapore Dollar', 'S$'),
  fiat('INR', 2, 'India', 'IN', 'Indian Rupee', '₹'),
  fiat('USD', 2, 'United States', 'US', 'US Dollar', '$'),
];

const native = '0x0000000000000000000000000000000000000000';

/** Decides the format of a network's addresses. */
export type BlockchainType = Token['blockchainType'];

const blockchainTypes = { ethereum: 'evm', bsc: 'evm', polygon: 'evm', tron: 'tron', stellar: 'stellar' } as const;

/**
 * @param priceId the token's id in price lists, the same on every network
 * @param tokenAddress the contract's address; native coins have the zero address
 */
const token = (
  short: string,
  network: keyof typeof blockchainTypes,
  name: string,
  decimals: number,
  priceId: string,
  tokenAddress = native,
) => ({
  type: 'crypto' as const,
  /** `<token>-<network>`. */
  code: `${short}-${network}`,
  symbol: short.toUpperCase(),
  name,
  decimals,
  network,
  blockchainType: blockchainTypes[network],
  tokenAddress,
  priceId,
});

/** The contract addresses are the issuers' own, on the main networks. */
export const tokens: readonly Token[] = [
  token('usdt', 'tron', 'Tether USD (Tron)', 6, 'tether', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'),
  token('usdt', 'ethereum', 'Tether USD (Ethereum)', 6, 'tether', '0xdAC17F958D2ee523a2206206994597C13D831ec7'),
  token('usdc', 'polygon', 'USD Coin (Polygon)', 6, 'usd-coin', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
  token('usdc', 'ethereum', 'USD Coin (Ethereum)', 6, 'usd-coin', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  token('eth', 'ethereum', 'Ether', 18, 'ethereum'),
  token('bnb', 'bsc', 'BNB (BNB Smart Chain)', 18, 'binancecoin'),
  // Deposits only. It cannot be paid out, because a disbursement has no field for the receiver's memo.
  token(
    'usdc',
    'stellar',
    'USD Coin (Stellar)',
    7,
    'usd-coin',
    'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
  ),
];

export const assets: readonly Asset[] = [...fiatCurrencies, ...tokens];

export const fiatCurrencyOf = (code: string): FiatCurrency | undefined =>
  fiatCurrencies.find((currency) => currency.code === code);

export const tokenOf = (code: string): Token | undefined => tokens.find((token) => token.code === code);

/** Whether the text is a token and a fiat currency, which always have a rate: `usdt-tron/THB`. */
export const isPair = (text: string): boolean => {
  const [token = '', fiat = '', ...rest] = text.split('/');
  return tokenOf(token) !== undefined && fiatCurrencyOf(fiat) !== undefined && rest.length === 0;
};

export const isCurrency = (code: string): boolean => assets.some((one) => one.code === code);

/**
 * How many decimals amounts in a currency have.
 *
 * @throws Error when the currency is not one of `assets`
 */
export const decimalsIn = (code: string): number => {
  const asset = assets.find((one) => one.code === code);
  if (asset === undefined) throw new Error(`${code} is not a currency of the service`);
  return asset.decimals;
};

/**
 * Native coins share one address, so an address can match several tokens. EVM addresses are compared without regard to
 * case.
 */
export const tokensAt = (tokenAddress: string): readonly Token[] =>
  tokens.filter((token) =>
    token.blockchainType === 'evm'
      ? token.tokenAddress.toLowerCase() === tokenAddress.toLowerCase()
      : token.tokenAddress === tokenAddress,
  );

export const isNative = (token: Token): boolean => token.tokenAddress === native;
