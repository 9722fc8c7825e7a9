import { isDeepStrictEqual } from 'node:util';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import { isBatchEnd } from '../../../functions/domain/batch/batch-status.ts';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import { readBatch } from '../../../functions/ledger/batches/batch-codec.ts';
import { readChunkRecord, readPayout } from '../../../functions/ledger/payouts/payout-codec.ts';
import type { MemoryBucket } from '../../support/memory-bucket.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { Debt, MeantBatch } from '../draw/scenario.ts';
import { amountText, millionths } from '../provider/money.ts';
import type { TruePayment, Truth } from '../provider/truth.ts';
import type { KnownDebts } from '../world/known-debts.ts';
import { releasedSince, repeatedRows } from '../world/known-debts.ts';
import { checkCorrections } from './final-corrections.ts';
import type { LateTurnParts } from './late-turns.ts';
import { checkLateTurns } from './late-turns.ts';
import { restingStatuses } from './moves.ts';
import { isSettledNotPaid, wasMoneyBack } from './settled-not-paid.ts';
import type { Report } from './violation.ts';

export interface FinalParts {
  readonly table: MemoryTable;
  readonly bucket: MemoryBucket;
  readonly truth: Truth;
  /** Files, their batches and the debts that they pay. */
  readonly debts: KnownDebts;
  readonly report: Report;
  /** Days for which a repeated debt is searched. */
  readonly duplicateWindowDays: number;
  readonly lateTurns: Pick<LateTurnParts, 'days' | 'clearAt' | 'alarms'>;
}

/** Ends of payouts that were not paid. */
const unpaidPayouts: readonly string[] = ['failed', 'rejected', 'canceled'];

const sumsOf = (payouts: readonly Payout[]): Record<string, { count: number; amount: bigint; fee: bigint }> => {
  const sums: Record<string, { count: number; amount: bigint; fee: bigint }> = {};
  for (const { status, amount, fee } of payouts) {
    const sum = sums[status] ?? { count: 0, amount: 0n, fee: 0n };
    sums[status] = {
      count: sum.count + 1,
      amount: sum.amount + millionths(amount.amount),
      fee: sum.fee + millionths(fee?.amount ?? '0'),
    };
  }
  return sums;
};

/** Checks that hold once nothing happens anymore. */
export const checkAtTheEnd = (parts: FinalParts): void => {
  const made = parts.debts.meant.flatMap((meant) => {
    const batchId = parts.debts.batchIds.get(meant.key);
    const item = batchId === undefined ? undefined : parts.table.item({ pk: `BATCH#${batchId}`, sk: 'BATCH' });
    if (item !== undefined) return [{ meant, batch: readBatch(item) }];
    parts.report('never lost', `the batch of ${meant.key} was never made`);
    return [];
  });
  for (const { meant, batch } of made) checkBatch(parts, meant, batch);
  checkContents(parts, made);
  checkCorrections(parts, made);
  checkFunds(parts);
  checkKnown(parts);
  checkDebts(parts);
  checkOwed(parts);
};

/** Only one of the batches with equal files may pay. A batch refused as a repeat names a batch that pays. */
const checkContents = (
  { report }: FinalParts,
  made: readonly { readonly meant: MeantBatch; readonly batch: Batch }[],
): void => {
  for (const { meant, batch } of made) {
    const alike = made.filter((other) => other.meant.csv === meant.csv);
    const same = alike.map((other) => other.batch);
    const holding = same.filter(({ plan }) => plan?.manifestKey !== undefined);
    // A batch that was not released, or was rejected, frees its content.
    const letGo: readonly unknown[] = ['not_released', 'rejected_by_person'];
    const mayRepeat = same.filter((_, index) => alike[index]?.meant.allowsSameFile);
    const paying = holding.filter((one) => !letGo.includes(one.reason?.code) && !mayRepeat.includes(one));
    const isAlone = batch.reason?.code === 'same_content' && holding.length === 0;
    if (paying.length > 1 || isAlone) {
      report('equal files are paid once', `${paying.length} of ${same.length} batches go on`, {
        batchId: batch.batchId,
      });
    }
  }
};

/** Other batches that owe the same are released by this count. A contradiction from before the payout's end need not be in it. */
const checkUnpaidContradictions = (
  { table, report }: FinalParts,
  batchId: string,
  payouts: readonly Payout[],
): void => {
  const times = payouts
    .filter(({ status }) => unpaidPayouts.includes(status))
    .flatMap(({ contradictions = [], statusSince = '' }) => contradictions.map(({ at }) => [at, statusSince] as const));
  const lines = table.partition(`BATCH#${batchId}`, 'CONTRADICTION#');
  const counted = lines.filter(({ payoutStatus }) => unpaidPayouts.includes(String(payoutStatus))).length;
  const least = times.filter(([at, since]) => at > since).length;
  const most = times.filter(([at, since]) => at >= since).length;
  if (counted < least || counted > most)
    report('counts add up', `${counted} of ${least} contradictions of unpaid payouts are counted`, { batchId });
};

const checkBatch = (parts: FinalParts, meant: MeantBatch, batch: Batch): void => {
  const { table, bucket, report } = parts;
  const { batchId, status } = batch;
  if (!isBatchEnd(status)) {
    report('nothing is left open', `a batch is still ${status} (${batch.reason?.code ?? ''})`, { batchId });
    return;
  }
  const records = table.partition(`BATCH#${batchId}`, 'CHUNK#').map(readChunkRecord);
  const payouts = records.flatMap(({ chunk }) =>
    table.partition(`CHUNK#${batchId}#${chunk}`, 'PAYOUT#').map(readPayout),
  );
  for (const record of records) {
    const own = payouts.filter(({ chunk }) => chunk === record.chunk);
    const recorded = Object.fromEntries(
      Object.entries(record.tallies).map(([name, { count, amount, fee }]) => [
        name,
        { count, amount: millionths(amount.amount), fee: millionths(fee.amount) },
      ]),
    );
    if (!isDeepStrictEqual({ ...sumsOf(own) }, recorded)) {
      const counted = own.map((payout) => payout.status).join(' ');
      report('counts add up', `a chunk of ${counted} records ${JSON.stringify(record.tallies)}`, {
        batchId,
        chunk: record.chunk,
      });
    }
  }
  for (const { chunk, contradictions } of records) {
    const own = payouts.filter((payout) => payout.chunk === chunk);
    const recorded = own.reduce((sum, payout) => sum + (payout.contradictions?.length ?? 0), 0);
    const isOpen = (payout: Payout): boolean =>
      (payout.contradictions?.length ?? 0) > (payout.contradictionsNoted ?? 0);
    const open = own.filter(isOpen).length;
    if (recorded === contradictions.recorded && open === contradictions.payouts) continue;
    const detail = `${recorded} contradictions, ${open} payouts open: it records ${JSON.stringify(contradictions)}`;
    report('counts add up', detail, { batchId, chunk });
  }
  checkUnpaidContradictions(parts, batchId, payouts);
  for (const { status, chunk, reference } of payouts) {
    if (!restingStatuses.includes(status))
      report('nothing is left open', `a payout stays ${status}`, { batchId, chunk, reference });
  }
  checkWhole(report, meant, batch, payouts);
  checkFailed(report, batch, payouts);
  checkLateTurns({ ...parts, ...parts.lateTurns }, batch, payouts);
  checkResults(report, bucket, batch);
};

/** Ends of batches that may have paid nobody. */
const unpaid: readonly string[] = ['canceled', 'validation_failed'];

/** Every payable row of the file is a payout with its amount, and the batch reflects their ends. */
const checkWhole = (report: Report, meant: MeantBatch, batch: Batch, payouts: readonly Payout[]): void => {
  const { batchId, status, plan } = batch;
  if (plan === undefined || (payouts.length === 0 && unpaid.includes(status))) return;
  if (plan.rows !== meant.rows.length)
    report('counts add up', `${plan.rows} of ${meant.rows.length} rows were read`, { batchId });
  if (plan.manifestKey === undefined) return;
  if (payouts.length !== plan.validRows) {
    report('never lost', `${payouts.length} payouts of ${plan.validRows} rows`, { batchId });
  }
  for (const { row, reference, amount, chunk } of payouts) {
    const wanted = meant.rows.find((candidate) => candidate.row === row);
    const isSame =
      wanted !== undefined &&
      wanted.isFlawed !== true &&
      (wanted.reference || `${batchId}-${row}`) === reference &&
      wanted.amount === millionths(amount.amount) &&
      wanted.currency === amount.currency;
    if (!isSame) report('payments match the file', `row ${row} differs in the ledger`, { batchId, chunk, reference });
  }
  const completed = payouts.filter((payout) => payout.status === 'completed');
  if (status === 'completed' && completed.length !== meant.rows.length) {
    report('counts add up', 'a batch is completed and not every row of its file is', { batchId });
  }
};

/** Paying the rows of a failed batch again pays nobody twice, as far as was known when its report was made. */
const checkFailed = (report: Report, { batchId, status, report: written }: Batch, payouts: readonly Payout[]): void => {
  if (status !== 'failed' || written === undefined) return;
  for (const { status, heldBy, reason, contradictions = [], reference, chunk } of payouts) {
    const isEnded = status === 'failed' || status === 'rejected' || status === 'canceled';
    const isContradicted = contradictions.some(({ at }) => at < written.reportedAt);
    if (isEnded && !isContradicted && heldBy === undefined && reason?.code !== 'settled_written_off') continue;
    report('a failed batch paid nothing', `a payout is ${status}, and may be paid`, { batchId, chunk, reference });
  }
};

/** The last results.csv has a line per row of the file, in its order, and marks the skipped ones. */
const checkResults = (report: Report, bucket: MemoryBucket, { batchId, plan, report: written }: Batch): void => {
  if (plan === undefined || written === undefined || written.interim !== undefined) return;
  const lines = (bucket.content(written.resultsKey)?.toString('utf8') ?? '').trimEnd().split('\n').slice(1);
  const isOrdered = lines.every((line, index) => line.startsWith(`${index + 1},`));
  const skipped = lines.filter((line) => line.includes(',skipped,')).length;
  if (lines.length !== plan.rows || !isOrdered || skipped !== plan.invalidRows) {
    report('counts add up', `results.csv has ${lines.length} lines, ${skipped} of them skipped`, { batchId });
  }
};

const checkFunds = ({ table, truth, report }: FinalParts): void => {
  for (const item of table.items()) {
    const [pk, sk] = [String(item['pk']), String(item['sk'])];
    if (pk.startsWith('FUNDS#') && sk.startsWith('BATCH#')) {
      report('money is reserved', `a reservation is left: ${pk}`, { batchId: sk.slice('BATCH#'.length) });
    }
    if (!sk.startsWith('CONVERSION#')) continue;
    const status = String(item['status']);
    const batchId = String(item['batchId']);
    const isMade = truth.conversions.some(({ quoteId }) => quoteId === item['quoteId']);
    if (status === 'claimed' || status === 'unknown')
      report('nothing is left open', 'a conversion stays in doubt', { batchId });
    else if (isMade !== (status === 'completed' || status === 'inferred')) {
      report('conversions once', `one that was ${isMade ? '' : 'not '}made is ${status}`, { batchId });
    }
  }
};

/** The ledger knows every payment that the provider made for us, and none of them as never made. */
const checkKnown = ({ table, truth, report }: FinalParts): void => {
  for (const { reference, madeBy, id } of truth.payments) {
    if (madeBy === 'outsider') continue;
    const holder = table.item({ pk: `REF#${reference.toLowerCase()}`, sk: 'REF' });
    const [batchId, chunk] = [String(holder?.['batchId']), Number(holder?.['chunk'])];
    const row = String(holder?.['row']).padStart(7, '0');
    const payout = table.item({ pk: `CHUNK#${batchId}#${chunk}`, sk: `PAYOUT#${row}` });
    const status = String(payout?.['status']);
    const isLost =
      status === 'ready' ||
      (status === 'rejected' && !isSettledNotPaid(payout ?? {}, truth.byReference(reference), wasMoneyBack));
    if (payout === undefined || isLost) {
      report('never lost', `${id} was made, and the ledger has it as ${status}`, { batchId, chunk, reference });
    }
  }
};

const isPaid = ({ madeBy, words }: TruePayment): boolean =>
  madeBy === 'orchestrator' && !words.some((word) => word === 'failed' || word === 'canceled');

/**
 * When two payments pay one debt, the person who approved the later release was warned. Either the plan lists the row as a
 * repeated debt, or the approval names the other batch. Exempt are payments that ever failed, because the debt may be owed
 * again, and those completed before the window, which the search leaves out.
 */
const checkDebts = ({ table, bucket, truth, report, duplicateWindowDays }: FinalParts): void => {
  const windowMs = duplicateWindowDays * 86_400_000;
  const owed = truth.payments.filter(isPaid);
  const debtOf = ({ currency, amount, destination }: TruePayment): string =>
    JSON.stringify([
      currency,
      String(amount),
      destination['walletAddress'] ?? destination['recipientId'] ?? destination,
    ]);
  const releaseOf = ({ reference, id, words, since }: TruePayment) => {
    const holder = table.item({ pk: `REF#${reference.toLowerCase()}`, sk: 'REF' });
    const batchId = String(holder?.['batchId']);
    const item = table.item({ pk: `BATCH#${batchId}`, sk: 'BATCH' });
    const { plan, approval, release } = (item && readBatch(item)) ?? {};
    // A later approval, of a conversion, replaces the one that released the batch.
    const isApproved = table
      .partition(`BATCH#${batchId}`, 'EVENT#')
      .some(({ code, detail }) => code === 'batch.approved' && detail === release?.hash);
    const isListed = isApproved && plan && repeatedRows(bucket, plan).includes(Number(holder?.['row']));
    const warnedOf = isApproved && approval ? releasedSince(approval) : new Set<string>();
    const completedAt = since[words.indexOf('completed')] ?? Number.POSITIVE_INFINITY;
    return { id, reference, batchId, at: release?.at ?? '', completedAt, isListed: isListed === true, warnedOf };
  };
  for (const same of Map.groupBy(owed, debtOf).values()) {
    const paid = same
      .map(releaseOf)
      .toSorted((a, b) => a.at.localeCompare(b.at) || Number(a.isListed) - Number(b.isListed));
    const isWarned = ({ isListed, warnedOf }: (typeof paid)[number]) =>
      isListed || paid.some((one) => warnedOf.has(one.batchId));
    const isRecent = (one: (typeof paid)[number], index: number): boolean =>
      paid.slice(0, index).some(({ completedAt }) => Date.parse(one.at) - completedAt < windowMs);
    const unwarned = paid.find((one, index) => isRecent(one, index) && !isWarned(one));
    if (unwarned === undefined) continue;
    const { reference } = unwarned;
    report('a repeated debt is shown', `${paid[0]?.id} and ${unwarned.id} pay one debt`, { reference });
  }
};

/**
 * Nobody is paid more often than they are owed that amount, by the debts from which the rows were drawn. Approvers know these
 * debts, so no approval excuses a breach. A payment that ever failed may be owed again.
 */
const checkOwed = ({ truth, debts, report }: FinalParts): void => {
  const paid = truth.payments.filter(isPaid).flatMap((payment) => {
    const debt = debts.debtOf(payment.reference);
    return debt === undefined ? [] : [{ payment, debt }];
  });
  const alike = ({ owedTo, currency, amount }: Debt): string => `${amountText(amount)} ${currency} to ${owedTo}`;
  const owed = new Map(debts.all().map((debt) => [debt.id, debt]));
  const times = Map.groupBy(owed.values(), alike);
  for (const [what, payments] of Map.groupBy(paid, ({ debt }) => alike(debt))) {
    const most = times.get(what)?.length ?? 0;
    if (payments.length <= most) continue;
    const ids = payments.map(({ payment }) => payment.id).join(', ');
    report('nobody gets more than they are owed', `${what} is owed ${most} times, and paid by ${ids}`, {
      reference: payments.at(-1)?.payment.reference,
    });
  }
};
