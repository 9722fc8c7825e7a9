import type { Json } from './json-schemas.ts';

/** Operations that follow a record, and what each calls its id. */
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
    // Once a method is picked it is the id of a deposit.
    getFiatDeposit: 'idOrReference',
    updateDepositStatus: 'depositIdOrReference',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type Followed = readonly (keyof typeof follow)[];

const fiatDeposit: Followed = ['deposit', 'fiatDeposit'];
const cryptoDeposit: Followed = ['deposit', 'cryptoDeposit'];
const fiatDisbursement: Followed = ['disbursement', 'fiatDisbursement'];
const cryptoDisbursement: Followed = ['disbursement', 'cryptoDisbursement'];

/** Which records an operation's success tells, and where it tells the id. */
const told: Readonly<Record<string, readonly [id: string, records: Followed]>> = {
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

/** OpenAPI's links of an operation's success, so that tools can follow a record; none where it tells of none. */
export const linksOf = (operationId: string): Json => {
  const [id, records] = told[operationId] ?? ['', []];
  const links = Object.fromEntries(
    records
      .flatMap((record) => Object.entries(follow[record]))
      .map(([followed, parameter]) => [followed, { operationId: followed, parameters: { [parameter]: id } }]),
  );
  const next = operationId.startsWith('list') && records.length > 0 ? nextPage(operationId) : {};
  const all = { ...links, ...next };
  return Object.keys(all).length === 0 ? {} : { links: all };
};

/** The next page of a list; filters are left out. */
const nextPage = (operationId: string): Json => ({
  [`${operationId}Next`]: { operationId, parameters: { page: '$response.body#/data/nextPage' } },
});
