import * as z from 'zod';
import { activity } from '../../../functions/provider/client/page.ts';
import { amount, decimal, informative, optional, text } from '../../../functions/provider/wire-values.ts';

const paymentFiat = z.object({
  bankName: text(),
  bankCode: text(),
  accountName: text(),
  accountNumber: text(),
  qrData: text(),
  /** The name in the public document's model. Its examples use `qrData`. */
  qrCode: text(),
  checkoutUrl: text(),
  accountAddress: text(),
  bankAddress: text(),
  paymentReference: text(),
  routingNumber: informative(z.object({ primary: text(), ach: text(), wire: text() })),
  intlCode: informative(z.object({ swift: text(), bic: text() })),
});

/** Some answers about fiat deposits contain an empty object here. */
const paymentCrypto = z.object({ payoutWallet: text(), network: text(), memo: text() });

/** A deposit. The service omits fields without a value. */
export const depositRecord = z.object({
  depositId: z.string().min(1),
  /** `pending`, `expired` or `completed`. */
  status: z.string(),
  depositType: text(),
  userId: text(),
  depositBulkId: text(),
  inputCurrency: text(),
  inputAmount: optional(amount()),
  exchangeRate: optional(decimal()),
  outputCurrency: text(),
  outputAmount: optional(amount()),
  fee: informative(z.object({ amount: amount(), percentage: informative(decimal()), currency: text() })),
  paymentFiat: informative(paymentFiat),
  paymentCrypto: informative(paymentCrypto),
  transactionHash: text(),
  senderWallet: text(),
  activityHistory: informative(z.array(activity())),
  reference: optional(z.string()),
  note: text(),
  bankNote: text(),
  exchangeInfo: informative(z.object({ exchangeRate: decimal(), outputCurrency: z.string(), outputAmount: amount() })),
  payerInfo: informative(
    z.object({ transactionCode: text(), name: text(), bankName: text(), accountNumber: text(), mid: text() }),
  ),
  settlementType: text(),
  expiredAt: text(),
  paidAt: text(),
  createdAt: text(),
  updatedAt: text(),
});

/** A way to pay a fiat deposit. */
export const depositPaymentMethod = z.object({
  depositPaymentType: text(),
  bankName: text(),
  bankCode: z.string().min(1),
  currency: z.string().min(1),
  minimumAmount: amount(),
  maximumAmount: amount(),
  image: text(),
  feeFlat: amount(),
  feePercentage: amount(),
});
