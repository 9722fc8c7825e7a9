import { approveBatch } from '../../../functions/api/batches/approve-batch.ts';
import { cancelBatch } from '../../../functions/api/batches/cancel-batch.ts';
import { pauseBatch } from '../../../functions/api/batches/pause-batch.ts';
import { rejectBatch } from '../../../functions/api/batches/reject-batch.ts';
import { resumeBatch } from '../../../functions/api/batches/resume-batch.ts';
import { startBatch } from '../../../functions/api/batches/start-batch.ts';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import type { BatchStatus } from '../../../functions/domain/batch/batch-status.ts';
import { fileAltered, isBatchEnd } from '../../../functions/domain/batch/batch-status.ts';
import type { Chance } from '../../support/chance.ts';
import { minute } from '../../support/durations.ts';
import type { MemoryBucket } from '../../support/memory-bucket.ts';
import { storedBatch } from '../../support/memory-table/ledger-table.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { Correction, MeantBatch, OperatorAct } from '../draw/scenario.ts';
import type { Service } from '../provider/service.ts';
import type { Truth } from '../provider/truth.ts';
import type { StateMachine } from '../workflow/state-machine.ts';
import type { Functions } from './functions.ts';
import type { History } from './history.ts';
import { KnownDebts } from './known-debts.ts';
import { apiSeconds, approvers, starter, starterLater } from './people.ts';
import { arePayoutsUnderWay, conversionsInDoubt, maySettle, settleConversions, settlePayouts } from './settlements.ts';
import type { Timeline } from './timeline.ts';

export interface OperatorParts {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly history: History;
  readonly functions: Functions;
  readonly stateMachine: StateMachine;
  readonly table: MemoryTable;
  readonly bucket: MemoryBucket;
  readonly service: Pick<Service, 'refusesAll'>;
  readonly truth: Truth;
  /** Milliseconds since 1970. Before that nobody resumes a paused batch while its execution is running. */
  readonly leavesPausedUntil: number;
  /** How long operators return to a quarantined payout. */
  readonly settledWithinMs: number;
  readonly fixCredentials: () => void;
  /** True when an alarm named the batch and one of its files. */
  readonly hasHaltAlarm: (batchId: string) => boolean;
  readonly reapplyWebhooks: () => void;
  /** Called when the start of a batch was answered. */
  readonly onStarted: (meant: MeantBatch) => void;
}

/** People at the operator API and in the console. They follow the scenario and the runbook. */
export class Operators {
  /** The merchant's knowledge of files, batches and debts. */
  readonly debts: KnownDebts;
  /** Batches with executions that someone redrove by hand. */
  readonly redriven = new Set<string>();
  /** Milliseconds since 1970 at which the batch of a file is due, for batches with a start time. */
  readonly startsAt = new Map<string, number>();
  readonly #parts: OperatorParts;
  readonly #ended = new Set<string>();
  readonly #unanswered = { count: 0 };
  /** Files that may still be uploaded: retry files and files to correct that wait for their download or upload. */
  readonly #awaited = new Set<string>();
  /** Hashes shown for approval, by batch, oldest first. */
  readonly #shown = new Map<string, string[]>();

  constructor(parts: OperatorParts) {
    this.#parts = parts;
    this.debts = new KnownDebts(parts.table, parts.bucket);
  }

  /** Starts a batch and looks after it until it has ended. */
  look(meant: MeantBatch): void {
    const { retryOf, corrects } = meant;
    if (retryOf === undefined && corrects === undefined) {
      this.debts.uploads(meant);
      this.#parts.timeline.in(meant.startsInMs, () => void this.#start(meant));
      return;
    }
    this.#awaited.add(meant.key);
    this.#parts.timeline.in(meant.startsInMs, () => this.#await(meant));
  }

  /** Uploads the file that someone made from a download, and starts it. */
  #upload(meant: MeantBatch): void {
    this.#parts.bucket.put(meant.key, Buffer.from(meant.csv));
    this.debts.uploads(meant);
    this.#awaited.delete(meant.key);
    void this.#start(meant);
  }

  #await(meant: MeantBatch): void {
    const { retryOf, corrects } = meant;
    if (retryOf !== undefined) this.#awaitRetry(meant, retryOf);
    if (corrects !== undefined) this.#awaitToCorrect(meant, corrects);
  }

  /** Downloads a batch's file to correct once it exists, and uploads it corrected some time later. */
  #awaitToCorrect(meant: MeantBatch, corrects: Correction): void {
    const { timeline, bucket } = this.#parts;
    const batchId = this.debts.batchIds.get(corrects.key);
    const batch = batchId === undefined ? undefined : storedBatch(this.#parts.table, batchId);
    const toCorrectKey = batch?.plan?.toCorrectKey;
    if (toCorrectKey !== undefined) {
      const downloaded = bucket.content(toCorrectKey)?.toString('utf8') ?? '';
      timeline.in(corrects.waitsMs, () => {
        const corrected = this.debts.correction(meant.key, corrects, downloaded);
        if (corrected.rows.length === 0) this.#awaited.delete(meant.key);
        else this.#upload({ ...meant, ...corrected });
      });
      return;
    }
    const isNeverMade = !this.#awaited.has(corrects.key) && this.debts.meant.every(({ key }) => key !== corrects.key);
    // A batch with a plan and no such file skipped nothing.
    const isWhole = batch !== undefined && (batch.plan !== undefined || isBatchEnd(batch.status));
    if (isNeverMade || isWhole) this.#awaited.delete(meant.key);
    else timeline.in(5 * minute, () => this.#awaitToCorrect(meant, corrects));
  }

  /** Downloads a batch's retry.csv once it exists, and uploads it some time later. Gives up when the batch ends without one. */
  #awaitRetry(meant: MeantBatch, retryOf: NonNullable<MeantBatch['retryOf']>): void {
    const { timeline, bucket } = this.#parts;
    const batchId = this.debts.batchIds.get(retryOf.key);
    const batch = batchId === undefined ? undefined : storedBatch(this.#parts.table, batchId);
    const retryKey = batch?.report?.retryKey;
    const downloaded = retryKey === undefined ? undefined : bucket.content(retryKey)?.toString('utf8');
    if (downloaded !== undefined) {
      const { csv, rows } = this.debts.retry(retryOf, downloaded);
      timeline.in(retryOf.waitsMs, () => {
        this.#upload({ ...meant, csv, rows });
      });
      return;
    }
    const isOver = batch !== undefined && isBatchEnd(batch.status) && !this.#isRunning(batch.batchId);
    if (isOver) this.#awaited.delete(meant.key);
    else timeline.in(5 * minute, () => this.#awaitRetry(meant, retryOf));
  }

  /** Called with every change of a batch's status. */
  batchIs(batchId: string, status: BatchStatus): void {
    if (isBatchEnd(status)) this.#ended.add(batchId);
  }

  /** True when every batch that was to be started has ended and nothing runs anymore. */
  isDone(): boolean {
    if (this.#unanswered.count > 0 || this.#awaited.size > 0) return false;
    const { meant, batchIds } = this.debts;
    const started = meant.map(({ key }) => batchIds.get(key)).filter((batchId) => batchId !== undefined);
    const ended = started.filter((batchId) => this.#ended.has(batchId));
    // Asked at each event, so what has to be found in the ledger comes last.
    if (ended.length < meant.length || ended.some((batchId) => this.#isRunning(batchId))) return false;
    return !ended.some((batchId) => this.#isOpen(batchId));
  }

  #isRunning(batchId: string): boolean {
    return this.#parts.stateMachine.isRunning(batchId);
  }

  /** True when an ended batch leaves something for a person to do. */
  #isOpen(batchId: string): boolean {
    const { table, timeline, settledWithinMs } = this.#parts;
    // The usual reason comes first.
    return (
      arePayoutsUnderWay(table, batchId) ||
      maySettle(table, batchId, timeline.now - settledWithinMs) ||
      conversionsInDoubt(table, batchId).length > 0
    );
  }

  /** Repeats the request with the same key until there is an answer, as a client does. */
  async #start(meant: MeantBatch): Promise<void> {
    const { timeline, chance } = this.#parts;
    if (meant.restsMs !== undefined) this.startsAt.set(meant.key, Math.ceil(timeline.now + meant.restsMs));
    for (;;) {
      const requests = Array.from({ length: meant.isStartedTwice ? 2 : 1 }, () => this.#requestStart(meant));
      const [batchId] = (await Promise.all(requests)).filter((answered) => answered !== undefined);
      if (batchId !== undefined) {
        this.#settleIn(meant, batchId);
        return;
      }
      await timeline.sleep(chance.between(1000, 30_000));
    }
  }

  /** The start time, written with another offset than ours. */
  #startAt(key: string): { readonly startAt?: string } {
    const at = this.startsAt.get(key);
    return at === undefined ? {} : { startAt: `${new Date(at + 7 * 3_600_000).toISOString().slice(0, -1)}+07:00` };
  }

  async #requestStart(meant: MeantBatch): Promise<string | undefined> {
    const { key, isToBeApproved, allowsSameFile = false, rejectsBadRows, corrects, canary, pauseAbove } = meant;
    const corrected = corrects === undefined ? undefined : this.debts.batchIds.get(corrects.key);
    const ended = await this.#parts.functions.run(`StartBatch ${key}`, apiSeconds, (environment) =>
      startBatch(
        { ...environment, bucket: 'files' },
        {
          path: {},
          query: {},
          headers: { 'idempotency-key': key },
          body: {
            file: key,
            mode: 'disburse',
            invalidRows: rejectsBadRows ? 'reject' : 'skip',
            allowSameFile: allowsSameFile,
            ...(isToBeApproved ? { approval: 'required' } : {}),
            ...(corrected === undefined ? {} : { corrects: corrected }),
            ...this.#startAt(key),
            ...(canary === undefined ? {} : { canary }),
            ...(pauseAbove === undefined ? {} : { pauseAbove }),
          },
          caller: starter,
        },
      ),
    );
    if (ended.kind !== 'answered') return undefined;
    const outcome = ended.value;
    // The request came after its start time, so the next one asks for an immediate start. A batch that exists already is named.
    if (outcome.kind === 'problem' && outcome.code === 'invalid_request' && this.startsAt.delete(key)) return undefined;
    if (outcome.kind === 'problem' && outcome.code === 'idempotency_key_reused') return outcome.about.batchId;
    if (outcome.kind !== 'answer') throw new Error(`a start was refused: ${outcome.code}`);
    return outcome.body.batchId;
  }

  #settleIn(meant: MeantBatch, batchId: string): void {
    if (this.debts.batchIds.has(meant.key)) return;
    this.debts.batchIds.set(meant.key, batchId);
    this.#parts.onStarted(meant);
    for (const { afterMs, act } of meant.acts) this.#parts.timeline.in(afterMs, () => this.act(batchId, act));
    this.#lookLater(batchId);
  }

  /** Carries out an act on a batch. */
  act(batchId: string, act: OperatorAct): void {
    switch (act) {
      case 'pause':
        void this.#call('PauseBatch', batchId, pauseBatch);
        break;
      case 'resume':
        void this.#call('ResumeBatch', batchId, resumeBatch);
        break;
      case 'resume_twice':
        void this.#call('ResumeBatch', batchId, resumeBatch);
        void this.#call('ResumeBatch', batchId, resumeBatch);
        break;
      case 'cancel':
        void this.#call('CancelBatch', batchId, cancelBatch);
        break;
      case 'stop':
        this.#parts.stateMachine.of(batchId).at(-1)?.stop();
        break;
      case 'redrive':
        this.#redrive(batchId);
        break;
    }
  }

  /** Redrives only the last execution, and only after it ended, because two must not run concurrently. */
  #redrive(batchId: string): void {
    const last = this.#parts.stateMachine.of(batchId).at(-1);
    if (last === undefined || last.status === 'running' || last.status === 'succeeded') return;
    this.redriven.add(batchId);
    void last.redrive();
  }

  #call(
    name: string,
    batchId: string,
    run: (
      dependencies: Parameters<typeof resumeBatch>[0] & Parameters<typeof cancelBatch>[0],
      request: {
        readonly path: { readonly batchId: string };
        readonly caller: string;
        readonly body: { readonly reason?: string };
      },
    ) => Promise<unknown>,
  ): Promise<unknown> {
    return this.#parts.functions.run(`${name} ${batchId}`, apiSeconds, (environment) =>
      run(environment, { path: { batchId }, caller: starter, body: {} }),
    );
  }

  #lookLater(batchId: string): void {
    this.#parts.timeline.in(this.#parts.chance.between(10, 60) * minute, () => this.#lookAfter(batchId));
  }

  /** Follows the runbook for a batch that makes no progress. */
  #lookAfter(batchId: string): void {
    const { chance, table } = this.#parts;
    const batch = storedBatch(table, batchId);
    const isRunning = this.#isRunning(batchId);
    if (chance.happens(0.5)) settleConversions({ ...this.#parts, unanswered: this.#unanswered }, batchId);
    if (chance.happens(0.3)) settlePayouts({ ...this.#parts, unanswered: this.#unanswered }, batchId);
    if (chance.happens(0.3)) this.#parts.reapplyWebhooks();
    this.#decide(batch);
    this.#lookLater(batchId);
    this.#putBack(batch);
    if (isBatchEnd(batch.status)) {
      // Resuming it repeats its report and follows open payouts again. The report of altered files has no version.
      const lacksFiles = batch.report?.chunkVersions === 0;
      if (!isRunning && (lacksFiles || arePayoutsUnderWay(table, batchId))) this.act(batchId, 'resume');
      return;
    }
    if (isAwaitingMoney(batch) && chance.happens(0.5)) this.#topUp();
    if (batch.cancelRequestedAt !== undefined && !isRunning) this.act(batchId, 'cancel');
    else if (this.#isLeftPaused(batch, isRunning)) return;
    else if (batch.status === 'paused' || !isRunning) {
      this.#parts.fixCredentials();
      if (batch.reason?.code === 'funds_overdue' || batch.reason?.code === 'insufficient_balance') this.#topUp();
      this.act(batchId, chance.happens(0.3) ? 'resume_twice' : 'resume');
    }
  }

  #isLeftPaused({ status, reason }: Batch, isRunning: boolean): boolean {
    const { timeline, leavesPausedUntil, service } = this.#parts;
    // The reason quotes the provider, which shows when the refusals are over.
    if (reason?.code === 'refused_alike' && service.refusesAll) return true;
    return status === 'paused' && isRunning && timeline.now < leavesPausedUntil;
  }

  /** Restores altered files. The alarm is also raised for a batch that has already stopped. */
  #putBack({ batchId, reason }: Batch): void {
    if (reason?.code === fileAltered.code || this.#parts.hasHaltAlarm(batchId))
      for (const related of this.debts.relatedTo(batchId)) this.#parts.bucket.restore(`batches/${related}/`);
  }

  /**
   * Approvers are late, or two decide concurrently, and some reject. They reject two rows for one debt if they know it. The
   * starter tries to approve too, and so does someone with an outdated view.
   */
  #decide(batch: Batch): void {
    const { batchId, status, approval } = batch;
    const { chance, functions } = this.#parts;
    if (status !== 'pending_approval') return;
    if (!this.debts.mayApprove(batch)) {
      if (chance.happens(0.6)) void this.#reject(batchId);
      return;
    }
    const approve = (caller: string, hash = approval?.hash ?? ''): void =>
      void functions.run(`ApproveBatch ${batchId}`, apiSeconds, (environment) =>
        approveBatch(environment, { path: { batchId }, caller, body: { hash, reason: 'Looked at it.' } }),
      );
    const shown = [...(this.#shown.get(batchId) ?? []), approval?.hash ?? ''];
    this.#shown.set(batchId, shown);
    const stale = shown.findLast((hash) => hash !== approval?.hash);
    if (chance.happens(0.3)) approve(starterLater);
    if (chance.happens(0.3) && stale !== undefined) approve(approvers[0], stale);
    if (chance.happens(0.08)) void this.#reject(batchId);
    if (chance.happens(0.6)) for (const caller of approvers.slice(chance.int(0, 1))) approve(caller);
  }

  /** Repeats the rejection until it is answered, which completes what a failure left half done. */
  async #reject(batchId: string): Promise<void> {
    const { timeline, functions } = this.#parts;
    this.#unanswered.count += 1;
    const reject = () =>
      functions.run(`RejectBatch ${batchId}`, apiSeconds, (environment) =>
        rejectBatch(environment, { path: { batchId }, caller: approvers[1], body: { reason: 'Not ours.' } }),
      );
    while ((await reject()).kind !== 'answered') await timeline.sleep(minute);
    this.#unanswered.count -= 1;
  }

  #topUp(): void {
    const { truth, history } = this.#parts;
    history.record('operator', 'tops up', () => 'every balance');
    for (const currency of truth.balances.keys()) truth.add(currency, 100_000_000_000n);
  }
}

/** True also for a batch that stays `validating`: it waits for a currency pair that another batch's conversion holds. */
const isAwaitingMoney = ({ status }: Batch): boolean => status === 'awaiting_funds' || status === 'validating';
