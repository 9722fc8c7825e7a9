/** A currency's terms, as published by the provider. */
export interface Offer {
  /** `IDR`, or `usdt-tron`. */
  readonly currency: string;
  readonly decimals: number;
  readonly least: string;
  readonly most: string;
  /** Bank codes of a fiat currency. Empty for a token. */
  readonly banks: readonly string[];
}

/** Names of the banks that are listed under a name as well as a code, also in the sandbox. */
export const bankNames: Readonly<Record<string, string>> = {
  BCA: 'Bank Central Asia',
  MANDIRI: 'Bank Mandiri',
  BNI: 'Bank Negara Indonesia',
  BRI: 'Bank Rakyat Indonesia',
  CIMB: 'CIMB Niaga',
};

export const isFiat = ({ banks }: Offer): boolean => banks.length > 0;

const fiat = (currency: string, decimals: number, least: string, most: string, banks: string): Offer => ({
  currency,
  decimals,
  least,
  most,
  banks: banks.split(' '),
});
const token = (currency: string, decimals: number, least = '1', most = '500000'): Offer => ({
  currency,
  decimals,
  least,
  most,
  banks: [],
});

/** Offers of this repository's payment service, by its document, in currencies that its sandbox opens with. */
export const sandboxOffers: readonly [Offer, ...Offer[]] = [
  fiat('IDR', 2, '10000', '500000000', 'BCA MANDIRI BNI BRI CIMB'),
  token('usdt-tron', 6),
  token('usdc-polygon', 6),
];

/** A currency for each number of decimals, and a token for each kind of network. The last network has no known address rules. */
export const allOffers: readonly [Offer, ...Offer[]] = [
  ...sandboxOffers,
  fiat('PHP', 2, '50', '2000000', 'BDO BPI'),
  fiat('VND', 0, '50000', '499999999', 'VCB TCB'),
  fiat('KWD', 3, '0.5', '9000', 'NBK KFH'),
  token('usdt-ethereum', 6, '10'),
  token('eth-ethereum', 18, '0.001', '100'),
  token('usdt-bsc', 18),
  token('usdc-base', 6),
  token('usdc-arbitrum', 6),
  token('avax-avalanche', 18, '0.01', '9000'),
  token('btc-bitcoin', 8, '0.0001', '50'),
  token('sol-solana', 9, '0.01', '9000'),
  token('usdt-ton', 6),
  token('usdc-stellar', 6),
  token('usdt-celo', 6),
];
