import type { Money } from '../money/money.ts';

/** How the sandbox treats a disbursement. `manual`: its status was set by hand, so it no longer moves by itself. */
export const outcomes = ['standard', 'fail', 'hold', 'retry', 'cancel', 'late', 'revert', 'manual'] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * The magic values of an outcome: the end of a bank account number or of a wallet address, or the outcome's own name after a
 * recipient id's `rcp_`. The end of an address uses only characters that are valid in hexadecimal and in base58.
 */
const magic: readonly (readonly [outcome: Outcome, accountEnding: string, walletEnding: string])[] = [
  ['fail', '9901', 'fa11'],
  ['hold', '9902', 'c4ec'],
  ['retry', '9903', '4e74'],
  ['cancel', '9904', 'ca2c'],
  ['late', '9905', '1a7e'],
  ['revert', '9906', 'bacc'],
];

const outcomeWhere = (sandbox: boolean, fits: (row: (typeof magic)[number]) => boolean): Outcome =>
  (sandbox ? magic.find(fits)?.[0] : undefined) ?? 'standard';

/** Outside a sandbox every disbursement is a standard one. */
export const outcomeForAccount = (sandbox: boolean, accountNumber: string): Outcome =>
  outcomeWhere(sandbox, ([, accountEnding]) => accountNumber.endsWith(accountEnding));

export const outcomeForRecipient = (sandbox: boolean, recipientId: string): Outcome =>
  outcomeWhere(sandbox, ([outcome]) => recipientId.startsWith(`rcp_${outcome}`));

export const outcomeForWallet = (sandbox: boolean, address: string): Outcome =>
  outcomeWhere(sandbox, ([, , walletEnding]) => address.toLowerCase().endsWith(walletEnding));

/** A conversion of an amount with this ending happens at another rate than its quote says. */
const movingAmountEnding = '.0013';

export const movesRate = (sandbox: boolean, input: Money): boolean =>
  sandbox && input.amount.endsWith(movingAmountEnding);

/** How the sandbox treats a deposit. `manual`: its status was set by hand, so it no longer moves by itself. */
export const depositOutcomes = ['standard', 'autopay', 'expire', 'manual'] as const;
type DepositOutcome = (typeof depositOutcomes)[number];

/** Decided by how the reference begins. Outside a sandbox, every deposit waits for its payer. */
export const outcomeForDeposit = (sandbox: boolean, reference: string | undefined): DepositOutcome => {
  if (!sandbox || reference === undefined) return 'standard';
  if (reference.startsWith('autopay')) return 'autopay';
  return reference.startsWith('expire') ? 'expire' : 'standard';
};
