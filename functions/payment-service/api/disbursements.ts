import { serveEndpoints } from '../service-runtime.ts';
import { createCryptoDisbursements } from './create-crypto-disbursements.ts';
import { createFiatDisbursements } from './create-fiat-disbursements.ts';
import { estimateCryptoFee } from './estimate-crypto-fee.ts';
import { getCryptoDisbursement } from './get-crypto-disbursement.ts';
import { getFiatDisbursement } from './get-fiat-disbursement.ts';
import { listCryptoDisbursements } from './list-crypto-disbursements.ts';
import { listCryptoPaymentMethods } from './list-crypto-payment-methods.ts';
import { listFiatDisbursements } from './list-fiat-disbursements.ts';
import { listFiatPaymentMethods } from './list-fiat-payment-methods.ts';
import { updateDisbursementStatus } from './update-disbursement-status.ts';

/** Serves disbursements of both rails but for the transfer proof. */
export const handler = serveEndpoints([
  createFiatDisbursements,
  createCryptoDisbursements,
  listFiatDisbursements,
  listCryptoDisbursements,
  getFiatDisbursement,
  getCryptoDisbursement,
  listFiatPaymentMethods,
  listCryptoPaymentMethods,
  estimateCryptoFee,
  updateDisbursementStatus,
]);
