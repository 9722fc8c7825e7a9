import type { MerchantTerms } from '../account.ts';
import { isEnabled } from '../account.ts';
import type { Decimal } from '../money/decimal.ts';
import type { Charge, FiatMethod, Terms } from '../money/fees-and-limits.ts';
import { methodsWith, termsIn } from '../money/fees-and-limits.ts';
import { Money } from '../money/money.ts';
import type { Deposit } from './deposit.ts';

/** How a fiat deposit is paid. The kind decides which instructions the payer gets. `qris` covers every QR scheme. */
export const depositKinds = ['va', 'bank_transfer', 'qris', 'ewallet'] as const;
export type DepositKind = (typeof depositKinds)[number];

/** A way to pay in. The limits apply to the amount paid, and the fee is deducted from it. */
export interface DepositMethod extends FiatMethod {
  readonly kind: DepositKind;
}

const methods = (kind: DepositKind, terms: Terms, names: Readonly<Record<string, string>>): readonly DepositMethod[] =>
  methodsWith(terms, names).map((method) => ({ ...method, kind }));

/** Invented terms of a plausible size, like those of the disbursement methods. */
export const depositMethods: readonly DepositMethod[] = [
  ...methods('va', termsIn('IDR', '10000', '500000000', '4000', '0'), {
    BCA: 'Bank Central Asia Virtual Account',
    MANDIRI: 'Bank Mandiri Virtual Account',
    BNI: 'Bank Negara Indonesia Virtual Account',
    BRI: 'Bank Rakyat Indonesia Virtual Account',
  }),
  ...methods('qris', termsIn('IDR', '1500', '10000000', '0', '0.7'), { QRIS: 'QRIS' }),
  ...methods('ewallet', termsIn('IDR', '1000', '20000000', '0', '1.5'), {
    GOPAY: 'GoPay',
    OVO: 'OVO',
    DANA: 'DANA',
  }),
  ...methods('bank_transfer', termsIn('PHP', '50', '2000000', '15', '0'), {
    BDO: 'BDO Unibank',
    UBP: 'UnionBank of the Philippines',
  }),
  ...methods('qris', termsIn('PHP', '1', '50000', '0', '1'), { QRPH: 'QR Ph' }),
  ...methods('ewallet', termsIn('PHP', '1', '100000', '0', '2'), {
    GCASH: 'GCash',
    MAYA: 'Maya',
  }),
  ...methods('va', termsIn('VND', '10000', '499999999', '3300', '0'), {
    VCB: 'Vietcombank Virtual Account',
    BIDV: 'BIDV Virtual Account',
  }),
  ...methods('qris', termsIn('VND', '1000', '50000000', '0', '0.5'), { VIETQR: 'VietQR' }),
  ...methods('ewallet', termsIn('VND', '1000', '20000000', '0', '1.5'), { MOMO: 'MoMo' }),
  ...methods('bank_transfer', termsIn('THB', '20', '2000000', '10', '0'), {
    KBANK: 'Kasikornbank',
    SCB: 'Siam Commercial Bank',
  }),
  ...methods('qris', termsIn('THB', '1', '500000', '0', '0.8'), { PROMPTPAY: 'PromptPay' }),
  ...methods('ewallet', termsIn('THB', '20', '100000', '0', '1.5'), { TRUEMONEY: 'TrueMoney Wallet' }),
  ...methods('bank_transfer', termsIn('SGD', '1', '200000', '0.5', '0'), { DBS: 'DBS Bank' }),
  ...methods('qris', termsIn('SGD', '0.5', '20000', '0', '0.8'), { PAYNOW: 'PayNow' }),
  ...methods('ewallet', termsIn('SGD', '0.5', '5000', '0', '1.5'), { GRABPAY: 'GrabPay' }),
  ...methods('va', termsIn('INR', '100', '5000000', '10', '0'), {
    HDFC: 'HDFC Bank Virtual Account',
    ICIC: 'ICICI Bank Virtual Account',
  }),
  ...methods('qris', termsIn('INR', '1', '100000', '0', '0.3'), { UPI: 'UPI' }),
  ...methods('ewallet', termsIn('INR', '1', '10000', '0', '1.8'), { PAYTM: 'Paytm Wallet' }),
  ...methods('bank_transfer', termsIn('USD', '10', '1000000', '5', '0.1'), {
    CHASUS33: 'JPMorgan Chase Bank',
    CITIUS33: 'Citibank',
  }),
];

/** The methods that can pay the account, in the table's order. */
export const enabledDepositMethods = (terms: MerchantTerms, currency: string): readonly DepositMethod[] =>
  depositMethods.filter((method) => method.currency === currency && isEnabled(terms.depositMethods, method.bankCode));

/** The method of a fiat deposit, whether or not the account has it enabled. Existing deposits stay readable. */
export const methodOfDeposit = (deposit: Pick<Deposit, 'input' | 'paymentMethod'>): DepositMethod | undefined =>
  depositMethods.find(
    ({ currency, bankCode }) => currency === deposit.input.currency && bankCode === deposit.paymentMethod,
  );

const charge = (token: string, feeFlat: Decimal, feePercentage: Decimal): Charge => ({
  feeFlat: Money.of(feeFlat, token),
  feePercentage,
});

/** Invented too: a flat fee in the token, and a percentage. */
const tokenCharges: readonly Charge[] = [
  charge('usdt-tron', '0.5', '0'),
  charge('usdt-ethereum', '1', '0'),
  charge('usdc-polygon', '0.05', '0'),
  charge('usdc-ethereum', '1', '0'),
  charge('usdc-stellar', '0.05', '0'),
  charge('eth-ethereum', '0', '0.1'),
  charge('bnb-bsc', '0', '0.1'),
];

/** The fee of a deposit in a token, in that token. Undefined when the token cannot be paid in. */
export const tokenCharge = (token: string): Charge | undefined =>
  tokenCharges.find(({ feeFlat }) => feeFlat.currency === token);
