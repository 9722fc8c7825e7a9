import * as z from 'zod';
import { amount, percentage } from './fields.ts';

const fees = { feeFlat: amount, feePercentage: percentage };

export const fiatPaymentMethod = z
  .strictObject({
    currency: z.string(),
    bankCode: z.string(),
    bankName: z.string(),
    minAmount: amount,
    maxAmount: amount,
    ...fees,
  })
  .meta({ id: 'FiatPaymentMethod', description: 'A bank that can be paid.' });

export const cryptoPaymentMethod = z
  .strictObject({
    currency: z.string().meta({ description: 'What `token` of a creation takes.' }),
    network: z.string(),
    symbol: z.string(),
    name: z.string(),
    minimumAmount: amount,
    maximumAmount: amount,
    ...fees,
  })
  .meta({ id: 'CryptoPaymentMethod', description: 'A token that can be paid out.' });
