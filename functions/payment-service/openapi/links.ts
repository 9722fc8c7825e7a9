import type { Json } from './json-schemas.ts';

/** For each record: the operations on it, and the name of its id in each. */
const follow = {
  deposit: {
    getDeposit: 'depositIdOrReference',
    updateDepositStatus: 'depositIdOrReference',
    cancelDeposit: 'depositId',
  },
  fiatDeposit: { getFiatDeposit: 'idOrReference' },
  cryptoDeposit: { getCryptoDeposit: 'idOrReference' },
  disbursement: { updateDisbursementStatus: 'disbursementId' },
  fiatDisbursement: { getFiatDisbursement: 'idOrReference', downloadTransferProof: 'disbursementId' },
  cryptoDisbursement: { getCryptoDisbursement: 'idOrReference' },
  checkout: {
    showCheckoutPage: 'checkoutId',
    getCheckoutState: 'checkoutId',
    showCheckoutQr: 'checkoutId',
    pickCheckoutMethod: 'checkoutId',
    payCheckout: 'checkoutId',
    // After a method is picked, a checkout's id is also a deposit's id.
    getFiatDeposit: 'idOrReference',
    updateDepositStatus: 'depositIdOrReference',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type Followed = readonly (keyof typeof follow)[];

const fiatDeposit: Followed = ['deposit', 'fiatDeposit'];
const cryptoDeposit: Followed = ['deposit', 'cryptoDeposit'];
const fiatDisbursement: Followed = ['disbursement', 'fiatDisbursement'];
const cryptoDisbursement: Followed = ['disbursement', 'cryptoDisbursement'];

/** For each operation: where its success contains an id, and which records that id belongs to. */
const idsInAnswers: Readonly<Record<string, readonly [id: string, records: Followed]>> = {
  createFiatDeposit: ['$response.body#/data/depositId', fiatDeposit],
  createCryptoDeposit: ['$response.body#/data/depositId', cryptoDeposit],
  listFiatDeposits: ['$response.body#/data/docs/0/depositId', fiatDeposit],
  listCryptoDeposits: ['$response.body#/data/docs/0/depositId', cryptoDeposit],
  listDeposits: ['$response.body#/data/docs/0/depositId', ['deposit']],
  updateDepositStatus: ['$response.body#/data/depositId', ['deposit']],
  createFiatDisbursements: ['$response.body#/data/disburseData/0/disbursementId', fiatDisbursement],
  createFiatDisbursementsV1: ['$response.body#/data/disburseData/0/disbursementId', fiatDisbursement],
  createCryptoDisbursements: ['$response.body#/data/disburseData/0/disbursementId', cryptoDisbursement],
  listFiatDisbursements: ['$response.body#/data/docs/0/disbursementId', fiatDisbursement],
  listCryptoDisbursements: ['$response.body#/data/docs/0/disbursementId', cryptoDisbursement],
  createCheckout: ['$response.body#/data/id', ['checkout']],
  pickCheckoutMethod: ['$request.path.checkoutId', ['checkout', 'deposit']],
};

/** The OpenAPI links of an operation's success, so that tools can follow a record. Empty when it contains no id. */
export const linksOf = (operationId: string): Json => {
  const [id, records] = idsInAnswers[operationId] ?? ['', []];
  const links = Object.fromEntries(
    records
      .flatMap((record) => Object.entries(follow[record]))
      .map(([followed, parameter]) => [followed, { operationId: followed, parameters: { [parameter]: id } }]),
  );
  // The next page of a list, without the filters.
  const next = { operationId, parameters: { page: '$response.body#/data/nextPage' } };
  const all = operationId.startsWith('list') && records.length > 0 ? { ...links, [`${operationId}Next`]: next } : links;
  return Object.keys(all).length === 0 ? {} : { links: all };
};
