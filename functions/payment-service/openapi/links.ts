import type { Json } from './json-schemas.ts';

const deposit = {
  getDeposit: 'depositIdOrReference',
  updateDepositStatus: 'depositIdOrReference',
  cancelDeposit: 'depositId',
};
const disbursement = { updateDisbursementStatus: 'disbursementId' };
const checkout = {
  showCheckoutPage: 'checkoutId',
  getCheckoutState: 'checkoutId',
  showCheckoutQr: 'checkoutId',
  pickCheckoutMethod: 'checkoutId',
  payCheckout: 'checkoutId',
  // After a method is picked, a checkout's id is also a deposit's id.
  getFiatDeposit: 'idOrReference',
  updateDepositStatus: 'depositIdOrReference',
};

/** For each record: the operations on it, and the name of its id in each. */
const follow = {
  deposit,
  fiatDeposit: { ...deposit, getFiatDeposit: 'idOrReference' },
  cryptoDeposit: { ...deposit, getCryptoDeposit: 'idOrReference' },
  fiatDisbursement: { ...disbursement, getFiatDisbursement: 'idOrReference', downloadTransferProof: 'disbursementId' },
  cryptoDisbursement: { ...disbursement, getCryptoDisbursement: 'idOrReference' },
  checkout,
  pickedCheckout: { ...checkout, ...deposit },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** For each operation: where its success contains an id, and which record that id belongs to. */
const idsInAnswers: Readonly<Record<string, readonly [id: string, record: keyof typeof follow]>> = {
  createFiatDeposit: ['$response.body#/data/depositId', 'fiatDeposit'],
  createCryptoDeposit: ['$response.body#/data/depositId', 'cryptoDeposit'],
  listFiatDeposits: ['$response.body#/data/docs/0/depositId', 'fiatDeposit'],
  listCryptoDeposits: ['$response.body#/data/docs/0/depositId', 'cryptoDeposit'],
  listDeposits: ['$response.body#/data/docs/0/depositId', 'deposit'],
  updateDepositStatus: ['$response.body#/data/depositId', 'deposit'],
  createFiatDisbursements: ['$response.body#/data/disburseData/0/disbursementId', 'fiatDisbursement'],
  createFiatDisbursementsV1: ['$response.body#/data/disburseData/0/disbursementId', 'fiatDisbursement'],
  createCryptoDisbursements: ['$response.body#/data/disburseData/0/disbursementId', 'cryptoDisbursement'],
  listFiatDisbursements: ['$response.body#/data/docs/0/disbursementId', 'fiatDisbursement'],
  listCryptoDisbursements: ['$response.body#/data/docs/0/disbursementId', 'cryptoDisbursement'],
  createCheckout: ['$response.body#/data/id', 'checkout'],
  pickCheckoutMethod: ['$request.path.checkoutId', 'pickedCheckout'],
};

/** The OpenAPI links of an operation's success, so that tools can follow a record. Empty when it contains no id. */
export const linksOf = (operationId: string): Json => {
  const answered = idsInAnswers[operationId];
  if (answered === undefined) return {};
  const [id, record] = answered;
  const links = Object.entries(follow[record]).map(
    ([followed, parameter]) => [followed, { operationId: followed, parameters: { [parameter]: id } }] as const,
  );
  // The next page of a list, without the filters.
  const next = { operationId, parameters: { page: '$response.body#/data/nextPage' } };
  const isList = operationId.startsWith('list');
  return { links: { ...Object.fromEntries(links), ...(isList && { [`${operationId}Next`]: next }) } };
};
