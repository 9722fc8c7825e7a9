import { cancelDeposit } from '../api/deposits/cancel-deposit.ts';
import { createCheckout } from '../api/deposits/create-checkout.ts';
import { createCryptoDeposit } from '../api/deposits/create-crypto-deposit.ts';
import { createFiatDeposit } from '../api/deposits/create-fiat-deposit.ts';
import { getCryptoDeposit } from '../api/deposits/get-crypto-deposit.ts';
import { getDeposit } from '../api/deposits/get-deposit.ts';
import { getFiatDeposit } from '../api/deposits/get-fiat-deposit.ts';
import { listCryptoDeposits } from '../api/deposits/list-crypto-deposits.ts';
import { listDepositPaymentMethods } from '../api/deposits/list-deposit-payment-methods.ts';
import { listDeposits } from '../api/deposits/list-deposits.ts';
import { listFiatDeposits } from '../api/deposits/list-fiat-deposits.ts';
import { updateDepositStatus } from '../api/deposits/update-deposit-status.ts';
import type { Service } from '../api/service.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** Deposits of both types, and the creation of checkouts. */
export const deposits: readonly Endpoint<Service>[] = [
  createFiatDeposit,
  createCryptoDeposit,
  listFiatDeposits,
  listCryptoDeposits,
  listDeposits,
  getFiatDeposit,
  getCryptoDeposit,
  getDeposit,
  listDepositPaymentMethods,
  cancelDeposit,
  updateDepositStatus,
  createCheckout,
];
