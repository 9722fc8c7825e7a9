import * as z from 'zod';
import { depositStatuses, depositTypes } from '../../domain/deposits/deposit.ts';
import { depositKinds } from '../../domain/deposits/deposit-methods.ts';
import { amount, percentage, time } from './fields.ts';

const text = z.string().optional();

const paymentFiat = z
  .strictObject({
    bankName: z.string(),
    bankCode: z.string().meta({ description: 'As in the list of payment methods.' }),
    accountName: z.string(),
    accountNumber: text.meta({ description: 'Virtual accounts and bank transfers.' }),
    qrData: text.meta({ description: 'QR payments: what the QR code holds.' }),
    checkoutUrl: text.meta({ description: 'E-wallets.' }),
    accountAddress: text,
    bankAddress: text,
    paymentReference: text,
    routingNumber: z.strictObject({ primary: z.string(), ach: z.string(), wire: z.string() }).optional(),
    intlCode: z.strictObject({ swift: z.string(), bic: z.string() }).optional(),
  })
  .meta({ id: 'FiatPaymentInstructions', description: 'How a fiat deposit is paid, by the kind of its method.' });

const paymentCrypto = z
  .strictObject({
    payoutWallet: z.string(),
    network: z.string(),
    memo: text.meta({ description: 'On networks that use one; the payer must give it.' }),
  })
  .meta({ id: 'CryptoPaymentInstructions', description: 'Where a crypto deposit is paid to.' });

const status = z.enum(depositStatuses);

export const deposit = z
  .strictObject({
    depositId: z.string(),
    depositType: z.enum(depositTypes),
    userId: z.string(),
    depositBulkId: text.meta({ description: 'Of a deposit in a bulk; no endpoint makes bulks.' }),
    inputCurrency: z.string(),
    inputAmount: amount.meta({ description: 'What the payer pays, exactly.' }),
    exchangeRate: amount.optional().meta({
      description: 'As in exchangeInfo, 1 when nothing is converted; in the sandbox update only.',
    }),
    outputCurrency: z.string(),
    outputAmount: amount.meta({ description: 'What the balance gains, after the fee.' }),
    fee: z.strictObject({ amount, percentage, currency: z.string() }),
    paymentFiat: paymentFiat.optional(),
    paymentCrypto: paymentCrypto.optional(),
    transactionHash: text.meta({ description: 'Crypto, once paid.' }),
    senderWallet: text.meta({ description: 'Crypto, once paid.' }),
    status,
    activityHistory: z.array(
      z.strictObject({ activity: z.string(), status, description: z.string(), updatedAt: time }),
    ),
    reference: text,
    note: text,
    bankNote: text.meta({ description: 'Fiat, once paid.' }),
    exchangeInfo: z
      .strictObject({ exchangeRate: amount, outputCurrency: z.string(), outputAmount: amount })
      .optional()
      .meta({
        description:
          'When it is converted. The rate is fiat for one token, of two of a kind output for one unit of input. The amount is after the conversion fee.',
      }),
    payerInfo: z
      .strictObject({
        transactionCode: text,
        name: text,
        bankName: text,
        accountNumber: text,
        mid: text,
      })
      .optional()
      .meta({ description: 'Fiat, once paid.' }),
    settlementType: text.meta({ description: 'Fiat, once paid.' }),
    expiredAt: time.meta({ description: 'From then on it cannot be paid.' }),
    paidAt: time.optional(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Deposit', description: 'A deposit. Fields without a value are left out.' });

export const depositPaymentMethod = z
  .strictObject({
    depositPaymentType: z.enum(depositKinds),
    bankName: z.string(),
    bankCode: z.string().meta({ description: 'What `paymentMethod` of a creation takes.' }),
    currency: z.string(),
    minimumAmount: amount,
    maximumAmount: amount,
    image: z.url(),
    feeFlat: amount,
    feePercentage: percentage,
  })
  .meta({ id: 'DepositPaymentMethod', description: 'A way to pay a fiat deposit.' });

export const createdCheckout = z
  .strictObject({
    id: z.string().meta({ description: 'Also the id of the one deposit that the checkout can make.' }),
    url: z.url().meta({ description: 'The payment page, valid for 15 minutes.' }),
  })
  .meta({ id: 'Checkout' });
