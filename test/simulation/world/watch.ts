import { isDeepStrictEqual } from 'node:util';
import { isBatchEnd } from '../../../functions/domain/batch/batch-status.ts';
import { holderOf } from '../../../functions/domain/money/conversion.ts';
import type { OrchestratorSettings } from '../../../functions/domain/settings.ts';
import { readBatch } from '../../../functions/ledger/batches/batch-codec.ts';
import { readPairLock } from '../../../functions/ledger/funds/funds-codec.ts';
import { executionName } from '../../../functions/ports/workflow.ts';
import { watchBatches } from '../../../functions/watch/watch-batches.ts';
import { backgroundFunctions } from '../../../infra/function-table/background-functions.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { Report } from '../invariants/violation.ts';
import type { StateMachine } from '../workflow/state-machine.ts';
import type { Functions } from './functions.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

export interface WatchParts {
  readonly timeline: Timeline;
  readonly weather: Weather;
  readonly functions: Functions;
  readonly stateMachine: StateMachine;
  readonly table: MemoryTable;
  readonly settings: OrchestratorSettings;
  /** Batches with executions that someone redrove by hand, whatever the watch had reported. */
  readonly redriven: ReadonlySet<string>;
  readonly report: Report;
}

const { timeoutSeconds: watchSeconds } = backgroundFunctions.WatchBatches;
/** The default of the setting `watchMinutes`. */
export const watchEveryMs = 300_000;
/** Two hours: enough to show the watch's effect without taking most of a run. */
const looks = 24;

interface Found {
  readonly what: string;
  readonly batchId: string;
  readonly item: Item;
}

/** The watch over batches, every five minutes, and the check that it reported everything that was due. */
export class Watch {
  readonly #parts: WatchParts;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    for (let look = 1; look <= looks; look += 1) parts.timeline.in(look * watchEveryMs, () => void this.#look());
  }

  /** Called when the watch records that a batch's execution is over, which must be true. */
  wrote(batchItem: Item): void {
    const { stateMachine, report, redriven } = this.#parts;
    const { batchId, executions, executionEnded } = readBatch(batchItem);
    const name = executionName(batchId, executions);
    if (executionEnded === true && !redriven.has(batchId) && stateMachine.executions.get(name)?.status === 'running') {
      report('the watch disturbs nothing', `${name} runs and is written down as over`, { batchId });
    }
  }

  async #look(): Promise<void> {
    const { functions, report, weather } = this.#parts;
    const before = [...this.#silent(), ...this.#deadLocks()];
    const overdue = this.#overdue();
    const ended = await functions.run('WatchBatches all', watchSeconds, watchBatches);
    // An index that is behind may hide an item until the next look.
    if (ended.kind !== 'answered' || weather.ledger.behind > 0) return;
    const stillOverdue = this.#overdue();
    for (const batchId of overdue.filter((one) => stillOverdue.includes(one)))
      report('every scheduled batch starts', 'its time is over, and nothing runs', { batchId });
    const after = [...this.#silent(), ...this.#deadLocks()];
    for (const { what, batchId, item } of before) {
      if (after.some((found) => isDeepStrictEqual(found.item, item))) report('a person is notified', what, { batchId });
    }
  }

  /** Open batches whose last execution is over without a record of it. */
  #silent(): readonly Found[] {
    const { table, stateMachine, redriven } = this.#parts;
    return table
      .items('BATCH#')
      .filter(({ sk }) => sk === 'BATCH')
      .flatMap((item) => {
        const { batchId, status, executionEnded, executions } = readBatch(item);
        const last = stateMachine.executions.get(executionName(batchId, executions));
        const isOver = last !== undefined && last.status !== 'running';
        if (!isOver || status === 'scheduled' || executionEnded === true || isBatchEnd(status) || redriven.has(batchId))
          return [];
        return [{ what: `a batch stays ${status}, and its execution is over`, batchId, item }];
      });
  }

  /** Batches past their start time that no execution begins. */
  #overdue(): readonly string[] {
    const { table, stateMachine, timeline } = this.#parts;
    const scheduled = table.items('BATCH#').filter(({ sk, status }) => sk === 'BATCH' && status === 'scheduled');
    return scheduled.flatMap((item) => {
      const { batchId, startAt = '', executions } = readBatch(item);
      const isRunning = stateMachine.executions.get(executionName(batchId, executions))?.status === 'running';
      return isRunning || timeline.now < Date.parse(startAt) ? [] : [batchId];
    });
  }

  /** Locks that nobody can need anymore. */
  #deadLocks(): readonly Found[] {
    const { table, timeline, settings } = this.#parts;
    return table.partition('FUNDS#LOCKS', 'LOCK#').flatMap((item) => {
      const lock = readPairLock(item);
      const { batchId = '', n = 0 } = holderOf(lock) ?? {};
      const conversion = table
        .partition(`BATCH#${batchId}`, 'CONVERSION#')
        .find((candidate) => Number(candidate['n']) === n);
      const isOld = timeline.now - Date.parse(lock.lockedAt) >= settings.resolveAfterSeconds * 1000;
      const isDead = conversion === undefined ? isOld : !['claimed', 'unknown'].includes(String(conversion['status']));
      return isDead ? [{ what: `the lock of ${lock.holder} stays`, batchId, item }] : [];
    });
  }
}
