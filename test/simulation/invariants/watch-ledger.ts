import { isDeepStrictEqual } from 'node:util';
import type { OrchestratorSettings } from '../../../functions/domain/settings.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { TableChange } from '../../support/memory-table/options.ts';
import { generalRefusal } from '../provider/service.ts';
import type { TruePayment, Truth } from '../provider/truth.ts';
import type { History, Subject } from '../world/history.ts';
import { checkLookedUp, checkRecorded } from './contradictions.ts';
import { checkFundsInSight, checkInSight } from './in-sight.ts';
import { mayBatchMove, mayPayoutMove, wordsFor } from './moves.ts';
import { reasonCode } from './reason-code.ts';
import { isMoneyBack, isSettledNotPaid } from './settled-not-paid.ts';
import type { Report } from './violation.ts';

export interface LedgerWatchParts {
  readonly truth: Truth;
  readonly history: History;
  readonly report: Report;
  readonly table: () => MemoryTable;
  /** Names the author of the current write. */
  readonly writer: () => string;
  /** Number of POSTs in flight that would pay this reference, or that the provider may still process. */
  readonly underWay: (reference: string) => number;
  /** Days for which payouts are followed, and refusals that pause a batch. */
  readonly settings: Pick<OrchestratorSettings, 'followDays' | 'equalRefusals'>;
  /**
   * Milliseconds for which the provider refuses a bank transfer with a used reference, in recognizable words. 0: it does not, or
   * nobody would recognize the words.
   */
  readonly namesTakenMs: number;
}

/** A call's request may arrive so much later than its claim. */
const mostOnTheWayMs = 300_000;

const text = (item: Item | undefined, name: string): string => {
  const value = item?.[name];
  return value === undefined ? '' : String(value);
};
const subjectOf = (item: Item): Subject => ({
  batchId: text(item, 'batchId'),
  chunk: Number(item['chunk']),
  reference: text(item, 'reference'),
});
const reasonOf = (item: Item): string => {
  const code = reasonCode(item);
  return code === undefined ? '' : ` (${code})`;
};

/** The outcome of a call. */
const kindOf = ({ outcome }: Item): string =>
  typeof outcome === 'object' && outcome !== null && 'kind' in outcome ? String(outcome.kind) : 'open';

/** Earliest proof of absence, in milliseconds after the claim: 120, 240 and 480 s by default. */
export const threeAbsencesMs = 840_000;

/** Maximum requests for a proof: immediately and after 5, 10, 20, 40 and 80 s. */
const mostProofTries = 6;
const reportedEnds: readonly string[] = ['completed', 'partially_completed', 'failed'];

/** Statuses of a conversion that moved nothing. */
const neverMade: readonly string[] = ['rejected', 'not_sent', 'not_made'];

/** Compares every write to the ledger, the moment it is made, with the allowed moves and the provider's truth. */
export class LedgerWatch {
  readonly #parts: LedgerWatchParts;

  constructor(parts: LedgerWatchParts) {
    this.#parts = parts;
  }

  wrote(changes: readonly TableChange[]): void {
    for (const { before, after } of changes) {
      const sk = text(after ?? before, 'sk');
      if (after !== undefined) {
        checkInSight(this.#parts.report, after);
        checkFundsInSight(this.#parts.report, this.#parts.table(), after);
      }
      if (after === undefined) this.#record('removes', () => `${text(before, 'pk')} ${sk}`);
      else if (sk.startsWith('PAYOUT#')) this.#payout(before, after);
      else if (sk.startsWith('CALL#')) this.#call(before, after);
      else if (sk === 'BATCH') this.#batch(before, after);
      else if (sk.startsWith('CONVERSION#')) this.#conversion(before, after);
      else if (sk === 'LOOKUP') this.#lookup(before, after);
      else this.#record('writes', () => `${text(after, 'pk')} ${sk} ${text(after, 'amount')}${text(after, 'holder')}`);
    }
  }

  #record(verb: string, what: () => string): void {
    this.#parts.history.record(this.#parts.writer(), verb, what);
  }

  #payout(before: Item | undefined, after: Item): void {
    const { report } = this.#parts;
    const subject = subjectOf(after);
    const [from, to] = [text(before, 'status'), text(after, 'status')];
    this.#record(
      from === to ? 'notes' : 'moves',
      () => `${text(after, 'reference')}: ${from} → ${to}${reasonOf(after)}`,
    );
    if (before === undefined) {
      if (to !== 'ready' && to !== 'rejected') report('no regression', `a payout is written as ${to}`, subject);
      return;
    }
    for (const name of [
      'reference',
      'amount',
      'currency',
      'rail',
      'destinationHash',
      'row',
      'disbursementId',
      'proof',
    ]) {
      if (before[name] !== undefined && !isDeepStrictEqual(before[name], after[name])) {
        report(
          'no regression',
          `${name} of a payout changes from ${text(before, name)} to ${text(after, name)}`,
          subject,
        );
      }
    }
    checkRecorded(this.#parts, before, after);
    if (from === to) return;
    // When payouts are followed for days, the provider ends each within one.
    if (reasonCode(after) === 'followed_too_long' && this.#parts.settings.followDays > 1)
      report('nothing is left open', 'a payout is given up that somebody only had to look up', subject);
    const { acknowledgedWords } =
      this.#parts.table().item({ pk: `BATCH#${text(after, 'batchId')}`, sk: 'BATCH' }) ?? {};
    const isForAll =
      reasonCode(after) === 'provider_rejected' && JSON.stringify(after['reason']).includes(generalRefusal);
    if (isForAll && acknowledgedWords === undefined && this.#parts.settings.equalRefusals === 1)
      report('rejected for its own fault', 'a row is rejected for a refusal that concerns no row', subject);
    if (!mayPayoutMove(from, to)) report('no regression', `a payout goes from ${from} to ${to}`, subject);
    this.#justify(from, after, subject);
  }

  #lookup(before: Item | undefined, after: Item): void {
    this.#record('writes', () => `${text(after, 'pk')} ${text(after, 'askedAt')} ${text(after, 'finishedAskedAt')}`);
    if (text(before, 'finishedAskedAt') !== text(after, 'finishedAskedAt')) checkLookedUp(this.#parts, after);
  }

  /** A status must be or have been true at the provider when it is written. */
  #justify(from: string, after: Item, subject: Subject): void {
    const { truth, report, underWay } = this.#parts;
    const [status, reference] = [text(after, 'status'), text(after, 'reference')];
    const payments = truth.byReference(reference);
    const made = payments.filter(({ madeBy }) => madeBy === 'orchestrator');
    const isUnpaid =
      status === 'ready' ||
      (status === 'rejected' && after['heldBy'] === undefined) ||
      (status === 'canceled' && from === 'ready');
    if (isUnpaid) {
      const pending = underWay(reference);
      // Three absences suffice to submit again: a provider that hides a payment for longer refuses the reference.
      const mayGoAgain =
        status === 'ready' &&
        made.every((one) => one.rail === 'fiat' && (this.#isBack(after, one) || this.#wasHidden(after, one)));
      const isExcused = mayGoAgain || isSettledNotPaid(after, payments, isMoneyBack);
      if (made.length > 0 && !isExcused) report('never lost', `${status} although the provider made it`, subject);
      else if (pending > 0) report('no second POST without proof', `${status} while a POST is under way`, subject);
      else if (status === 'rejected' && this.#wasTaken(after))
        report('never lost', 'rejected although the provider said that its reference is taken', subject);
      return;
    }
    const words = wordsFor[status];
    if (words === undefined) return;
    const payment = truth.byId(text(after, 'disbursementId'));
    if (payment === undefined || payment.madeBy !== 'orchestrator' || payment.reference !== reference) {
      report('only the truth', `${status} by ${text(after, 'disbursementId')}, which is not its payment`, subject);
    } else if (!payment.words.some((word) => words.includes(word))) {
      report('only the truth', `${status}, which ${payment.id} never was (${payment.words.join(', ')})`, subject);
    }
  }

  /** True when its last call was refused because someone had already paid under its reference. */
  #wasTaken(payout: Item): boolean {
    const { reference, rail } = payout;
    const { truth, namesTakenMs } = this.#parts;
    if (rail !== 'fiat' || reasonCode(payout) !== 'provider_rejected') return false;
    const claimedAt = this.#lastClaimedAt(payout);
    return truth
      .byReference(String(reference))
      .some(
        (one) =>
          one.rail === rail && one.createdAt < claimedAt && claimedAt + mostOnTheWayMs < one.createdAt + namesTakenMs,
      );
  }

  #lastCallOf({ batchId, chunk, call }: Item): Item {
    const sk = `CALL#${String(call).padStart(7, '0')}`;
    return this.#parts.table().item({ pk: `CHUNK#${batchId}#${chunk}`, sk }) ?? {};
  }

  #lastClaimedAt(payout: Item): number {
    return Date.parse(text(this.#lastCallOf(payout), 'claimedAt'));
  }

  #wasHidden(payout: Item, { visibleAt }: TruePayment): boolean {
    return visibleAt - this.#lastClaimedAt(payout) > threeAbsencesMs;
  }

  /** True for a payout whose last call was never sent. It is as ready as before. */
  #isBack(payout: Item, { createdAt }: TruePayment): boolean {
    return kindOf(this.#lastCallOf(payout)) === 'not_sent' && createdAt < this.#lastClaimedAt(payout);
  }

  #call(before: Item | undefined, after: Item): void {
    const { report, table } = this.#parts;
    const [batchId, chunk] = [text(after, 'batchId'), Number(after['chunk'])];
    const subject = { batchId, chunk };
    const outcome = after['outcome'];
    const kind = kindOf(after);
    this.#record('call', () => `${batchId}.${chunk} call ${text(after, 'k')} of rows ${text(after, 'rows')}: ${kind}`);
    if (before !== undefined) {
      const isAnswered = before['outcome'] !== undefined && !isDeepStrictEqual(before['outcome'], outcome);
      if (before['claimId'] !== after['claimId'])
        report('a claim is for ever', 'a call is claimed by another', subject);
      if (isAnswered) report('a claim is for ever', 'an outcome is overwritten', subject);
      return;
    }
    const batch = table().item({ pk: `BATCH#${batchId}`, sk: 'BATCH' });
    const isStopped = text(batch, 'status') !== 'processing' || batch?.['cancelRequestedAt'] !== undefined;
    if (isStopped)
      report('a stopped batch claims nothing', `a call is claimed while it is ${text(batch, 'status')}`, subject);
  }

  #batch(before: Item | undefined, after: Item): void {
    const batchId = text(after, 'batchId');
    const [from, to] = [text(before, 'status'), text(after, 'status')];
    const flags = ['cancelRequestedAt', 'executionEnded', 'resumeTo'].filter((name) => after[name] !== undefined);
    this.#record(
      'batch',
      () => `${batchId} ${from === to ? `stays ${to}` : `${from} → ${to}`}${reasonOf(after)} ${flags.join(' ')}`,
    );
    if (before === undefined) return;
    if (from !== to && reportedEnds.includes(to)) this.#proofs(batchId);
    const report = (detail: string): void => this.#parts.report('no regression', detail, { batchId });
    if (from !== to && !mayBatchMove(from, to)) report(`a batch goes from ${from} to ${to}`);
    if (to === 'processing' && after['fees'] === undefined)
      this.#parts.report('money is reserved', 'a batch disburses without its fees', { batchId });
    if (before['plan'] !== undefined && !isDeepStrictEqual(before['plan'], after['plan'])) report('a plan is replaced');
    const { acknowledgedWords, refusedWords } = after;
    if (from !== to && Array.isArray(acknowledgedWords) && acknowledgedWords.includes(refusedWords))
      report(`a batch is ${to} for words that a person has acknowledged`);
    if (before['cancelRequestedAt'] !== undefined && after['cancelRequestedAt'] === undefined)
      report('a cancellation is taken back');
  }

  /** A batch waits for a missing proof until it was requested six times. */
  #proofs(batchId: string): void {
    for (const payout of this.#parts.table().items(`CHUNK#${batchId}#`)) {
      const { proofTries } = payout;
      if (typeof proofTries !== 'number' || proofTries >= mostProofTries) continue;
      if (payout['status'] === 'completed' && payout['proof'] === undefined && payout['contradictions'] === undefined)
        this.#parts.report('a proof is waited for', `asked for ${proofTries} times`, subjectOf(payout));
    }
  }

  #conversion(before: Item | undefined, after: Item): void {
    const { report, table, truth } = this.#parts;
    const batchId = text(after, 'batchId');
    const status = text(after, 'status');
    this.#record(
      'conversion',
      () => `${batchId} conversion ${text(after, 'n')}: ${text(before, 'status')} → ${status}`,
    );
    const isMade = truth.conversions.some(({ quoteId }) => quoteId === after['quoteId']);
    if ((status === 'completed' || status === 'inferred') && !isMade)
      report('only the truth', `a conversion is ${status} and was not made`, { batchId });
    if (neverMade.includes(status) && isMade)
      report('conversions once', `a conversion is ${status} and was made`, { batchId });
    if (before !== undefined) return;
    const inDoubt = table()
      .items('BATCH#')
      .filter((item) => text(item, 'sk').startsWith('CONVERSION#') && item !== after)
      .filter((item) => item['status'] === 'claimed' || item['status'] === 'unknown');
    const pair = (item: Item): unknown => item['planned'];
    const same = inDoubt.find((item) => item['batchId'] === batchId || samePair(pair(item), pair(after)));
    if (same !== undefined && text(same, 'quoteId') !== text(after, 'quoteId')) {
      report('conversions once', `claimed while ${text(same, 'quoteId')} is in doubt`, { batchId });
    }
  }
}

const samePair = (a: unknown, b: unknown): boolean => {
  const pairOf = (value: unknown): string =>
    typeof value === 'object' && value !== null && 'inputCurrency' in value && 'outputCurrency' in value
      ? `${value.inputCurrency}~${value.outputCurrency}`
      : '';
  return pairOf(a) === pairOf(b);
};
