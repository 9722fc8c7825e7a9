import { cancelDeposit } from '../api/cancel-deposit.ts';
import { createCheckout } from '../api/create-checkout.ts';
import { createCryptoDeposit } from '../api/create-crypto-deposit.ts';
import { createFiatDeposit } from '../api/create-fiat-deposit.ts';
import { getCryptoDeposit } from '../api/get-crypto-deposit.ts';
import { getDeposit } from '../api/get-deposit.ts';
import { getFiatDeposit } from '../api/get-fiat-deposit.ts';
import { listCryptoDeposits } from '../api/list-crypto-deposits.ts';
import { listDepositPaymentMethods } from '../api/list-deposit-payment-methods.ts';
import { listDeposits } from '../api/list-deposits.ts';
import { listFiatDeposits } from '../api/list-fiat-deposits.ts';
import type { Service } from '../api/service.ts';
import { updateDepositStatus } from '../api/update-deposit-status.ts';
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
