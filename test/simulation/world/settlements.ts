import { settleConversion } from '../../../functions/api/settle/settle-conversion.ts';
import { settlePayout } from '../../../functions/api/settle/settle-payout.ts';
import type { Recipient } from '../../../functions/domain/batch/chunk-file.ts';
import { isInDoubt } from '../../../functions/domain/money/conversion.ts';
import { hashDestination } from '../../../functions/domain/payout/destination.ts';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import { openContradictions } from '../../../functions/domain/payout/payout.ts';
import { readConversion } from '../../../functions/ledger/funds/funds-codec.ts';
import { readPayout } from '../../../functions/ledger/payouts/payout-codec.ts';
import type { MemoryBucket } from '../../support/memory-bucket.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import { restingStatuses } from '../invariants/moves.ts';
import type { Ended } from '../process.ts';
import { isCalled } from '../provider/lists.ts';
import { millionths } from '../provider/money.ts';
import type { TruePayment, Truth, Word } from '../provider/truth.ts';
import type { Functions } from './functions.ts';
import { apiSeconds } from './people.ts';
import type { Timeline } from './timeline.ts';

export interface SettlementParts {
  readonly timeline: Timeline;
  readonly functions: Functions;
  readonly table: MemoryTable;
  readonly bucket: MemoryBucket;
  readonly truth: Truth;
  /** Number of settlements that are not answered yet. */
  readonly unanswered: { count: number };
}

const caller = 'arn:aws:iam::123456789012:user/treasurer';
const againMs = 60_000;
const ends: readonly Word[] = ['completed', 'failed', 'canceled'];

/** A batch's conversions of unknown outcome. */
export const conversionsInDoubt = (table: MemoryTable, batchId: string) =>
  table.partition(`BATCH#${batchId}`, 'CONVERSION#').map(readConversion).filter(isInDoubt);

const hasCode = (answer: unknown, code: string): boolean =>
  typeof answer === 'object' && answer !== null && 'code' in answer && answer.code === code;

const isOfProvider = (answer: unknown): boolean =>
  hasCode(answer, 'provider_unavailable') || hasCode(answer, 'provider_refused');

/** Repeats the request until it is answered, as a person would. A settlement that died may be half done. */
const untilAnswered = async (
  { timeline, unanswered, bucket }: SettlementParts,
  ask: () => Promise<Ended<unknown>>,
): Promise<void> => {
  unanswered.count += 1;
  for (;;) {
    const ended = await ask();
    const answer = ended.kind === 'answered' ? ended.value : undefined;
    if (hasCode(answer, 'file_altered')) bucket.restore('batches/');
    // The answer may say to try again later, because an earlier request may have got half way. A gateway's 403 passes.
    else if (ended.kind === 'answered' && !isOfProvider(answer)) break;
    await timeline.sleep(againMs);
  }
  unanswered.count -= 1;
};

/** Settles conversions in doubt, as a person with the provider's true answer does. */
export const settleConversions = (parts: SettlementParts, batchId: string): void => {
  const { functions, table, truth } = parts;
  for (const { n, quoteId } of conversionsInDoubt(table, batchId)) {
    const hasHappened = truth.conversions.some((made) => made.quoteId === quoteId);
    const decision = hasHappened ? 'happened' : 'not_happened';
    void untilAnswered(parts, () =>
      functions.run(`SettleConversion ${batchId}`, apiSeconds, (environment) =>
        settleConversion(environment, {
          path: { batchId, number: n },
          body: { decision, reason: 'The provider was asked.' },
          caller,
        }),
      ),
    );
  }
};

/** True when a payout of the batch is not at rest. After its end a settlement or a webhook may return one to `pending`. */
export const arePayoutsUnderWay = (table: MemoryTable, batchId: string): boolean =>
  itemsOf(table, batchId).some(({ status }) => !restingStatuses.includes(String(status)));

/** True when a payout was quarantined recently enough for a person to settle it. */
export const maySettle = (table: MemoryTable, batchId: string, quarantinedAfterMs: number): boolean =>
  itemsOf(table, batchId).some(
    ({ status, statusSince }) => status === 'quarantined' && Date.parse(String(statusSince)) > quarantinedAfterMs,
  );

const itemsOf = (table: MemoryTable, batchId: string): readonly Item[] =>
  table.items(`CHUNK#${batchId}#`).filter(({ sk }) => String(sk).startsWith('PAYOUT#'));

type Settling = Parameters<typeof settlePayout>[1]['body'];

const settleOne = (parts: SettlementParts, { batchId, chunk, reference }: Payout, body: Settling): void => {
  void untilAnswered(parts, () =>
    parts.functions.run(`SettlePayout ${batchId}.${chunk}`, apiSeconds, (environment) =>
      settlePayout(environment, { path: { reference }, body, caller }),
    ),
  );
};

/** Settles the contradictions that the provider shows. */
const noteContradicted = (parts: SettlementParts, batchId: string): void => {
  for (const payout of itemsOf(parts.table, batchId).map(readPayout)) {
    if (openContradictions(payout).length === 0) continue;
    settleOne(parts, payout, { decision: 'noted', reason: 'The provider was asked.' });
  }
};

/** True when a payment has the file's recipient and amount. Its reference alone may be someone else's. */
const isMeant = ({ destination, amount }: TruePayment, payout: Payout): boolean => {
  const { recipientId = '', bankCode = '', accountNumber = '', walletAddress = '' } = destination;
  const recipient: Recipient =
    walletAddress !== ''
      ? { kind: 'wallet', walletAddress }
      : recipientId !== ''
        ? { kind: 'recipientId', recipientId }
        : { kind: 'bank', bankCode, accountNumber, bankName: '', accountName: '' };
  return millionths(payout.amount.amount) === amount && hashDestination(recipient) === payout.destinationHash;
};

/**
 * Settles quarantined payouts by lookups, which may be hours behind. A payment that has ended is named. One that is not shown at
 * all is settled as not paid.
 */
export const settlePayouts = (parts: SettlementParts, batchId: string): void => {
  const { table, truth } = parts;
  noteContradicted(parts, batchId);
  const quarantined = itemsOf(table, batchId)
    .filter(({ status }) => status === 'quarantined')
    .map(readPayout);
  for (const payout of quarantined) {
    const own = truth
      .shown()
      .find(({ payment }) => isCalled({ foldsCase: false }, payment, payout.reference) && isMeant(payment, payout));
    if (own !== undefined && !ends.includes(own.word)) continue;
    const body =
      own === undefined
        ? ({ decision: 'not_paid', reason: 'The provider was asked.' } as const)
        : ({
            decision: 'as_provider_says',
            reason: 'The provider was asked.',
            disbursementId: own.payment.id,
          } as const);
    settleOne(parts, payout, body);
  }
};
