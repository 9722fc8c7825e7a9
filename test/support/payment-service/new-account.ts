import type { Account } from '../../../functions/payment-service/domain/account.ts';
import { accountOf } from '../../../functions/payment-service/domain/account.ts';

type Merchant = Parameters<typeof accountOf>[0];

/** The account of a merchant with everything enabled. */
export const newAccount = (change: Partial<Merchant> = {}): Account =>
  accountOf(
    {
      clientId: 'merchant',
      organizationName: 'Merchant Ltd',
      checkout: true,
      depositMethods: 'all',
      conversions: 'all',
      ...change,
    },
    0,
  );
