import type { Money } from '../money/money.ts';

/** What the sandbox makes of a disbursement. `manual` is one whose status was set by hand: it moves by itself no more. */
export const outcomes = ['standard', 'fail', 'hold', 'retry', 'cancel', 'late', 'revert', 'manual'] as const;
export type Outcome = (typeof outcomes)[number];

type MagicRow = readonly [ending: string, outcome: Outcome];

/** Last digits of a bank account number. */
const accountEndings: readonly MagicRow[] = [
  ['9901', 'fail'],
  ['9902', 'hold'],
  ['9903', 'retry'],
  ['9904', 'cancel'],
  ['9905', 'late'],
  ['9906', 'revert'],
];

/** Beginnings of a recipient id, after `rcp_`. */
const recipientBeginnings: readonly MagicRow[] = [
  ['fail', 'fail'],
  ['hold', 'hold'],
  ['retry', 'retry'],
  ['cancel', 'cancel'],
  ['late', 'late'],
  ['revert', 'revert'],
];

/** Last characters of a wallet address; all are letters and digits that both hexadecimal and base58 have. */
const walletEndings: readonly MagicRow[] = [
  ['fa11', 'fail'],
  ['c4ec', 'hold'],
  ['4e74', 'retry'],
  ['ca2c', 'cancel'],
  ['1a7e', 'late'],
  ['bacc', 'revert'],
];

const match = (rows: readonly MagicRow[], fits: (part: string) => boolean): Outcome =>
  rows.find(([part]) => fits(part))?.[1] ?? 'standard';

/** Outside a sandbox every disbursement is a standard one. */
export const outcomeForAccount = (sandbox: boolean, accountNumber: string): Outcome =>
  sandbox ? match(accountEndings, (ending) => accountNumber.endsWith(ending)) : 'standard';

export const outcomeForRecipient = (sandbox: boolean, recipientId: string): Outcome =>
  sandbox ? match(recipientBeginnings, (beginning) => recipientId.startsWith(`rcp_${beginning}`)) : 'standard';

export const outcomeForWallet = (sandbox: boolean, address: string): Outcome =>
  sandbox ? match(walletEndings, (ending) => address.toLowerCase().endsWith(ending)) : 'standard';

/** A conversion of an amount that ends so happens at another rate than its quote says. */
const movingAmountEnding = '.0013';

export const movesRate = (sandbox: boolean, input: Money): boolean =>
  sandbox && input.amount.endsWith(movingAmountEnding);

/** What the sandbox makes of a deposit. `manual` is one whose status was set by hand: it moves by itself no more. */
export const depositOutcomes = ['standard', 'autopay', 'expire', 'manual'] as const;
export type DepositOutcome = (typeof depositOutcomes)[number];

/** By how its reference begins. Outside a sandbox every deposit waits for its payer. */
export const outcomeForDeposit = (sandbox: boolean, reference: string | undefined): DepositOutcome => {
  if (!sandbox || reference === undefined) return 'standard';
  if (reference.startsWith('autopay')) return 'autopay';
  return reference.startsWith('expire') ? 'expire' : 'standard';
};
