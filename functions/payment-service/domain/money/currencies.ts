/** How an amount leaves the account: to a bank, or to a wallet. */
export type Rail = 'fiat' | 'crypto';

export interface FiatCurrency {
  readonly type: 'fiat';
  readonly code: string;
  readonly decimals: number;
  readonly country: string;
  /** ISO 3166-1, two letters. */
  readonly countryCode: string;
  readonly name: string;
  readonly symbol: string;
}

/** What decides the form of a network's addresses. */
export type BlockchainType = 'evm' | 'tron' | 'stellar';

export interface Token {
  readonly type: 'crypto';
  /** `<token>-<network>`. */
  readonly code: string;
  readonly decimals: number;
  readonly symbol: string;
  readonly name: string;
  readonly network: 'ethereum' | 'bsc' | 'polygon' | 'tron' | 'stellar';
  readonly blockchainType: BlockchainType;
  /** The contract's address; native coins carry the zero address. */
  readonly tokenAddress: string;
  /** By which price lists know the token, whatever network it is on. */
  readonly priceId: string;
}

export type Asset = FiatCurrency | Token;

const fiat = (
  code: string,
  decimals: number,
  country: string,
  countryCode: string,
  name: string,
  symbol: string,
): FiatCurrency => ({ type: 'fiat', code, decimals, country, countryCode, name, symbol });

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

/** Contract addresses are the issuers' own, on the networks' main nets. */
export const tokens: readonly Token[] = [
  {
    type: 'crypto',
    code: 'usdt-tron',
    decimals: 6,
    symbol: 'USDT',
    name: 'Tether USD (Tron)',
    network: 'tron',
    blockchainType: 'tron',
    tokenAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    priceId: 'tether',
  },
  {
    type: 'crypto',
    code: 'usdt-ethereum',
    decimals: 6,
    symbol: 'USDT',
    name: 'Tether USD (Ethereum)',
    network: 'ethereum',
    blockchainType: 'evm',
    tokenAddress: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    priceId: 'tether',
  },
  {
    type: 'crypto',
    code: 'usdc-polygon',
    decimals: 6,
    symbol: 'USDC',
    name: 'USD Coin (Polygon)',
    network: 'polygon',
    blockchainType: 'evm',
    tokenAddress: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    priceId: 'usd-coin',
  },
  {
    type: 'crypto',
    code: 'usdc-ethereum',
    decimals: 6,
    symbol: 'USDC',
    name: 'USD Coin (Ethereum)',
    network: 'ethereum',
    blockchainType: 'evm',
    tokenAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    priceId: 'usd-coin',
  },
  {
    type: 'crypto',
    code: 'eth-ethereum',
    decimals: 18,
    symbol: 'ETH',
    name: 'Ether',
    network: 'ethereum',
    blockchainType: 'evm',
    tokenAddress: native,
    priceId: 'ethereum',
  },
  {
    type: 'crypto',
    code: 'bnb-bsc',
    decimals: 18,
    symbol: 'BNB',
    name: 'BNB (BNB Smart Chain)',
    network: 'bsc',
    blockchainType: 'evm',
    tokenAddress: native,
    priceId: 'binancecoin',
  },
  {
    // Comes in only: it is no disbursement payment method, since a receiver's memo has no place in a disbursement.
    type: 'crypto',
    code: 'usdc-stellar',
    decimals: 7,
    symbol: 'USDC',
    name: 'USD Coin (Stellar)',
    network: 'stellar',
    blockchainType: 'stellar',
    tokenAddress: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
    priceId: 'usd-coin',
  },
];

export const assets: readonly Asset[] = [...fiatCurrencies, ...tokens];

export const fiatCurrencyOf = (code: string): FiatCurrency | undefined =>
  fiatCurrencies.find((currency) => currency.code === code);

export const tokenOf = (code: string): Token | undefined => tokens.find((token) => token.code === code);

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

/** Native coins share one address, so an address may tell several tokens. Letter case is not told apart on EVM networks. */
export const tokensAt = (tokenAddress: string): readonly Token[] =>
  tokens.filter((token) =>
    token.blockchainType === 'evm'
      ? token.tokenAddress.toLowerCase() === tokenAddress.toLowerCase()
      : token.tokenAddress === tokenAddress,
  );

export const isNative = (token: Token): boolean => token.tokenAddress === native;
