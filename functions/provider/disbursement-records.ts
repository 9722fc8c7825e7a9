import { hashDestination } from '../domain/batch/chunk.ts';
import { Money } from '../domain/money/money.ts';
import type { Rail } from '../domain/payout/payout.ts';
import type { ObservedStatus } from '../domain/payout/payout-status.ts';
import type { Log } from '../ports/environment.ts';
import type { Disbursement, PaymentProvider } from '../ports/provider.ts';
import type { CryptoDisbursement } from './client/crypto-disbursements.ts';
import type { FiatDisbursement } from './client/fiat-disbursements.ts';
import { textWithout } from './refusal.ts';

/** The service's words, both rails', in ours. Fiat shows three of them only; the others would mean the same there. */
const words = {
  pending: 'pending',
  pending_retry: 'pending',
  processed: 'pending',
  need_check: 'on_hold',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
} as const satisfies Record<string, ObservedStatus>;

const statuses: ReadonlyMap<string, ObservedStatus> = new Map(Object.entries(words));

/** The words by which each rail's list may be filtered, from the document. */
const listedWords = {
  fiat: { open: ['pending'], ended: ['completed', 'failed'] },
  crypto: {
    open: ['pending', 'pending_retry', 'processed', 'need_check'],
    ended: ['completed', 'failed', 'canceled'],
  },
} as const satisfies Record<Rail, Record<'open' | 'ended', readonly (keyof typeof words)[]>>;

export const statusLists: PaymentProvider['statusLists'] = (rail, kind) => listedWords[rail][kind];

/**
 * A word we do not know is `pending`: it must never end a payout, and asking again costs a read. It is logged, so that
 * somebody learns of it.
 */
const observedStatus = (log: Pick<Log, 'warn'>, disbursementId: string, word: string): ObservedStatus => {
  const known = statuses.get(word.trim().toLowerCase());
  if (known === undefined)
    log.warn('provider.status_word_unknown', { disbursementId, word: word.replace(/[^A-Za-z_]/g, '').slice(0, 40) });
  return known ?? 'pending';
};

const told = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text);

/** A time in one form, so that texts sort as times do; undefined for what is none. */
const timeOf = (text: string | undefined): string | undefined => {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
};

const hashBankDestination = (recipient: FiatDisbursement['recipient']): string | undefined => {
  const recipientId = told(recipient?.recipientId);
  if (recipientId !== undefined) return hashDestination({ kind: 'recipientId', recipientId });
  const bankCode = told(recipient?.bank?.bankCode);
  const accountNumber = told(recipient?.bank?.accountNumber);
  if (bankCode === undefined || accountNumber === undefined) return undefined;
  return hashDestination({ kind: 'bank', bankCode, accountNumber, bankName: '', accountName: '' });
};

/** Statuses beside which a reader asks why. */
const explained: readonly (ObservedStatus | undefined)[] = ['failed', 'canceled', 'on_hold'];

const sameWord = (one: string | undefined, other: string): boolean =>
  one?.trim().toLowerCase() === other.trim().toLowerCase();

/** What the newest entry of the history says that is of the record's status. Its description may repeat the recipient. */
const statusTextOf = (
  { status, activityHistory = [] }: FiatDisbursement | CryptoDisbursement,
  ofRecipient: readonly (string | undefined)[],
): string | undefined => {
  if (!explained.includes(statuses.get(status.trim().toLowerCase()))) return undefined;
  const entry = activityHistory.findLast((one) => sameWord(one.status, status) && told(one.description) !== undefined);
  return entry?.description === undefined ? undefined : told(textWithout(ofRecipient, entry.description));
};

const optionalFields = (
  currency: string,
  record: FiatDisbursement | CryptoDisbursement,
  destinationHash: string | undefined,
  ofRecipient: readonly (string | undefined)[],
) => {
  const reference = told(record.reference);
  const [createdAt, updatedAt] = [timeOf(record.createdAt), timeOf(record.updatedAt)];
  const statusText = statusTextOf(record, ofRecipient);
  return {
    ...(reference !== undefined && { reference }),
    ...(record.feeAmount !== undefined && { fee: Money.of(record.feeAmount, currency) }),
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(destinationHash !== undefined && { destinationHash }),
    ...(statusText !== undefined && { statusText }),
  };
};

/** A fiat record in our words. */
export const disbursementOfFiat = (log: Pick<Log, 'warn'>, record: FiatDisbursement): Disbursement => {
  const currency = record.currency.toUpperCase();
  return {
    disbursementId: record.disbursementId,
    rail: 'fiat',
    amount: Money.of(record.amount, currency),
    status: observedStatus(log, record.disbursementId, record.status),
    providerStatus: record.status,
    ...optionalFields(currency, record, hashBankDestination(record.recipient), [
      record.recipient?.recipientId,
      record.recipient?.name,
      record.recipient?.email,
      record.recipient?.bank?.accountName,
      record.recipient?.bank?.accountNumber,
      record.recipient?.verification?.suppliedName,
    ]),
  };
};

/**
 * Our currency code `<token>-<network>` from a record's two fields. The service takes the whole code as `token` when
 * creating, so `token` may or may not hold the network already.
 */
const currencyCode = (token: string, network: string | undefined): string => {
  const lower = token.toLowerCase();
  const suffix = network === undefined || network === '' ? '' : `-${network.toLowerCase()}`;
  return lower.endsWith(suffix) ? lower : `${lower}${suffix}`;
};

/** A crypto record in our words. */
export const disbursementOfCrypto = (log: Pick<Log, 'warn'>, record: CryptoDisbursement): Disbursement => {
  const walletAddress = told(record.receiverAddress);
  const hash = walletAddress === undefined ? undefined : hashDestination({ kind: 'wallet', walletAddress });
  const currency = currencyCode(record.token, record.network);
  return {
    disbursementId: record.disbursementId,
    rail: 'crypto',
    amount: Money.of(record.amount, currency),
    status: observedStatus(log, record.disbursementId, record.status),
    providerStatus: record.status,
    ...optionalFields(currency, record, hash, [walletAddress]),
  };
};
