import { createCryptoDisbursements } from '../api/create-crypto-disbursements.ts';
import { createFiatDisbursements } from '../api/create-fiat-disbursements.ts';
import { createFiatDisbursementsV1 } from '../api/create-fiat-disbursements-v1.ts';
import { estimateCryptoFee } from '../api/estimate-crypto-fee.ts';
import { getCryptoDisbursement } from '../api/get-crypto-disbursement.ts';
import { getFiatDisbursement } from '../api/get-fiat-disbursement.ts';
import { listCryptoDisbursements } from '../api/list-crypto-disbursements.ts';
import { listCryptoPaymentMethods } from '../api/list-crypto-payment-methods.ts';
import { listFiatDisbursements } from '../api/list-fiat-disbursements.ts';
import { listFiatPaymentMethods } from '../api/list-fiat-payment-methods.ts';
import type { Service } from '../api/service.ts';
import { updateDisbursementStatus } from '../api/update-disbursement-status.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** Disbursements of both rails but for the transfer proof. */
export const disbursements: readonly Endpoint<Service>[] = [
  createFiatDisbursements,
  createFiatDisbursementsV1,
  createCryptoDisbursements,
  listFiatDisbursements,
  listCryptoDisbursements,
  getFiatDisbursement,
  getCryptoDisbursement,
  listFiatPaymentMethods,
  listCryptoPaymentMethods,
  estimateCryptoFee,
  updateDisbursementStatus,
];
