import type { Endpoint } from '../http/endpoint.ts';
import { estimateConversion } from './conversions/estimate-conversion.ts';
import { executeConversion } from './conversions/execute-conversion.ts';
import { cancelDeposit } from './deposits/cancel-deposit.ts';
import { createCheckout } from './deposits/create-checkout.ts';
import { createCryptoDeposit } from './deposits/create-crypto-deposit.ts';
import { createFiatDeposit } from './deposits/create-fiat-deposit.ts';
import { getCryptoDeposit } from './deposits/get-crypto-deposit.ts';
import { getDeposit } from './deposits/get-deposit.ts';
import { getFiatDeposit } from './deposits/get-fiat-deposit.ts';
import { listCryptoDeposits } from './deposits/list-crypto-deposits.ts';
import { listDepositPaymentMethods } from './deposits/list-deposit-payment-methods.ts';
import { listDeposits } from './deposits/list-deposits.ts';
import { listFiatDeposits } from './deposits/list-fiat-deposits.ts';
import { updateDepositStatus } from './deposits/update-deposit-status.ts';
import { createCryptoDisbursements } from './disbursements/create-crypto-disbursements.ts';
import { createFiatDisbursements } from './disbursements/create-fiat-disbursements.ts';
import { createFiatDisbursementsV1 } from './disbursements/create-fiat-disbursements-v1.ts';
import { downloadTransferProof } from './disbursements/download-transfer-proof.ts';
import { estimateCryptoFee } from './disbursements/estimate-crypto-fee.ts';
import { getCryptoDisbursement } from './disbursements/get-crypto-disbursement.ts';
import { getFiatDisbursement } from './disbursements/get-fiat-disbursement.ts';
import { listCryptoDisbursements } from './disbursements/list-crypto-disbursements.ts';
import { listCryptoPaymentMethods } from './disbursements/list-crypto-payment-methods.ts';
import { listFiatDisbursements } from './disbursements/list-fiat-disbursements.ts';
import { listFiatPaymentMethods } from './disbursements/list-fiat-payment-methods.ts';
import { updateDisbursementStatus } from './disbursements/update-disbursement-status.ts';
import { getBalance } from './get-balance.ts';
import { getOpenApiDocument } from './get-openapi-document.ts';
import { listCryptoReferences } from './references/list-crypto-references.ts';
import { listCurrencyReferences } from './references/list-currency-references.ts';
import { getFaults } from './sandbox/get-faults.ts';
import { getSandbox } from './sandbox/get-sandbox.ts';
import { moveSandboxClock } from './sandbox/move-sandbox-clock.ts';
import { resetSandbox } from './sandbox/reset-sandbox.ts';
import { setFaults } from './sandbox/set-faults.ts';
import { setSandboxRate } from './sandbox/set-sandbox-rate.ts';

/*
 * Which Lambda function serves which endpoints: one object per function, imported by its file in handlers/. The bundler
 * drops those that a function does not import, with all their code. An endpoint's name is its id in the OpenAPI document.
 */

export const balanceAndConvert = {
  getBalance,
  estimateConversion,
  executeConversion,
  listCurrencyReferences,
  listCryptoReferences,
  getOpenApiDocument,
};

export const disbursements = {
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
};

export const deposits = {
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
};

export const transferProofs = { downloadTransferProof };

/** Deployed only with a sandbox. */
export const sandboxControls = {
  getSandbox,
  moveSandboxClock,
  setSandboxRate,
  getFaults,
  setFaults,
  resetSandbox,
};

/** Every endpoint of the service. This is a function, because the bundler would keep an object of objects. */
export const everyEndpoint = (): Readonly<Record<string, Endpoint>> => ({
  ...balanceAndConvert,
  ...disbursements,
  ...deposits,
  ...transferProofs,
  ...sandboxControls,
});
