import type { Chance } from '../support/chance.ts';
import type { History } from './world/history.ts';
import type { Place, Strike } from './world/storms.ts';
import type { Timeline } from './world/timeline.ts';
import type { Weather } from './world/weather.ts';

export interface ProcessParts {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly weather: Weather;
  readonly history: History;
}

/** The fault of one request to AWS. At most one of these is set. */
export interface Mishap {
  /** Thrown before anything is done. */
  readonly before?: Error;
  /** Thrown after the work is done. */
  readonly after?: Error;
  /** True when the work is done, its answer is lost, and the SDK repeats the request. */
  readonly repeated?: boolean;
}

/** How a process ended. */
export type Ended<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Ended without an answer: it crashed, or ran out of time. */
  | { readonly kind: 'gone'; readonly cause: 'crashed' | 'out_of_time' };

const noMishap: Mishap = {};

/**
 * One invocation of a function. All its effects go through `reach` or `hang`. There time passes, other processes run in between,
 * and the process may die before or after the effect. A dead process has no further effect, and its promises never settle.
 */
export class Process {
  readonly name: string;
  readonly #parts: ProcessParts;
  readonly #deadline: number;
  #isAlive = true;
  #onEnd: ((ended: Ended<never>) => void) | undefined;

  constructor(parts: ProcessParts, name: string, timeoutMs: number) {
    this.#parts = parts;
    this.name = name;
    this.#deadline = parts.timeline.now + timeoutMs;
  }

  get remainingMs(): number {
    return Math.max(0, this.#deadline - this.#parts.timeline.now);
  }

  /** Runs work until it answers, throws, crashes or runs out of time. */
  run<Value>(work: () => Promise<Value>): Promise<Ended<Value>> {
    const { timeline, history } = this.#parts;
    return new Promise((resolve) => {
      this.#onEnd = resolve;
      timeline.in(this.remainingMs, () => this.#die('out_of_time'));
      const end = (ended: Ended<Value>): void => {
        if (!this.#isAlive) return;
        this.#isAlive = false;
        history.record(this.name, ended.kind, () => describeEnd(ended));
        resolve(ended);
      };
      work().then(
        (value) => end({ kind: 'answered', value }),
        (error: unknown) => end({ kind: 'failed', error }),
      );
    });
  }

  /** Sends one request to AWS. `act` runs as a whole at one later moment. */
  reach<Value>(place: Place, act: () => Value, mishap: Mishap = noMishap): Promise<Value> {
    const { timeline, chance } = this.#parts;
    return new Promise((resolve, reject) => {
      if (!this.#isAlive) return;
      const crash = this.#drawCrash(place);
      // A request in flight may still be processed after its process dies.
      const isSent = chance.happens(0.5);
      const settle = (): void => {
        if (this.#isAlive || isSent) this.#settle(act, crash, mishap, resolve, reject);
      };
      const again = (): void => {
        if (!this.#isAlive && !isSent) return;
        try {
          act();
        } catch {
          // The error of the first attempt is dropped.
        }
        timeline.in(chance.between(20, 400), settle);
      };
      timeline.in(this.#drawLatency(place), mishap.repeated === true ? again : settle);
    });
  }

  #settle<Value>(
    act: () => Value,
    crash: 'before' | 'after' | undefined,
    { before, after }: Mishap,
    resolve: (value: Value) => void,
    reject: (error: unknown) => void,
  ): void {
    if (crash === 'before') {
      this.#die('crashed');
      return;
    }
    // Nothing settles for a dead process, so its promises are never resolved.
    const respond = (answer: () => void): void => {
      if (crash === 'after') this.#die('crashed');
      else if (this.#isAlive) answer();
    };
    if (before !== undefined) {
      respond(() => reject(before));
      return;
    }
    try {
      const value = act();
      respond(() => (after === undefined ? resolve(value) : reject(after)));
    } catch (error) {
      respond(() => reject(error));
    }
  }

  /** Begins work that continues without the process, such as a request over the network. */
  hang<Value>(place: Place, begin: (settle: (value: Value) => void) => void): Promise<Value> {
    return new Promise((resolve) => {
      if (!this.#isAlive) return;
      const crash = this.#drawCrash(place);
      if (crash !== 'before') {
        begin((value) => {
          if (this.#isAlive) resolve(value);
        });
      }
      if (crash !== undefined) this.#die('crashed');
    });
  }

  #isFoul(): boolean {
    return this.#parts.timeline.now < this.#parts.weather.until;
  }

  /** The storm's effect on this process's requests to that place. */
  strikeAt(place: Place): Strike | undefined {
    const { weather, timeline } = this.#parts;
    const { storm } = weather;
    if (storm === undefined || timeline.now >= storm.until) return undefined;
    return storm.strikes.find((strike) => strike.place === place && this.name.startsWith(`${strike.function} `));
  }

  #drawCrash(place: Place): 'before' | 'after' | undefined {
    const { chance, weather } = this.#parts;
    if (!this.#isFoul()) return undefined;
    const { before, after } = this.strikeAt(place)?.crash ?? { before: 0, after: 0 };
    if (chance.happens(weather.crash / 2 + before)) return 'before';
    return chance.happens(weather.crash / 2 + after) ? 'after' : undefined;
  }

  #drawLatency(place: Place): number {
    const { chance, weather } = this.#parts;
    const late = weather.slow + (this.strikeAt(place)?.late ?? 0);
    if (this.#isFoul() && chance.happens(late)) return chance.between(1000, 120_000);
    return chance.between(2, chance.happens(0.05) ? 2000 : 30);
  }

  #die(cause: 'crashed' | 'out_of_time'): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    this.#parts.history.record(this.name, cause, () => '');
    this.#onEnd?.({ kind: 'gone', cause });
  }
}

const describeEnd = (ended: Ended<unknown>): string => {
  if (ended.kind === 'answered') return JSON.stringify(ended.value) ?? '';
  if (ended.kind === 'failed')
    return ended.error instanceof Error ? `${ended.error.name}: ${ended.error.message}` : 'unknown';
  return ended.cause;
};
