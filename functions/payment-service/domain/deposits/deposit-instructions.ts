import { hash } from 'node:crypto';
import * as z from 'zod';
import { fiatCurrencyOf, tokenOf } from '../money/currencies.ts';
import { walletAddress } from '../wallet-address.ts';
import type { Deposit } from './deposit.ts';
import type { DepositMethod } from './deposit-methods.ts';
import { methodOfDeposit } from './deposit-methods.ts';
import { field, plain, qrPayload } from './qr-payload.ts';

const text = z.string().optional();

export const fiatInstructionsSchema = z
  .strictObject({
    bankName: z.string(),
    bankCode: z.string().meta({ description: 'As in the list of payment methods.' }),
    accountName: z.string(),
    accountNumber: text.meta({ description: 'Virtual accounts and bank transfers.' }),
    qrData: text.meta({ description: 'QR payments: the text of the QR code.' }),
    checkoutUrl: text.meta({ description: 'E-wallets.' }),
    accountAddress: text,
    bankAddress: text,
    paymentReference: text,
    routingNumber: z.strictObject({ primary: z.string(), ach: z.string(), wire: z.string() }).optional(),
    intlCode: z.strictObject({ swift: z.string(), bic: z.string() }).optional(),
  })
  .meta({
    id: 'FiatPaymentInstructions',
    description: 'The payment details of a fiat deposit. Its method decides which fields are present.',
  });
export type FiatInstructions = z.infer<typeof fiatInstructionsSchema>;

type Named = Pick<Deposit, 'depositId' | 'input' | 'paymentMethod'>;

/** All details are invented, and never change for a deposit. */
const digestOf = (kind: string, depositId: string): Buffer => hash('sha256', `${kind}\n${depositId}`, 'buffer');

/** A number with `count` decimal digits. The first is 8, so that no reader drops a leading zero. */
const digits = (kind: string, depositId: string, count: number): string => {
  const all = BigInt(`0x${digestOf(kind, depositId).toString('hex')}`).toString();
  return `8${all.slice(-(count - 1))}`;
};

const paymentReference = (depositId: string): string =>
  digestOf('reference', depositId).toString('hex').slice(0, 10).toUpperCase();

/**
 * By currency: its ISO 4217 number, a city, and its QR scheme's name inside a QR code, which is an application id or a reversed
 * domain name.
 */
const places: Readonly<Record<string, readonly [currencyNumber: string, city: string, qrScheme: string]>> = {
  IDR: ['360', 'Jakarta', 'ID.CO.QRIS.WWW'],
  PHP: ['608', 'Manila', 'com.p2pqrpay'],
  VND: ['704', 'Hanoi', 'A000000727'],
  THB: ['764', 'Bangkok', 'A000000677010112'],
  SGD: ['702', 'Singapore', 'SG.PAYNOW'],
  INR: ['356', 'Mumbai', 'com.npci.upi'],
  USD: ['840', 'New York', 'example'],
};

const qrDataOf = (deposit: Named, payee: string): string => {
  const { depositId, input } = deposit;
  const [currencyNumber, city, scheme] = places[input.currency] ?? ['999', 'Nowhere', 'example'];
  return qrPayload([
    field('00', '01'),
    // 12: valid for one payment only.
    field('01', '12'),
    // The scheme, and an account there of at most 25 letters and digits.
    field('26', field('00', scheme) + field('01', digits('merchant', depositId, 15))),
    // No particular merchant category.
    field('52', '0000'),
    field('53', currencyNumber),
    field('54', input.amount),
    // ISO 3166-1, two letters.
    field('58', fiatCurrencyOf(input.currency)?.countryCode ?? 'XX'),
    field('59', plain(payee, 25)),
    field('60', plain(city, 15)),
    field('62', field('05', paymentReference(depositId))),
  ]);
};

/** In the United States, banks are identified by routing number; from abroad, by SWIFT code. */
const unitedStates = (bankCode: string) => ({
  accountAddress: '100 Example Street, New York, NY 10001',
  bankAddress: '200 Example Avenue, New York, NY 10001',
  routingNumber: { primary: '021000021', ach: '021000021', wire: '021000089' },
  intlCode: { swift: `${bankCode}XXX`, bic: bankCode },
});

const byKind = (method: DepositMethod, deposit: Named, payee: string): Partial<FiatInstructions> => {
  const { depositId } = deposit;
  switch (method.kind) {
    case 'va':
      return { accountNumber: digits('account', depositId, 16) };
    case 'bank_transfer':
      return {
        accountNumber: digits('account', depositId, 12),
        paymentReference: paymentReference(depositId),
        ...(method.currency === 'USD' ? unitedStates(method.bankCode) : {}),
      };
    case 'qris':
      return { qrData: qrDataOf(deposit, payee) };
    case 'ewallet': {
      const token = digestOf('wallet', depositId).toString('base64url').slice(0, 24);
      return { checkoutUrl: `https://wallet.example/${method.bankCode.toLowerCase()}/pay/${token}` };
    }
  }
};

/** @param payee the organization that is paid */
export const fiatInstructions = (deposit: Named, payee: string): FiatInstructions | undefined => {
  const method = methodOfDeposit(deposit);
  if (method === undefined) return undefined;
  const { bankName, bankCode } = method;
  return { bankName, bankCode, accountName: payee, ...byKind(method, deposit, payee) };
};

export const cryptoInstructions = ({ depositId, input }: Named) => {
  const token = tokenOf(input.currency);
  if (token === undefined) return undefined;
  return {
    payoutWallet: walletAddress(token.blockchainType, `deposit\n${depositId}`),
    network: token.network,
    // On Stellar, several payees can share an address.
    ...(token.blockchainType === 'stellar' ? { memo: digits('memo', depositId, 10) } : {}),
  };
};

const payers = ['Ana Santoso', 'Budi Hartono', 'Chai Suksan', 'Maria Reyes', 'Linh Nguyen', 'Ravi Menon'];

/** The payer of a paid deposit. */
export const payerOf = (deposit: Named) => {
  const { depositId } = deposit;
  const method = methodOfDeposit(deposit);
  const name = payers[digestOf('payer', depositId).readUInt16BE(0) % payers.length];
  return {
    transactionCode: `TRX${digits('transaction', depositId, 12)}`,
    name,
    bankName: method?.bankName,
    accountNumber: digits('payer account', depositId, 10),
    // The merchant's number in a QR scheme.
    mid: method?.kind === 'qris' ? digits('merchant', depositId, 15) : undefined,
  };
};

/** The paying transaction and the wallet it came from, in the network's formats. */
export const paymentTrace = ({ depositId, input }: Named) => {
  const token = tokenOf(input.currency);
  if (token === undefined) return {};
  const transaction = digestOf('transaction', depositId).toString('hex');
  return {
    transactionHash: token.blockchainType === 'evm' ? `0x${transaction}` : transaction,
    senderWallet: walletAddress(token.blockchainType, `payer\n${depositId}`),
  };
};
