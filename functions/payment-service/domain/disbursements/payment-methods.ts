import { tokenOf } from '../money/currencies.ts';
import type { FiatMethod, Terms } from '../money/fees-and-limits.ts';
import { methodsWith, termsIn } from '../money/fees-and-limits.ts';

/**
 * The banks that can receive disbursements. Invented terms of a plausible size: the limits and usual fees of domestic
 * transfers.
 */
export const fiatPaymentMethods: readonly FiatMethod[] = [
  ...methodsWith(termsIn('IDR', '10000', '500000000', '4000', '0'), {
    BCA: 'Bank Central Asia',
    MANDIRI: 'Bank Mandiri',
    BNI: 'Bank Negara Indonesia',
    BRI: 'Bank Rakyat Indonesia',
    CIMB: 'CIMB Niaga',
  }),
  ...methodsWith(termsIn('IDR', '10000', '10000000', '2500', '0.5'), {
    GOPAY: 'GoPay',
    OVO: 'OVO',
  }),
  ...methodsWith(termsIn('PHP', '50', '2000000', '15', '0'), {
    BDO: 'BDO Unibank',
    BPI: 'Bank of the Philippine Islands',
    MBTC: 'Metrobank',
    UBP: 'UnionBank of the Philippines',
  }),
  ...methodsWith(termsIn('PHP', '50', '100000', '10', '0.5'), { GCASH: 'GCash' }),
  ...methodsWith(termsIn('VND', '50000', '499999999', '5500', '0'), {
    VCB: 'Vietcombank',
    TCB: 'Techcombank',
    BIDV: 'Bank for Investment and Development of Vietnam',
    ACB: 'Asia Commercial Bank',
  }),
  ...methodsWith(termsIn('THB', '20', '2000000', '10', '0.1'), {
    KBANK: 'Kasikornbank',
    SCB: 'Siam Commercial Bank',
    BBL: 'Bangkok Bank',
    KTB: 'Krungthai Bank',
  }),
  ...methodsWith(termsIn('SGD', '1', '200000', '0.5', '0.1'), {
    DBS: 'DBS Bank',
    OCBC: 'Oversea-Chinese Banking Corporation',
    UOB: 'United Overseas Bank',
  }),
  ...methodsWith(termsIn('INR', '100', '500000', '5', '0.1'), {
    HDFC: 'HDFC Bank',
    ICIC: 'ICICI Bank',
    SBIN: 'State Bank of India',
  }),
  ...methodsWith(termsIn('USD', '1', '100000', '1', '0.25'), {
    CHASUS33: 'JPMorgan Chase Bank',
    BOFAUS3N: 'Bank of America',
    CITIUS33: 'Citibank',
  }),
];

const cryptoTerms: readonly Terms[] = [
  termsIn('usdt-tron', '1', '500000', '1', '0'),
  termsIn('usdt-ethereum', '10', '500000', '4', '0'),
  termsIn('usdc-polygon', '1', '500000', '0.1', '0.1'),
  termsIn('usdc-ethereum', '10', '500000', '4', '0'),
  termsIn('eth-ethereum', '0.001', '100', '0.0008', '0.1'),
  termsIn('bnb-bsc', '0.001', '500', '0.0003', '0.1'),
];

export const cryptoPaymentMethods = cryptoTerms.flatMap((terms) => {
  const token = tokenOf(terms.minAmount.currency);
  return token === undefined ? [] : [{ token, ...terms }];
});

export const fiatPaymentMethodOf = (currency: string, bankCode: string): FiatMethod | undefined =>
  fiatPaymentMethods.find((method) => method.currency === currency && method.bankCode === bankCode);

export const cryptoPaymentMethodOf = (code: string) =>
  cryptoPaymentMethods.find((method) => method.token.code === code);

/** The reason why a token cannot be paid out: it does not exist, or it can only be received. */
export const unknownMethodMessage = (token: string): string =>
  tokenOf(token) === undefined ? 'Crypto not found' : 'Payment method not found';
