import { createCryptoDisbursements } from '../api/disbursements/create-crypto-disbursements.ts';
import { createFiatDisbursements } from '../api/disbursements/create-fiat-disbursements.ts';
import { createFiatDisbursementsV1 } from '../api/disbursements/create-fiat-disbursements-v1.ts';
import { estimateCryptoFee } from '../api/disbursements/estimate-crypto-fee.ts';
import { getCryptoDisbursement } from '../api/disbursements/get-crypto-disbursement.ts';
import { getFiatDisbursement } from '../api/disbursements/get-fiat-disbursement.ts';
import { listCryptoDisbursements } from '../api/disbursements/list-crypto-disbursements.ts';
import { listCryptoPaymentMethods } from '../api/disbursements/list-crypto-payment-methods.ts';
import { listFiatDisbursements } from '../api/disbursements/list-fiat-disbursements.ts';
import { listFiatPaymentMethods } from '../api/disbursements/list-fiat-payment-methods.ts';
import { updateDisbursementStatus } from '../api/disbursements/update-disbursement-status.ts';
import type { Service } from '../api/service.ts';
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
