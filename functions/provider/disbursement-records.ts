import { given } from '../domain/given.ts';
import { isKnownNetwork } from '../domain/money/currency.ts';
import { Money } from '../domain/money/money.ts';
import { formerHash, hashDestination } from '../domain/payout/destination.ts';
import type { Rail } from '../domain/payout/payout.ts';
import type { ObservedStatus } from '../domain/payout/payout-status.ts';
import type { Log } from '../ports/environment.ts';
import type { Disbursement, PaymentProvider } from '../ports/provider.ts';
import type { CryptoDisbursement } from './client/crypto-disbursements.ts';
import type { FiatDisbursement } from './client/fiat-disbursements.ts';
import { textWithout } from './refusal.ts';

export type DisbursementRecord = FiatDisbursement | CryptoDisbursement;

/** Maps the service's statuses to ours, for both rails. Fiat uses only three of them; the others would mean the same there. */
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

/** The statuses that each rail's list can be filtered by, from the document. */
const listedWords = {
  fiat: { open: ['pending'], ended: ['completed', 'failed'] },
  crypto: {
    open: ['pending', 'pending_retry', 'processed', 'need_check'],
    ended: ['completed', 'failed', 'canceled'],
  },
} as const satisfies Record<Rail, Record<'open' | 'ended', readonly (keyof typeof words)[]>>;

/** The provider's words of the statuses to list, on each rail. */
export const statusLists: PaymentProvider['statusLists'] = (rail, kind) => listedWords[rail][kind];

/**
 * An unknown status is read as `pending`: it must never end a payout, and asking again costs one read. It is logged, so that
 * someone notices.
 */
const observedStatus = (log: Pick<Log, 'warn'>, disbursementId: string, word: string): ObservedStatus => {
  const known = statuses.get(word.trim().toLowerCase());
  if (known === undefined)
    log.warn('provider.status_word_unknown', { disbursementId, word: word.replace(/[^A-Za-z_]/g, '').slice(0, 40) });
  return known ?? 'pending';
};

const nonEmpty = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : text;

/** A time in ISO 8601, so that texts sort as times do. Undefined when the text is not a time. */
const timeOf = (text: string | undefined): string | undefined => {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
};

const hashBankDestination = ({ recipient }: FiatDisbursement): string | undefined => {
  const recipientId = nonEmpty(recipient?.recipientId);
  if (recipientId !== undefined) return hashDestination({ kind: 'recipientId', recipientId });
  const bankCode = nonEmpty(recipient?.bank?.bankCode);
  const accountNumber = nonEmpty(recipient?.bank?.accountNumber);
  if (bankCode === undefined || accountNumber === undefined) return undefined;
  return hashDestination({ kind: 'bank', bankCode, accountNumber, bankName: '', accountName: '' });
};

/** Statuses that need an explanation. */
const explained: readonly (ObservedStatus | undefined)[] = ['failed', 'canceled', 'on_hold'];

const sameWord = (one: string | undefined, other: string): boolean =>
  one?.trim().toLowerCase() === other.trim().toLowerCase();

/** The description of the newest history entry with the record's status. The recipient's data is masked in it. */
const statusTextOf = (
  { status, activityHistory = [] }: DisbursementRecord,
  ofRecipient: readonly (string | undefined)[],
): string | undefined => {
  if (!explained.includes(statuses.get(status.trim().toLowerCase()))) return undefined;
  const entry = activityHistory.findLast(
    (one) => sameWord(one.status, status) && nonEmpty(one.description) !== undefined,
  );
  return entry?.description === undefined ? undefined : nonEmpty(textWithout(ofRecipient, entry.description));
};

/**
 * Our currency code `<token>-<network>` from a record's two fields. Creation takes the whole code as `token`, and a record may
 * repeat it, beside a `network` in other words (`TRC20`). A known network that is not the code's is a difference, which must show.
 */
const currencyCode = (token: string, network: string | undefined): string => {
  const code = token.toLowerCase();
  if (network === undefined || network === '') return code;
  const named = network.toLowerCase();
  const isWhole = code.endsWith(`-${named}`) || (code.includes('-') && !isKnownNetwork(named));
  return isWhole ? code : `${code}-${named}`;
};

/** The fields that a rail's records have in a form of their own. */
const ofFiat = (record: FiatDisbursement) => ({
  rail: 'fiat' as const,
  currency: record.currency.toUpperCase(),
  destinationHash: hashBankDestination(record),
  formerHash: undefined,
  // The recipient's data, which no text may repeat.
  personal: [
    record.recipient?.recipientId,
    record.recipient?.name,
    record.recipient?.email,
    record.recipient?.bank?.accountName,
    record.recipient?.bank?.accountNumber,
    record.recipient?.verification?.suppliedName,
  ],
});

const ofCrypto = (record: CryptoDisbursement) => {
  const walletAddress = nonEmpty(record.receiverAddress);
  const recipient = walletAddress === undefined ? undefined : ({ kind: 'wallet', walletAddress } as const);
  return {
    rail: 'crypto' as const,
    currency: currencyCode(record.token, record.network),
    destinationHash: recipient && hashDestination(recipient),
    formerHash: recipient && formerHash(recipient),
    personal: [walletAddress],
  };
};

/** Converts a record of either rail. */
export const disbursementOf = (log: Pick<Log, 'warn'>, record: DisbursementRecord): Disbursement => {
  const { rail, currency, personal, ...hashes } = 'token' in record ? ofCrypto(record) : ofFiat(record);
  return {
    disbursementId: record.disbursementId,
    rail,
    amount: Money.of(record.amount, currency),
    status: observedStatus(log, record.disbursementId, record.status),
    providerStatus: record.status,
    ...given({
      reference: nonEmpty(record.reference),
      fee: record.feeAmount === undefined ? undefined : Money.of(record.feeAmount, currency),
      createdAt: timeOf(record.createdAt),
      updatedAt: timeOf(record.updatedAt),
      ...hashes,
      statusText: statusTextOf(record, personal),
    }),
  };
};
