import type { Schedules } from '../../../functions/ports/schedules.ts';
import { beginScheduled } from '../../../functions/watch/begin-scheduled.ts';
import { backgroundFunctions } from '../../../infra/function-table/background-functions.ts';
import type { Chance } from '../../support/chance.ts';
import type { Process } from '../process.ts';
import type { Functions } from './functions.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

export interface ScheduleParts {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly weather: Weather;
  readonly functions: () => Functions;
}

const outage = (): Error => Object.assign(new Error('the scheduler is out'), { name: 'InternalServerException' });
/** A schedule runs within a minute of its time. */
const lateMs = 60_000;
/** How far its clock is ahead of ours. With faults, further than an execution waits for its time. */
const earlyMs = 20_000;
const farTooEarlyMs = 90_000;
/** Attempts of Lambda for an asynchronous invocation. */
const tries = 3;
const { timeoutSeconds: beginSeconds } = backgroundFunctions.BeginScheduled;

/** EventBridge Scheduler: one-time schedules by name, on a clock of its own. With faults some never run, and some run twice. */
export class SimulatedSchedules {
  readonly #parts: ScheduleParts;
  readonly #scheduled = new Set<string>();

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
  }

  /** The port for one process. */
  port(process: Process): Schedules {
    const { timeline, chance, weather } = this.#parts;
    const reach = (act: () => void): Promise<void> => {
      const isOut = timeline.now < weather.until && chance.happens(weather.workflowError);
      return process.reach(
        'workflow',
        act,
        isOut ? (chance.happens(0.5) ? { before: outage() } : { after: outage() }) : {},
      );
    };
    return {
      wakeAt: (batchId, atMs) => reach(() => this.#make(batchId, atMs)),
      forget: (batchId) => reach(() => void this.#scheduled.delete(batchId)),
    };
  }

  #make(batchId: string, atMs: number): void {
    const { timeline, chance, weather } = this.#parts;
    if (this.#scheduled.has(batchId)) return;
    this.#scheduled.add(batchId);
    const mostEarlyMs = timeline.now < weather.until && chance.happens(0.2) ? farTooEarlyMs : earlyMs;
    const runsAt = atMs + chance.between(-mostEarlyMs, lateMs);
    timeline.in(Math.max(0, runsAt - timeline.now), () => {
      if (!this.#scheduled.delete(batchId)) return;
      const isFoul = timeline.now < weather.until;
      if (isFoul && chance.happens(weather.workflowError)) return;
      for (let time = 0; time < (isFoul && chance.happens(weather.twin) ? 2 : 1); time += 1) void this.#run(batchId);
    });
  }

  async #run(batchId: string): Promise<void> {
    const { timeline, functions } = this.#parts;
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const ended = await functions().run(`BeginScheduled ${batchId}`, beginSeconds, (environment) =>
        beginScheduled(environment, { batchId, stateMachine: 'machine' }),
      );
      if (ended.kind === 'answered') return;
      await timeline.sleep(attempt * 60_000);
    }
  }
}
