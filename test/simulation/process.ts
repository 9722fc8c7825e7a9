import type { History } from './world/history.ts';
import type { Chance } from './world/random.ts';
import type { Place, Strike } from './world/storms.ts';
import type { Timeline } from './world/timeline.ts';
import type { Weather } from './world/weather.ts';

export interface ProcessParts {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly weather: Weather;
  readonly history: History;
}

/** What befalls one request to AWS. At most one of these. */
export interface Mishap {
  /** Nothing is done, and this is thrown. */
  readonly before?: Error;
  /** It is done, and this is thrown. */
  readonly after?: Error;
  /** It is done, the answer is lost, and the SDK asks again. */
  readonly repeated?: boolean;
}

/** How a process ended. */
export type Ended<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Gone without an answer: crashed, or out of time. */
  | { readonly kind: 'gone'; readonly cause: 'crashed' | 'out_of_time' };

const noMishap: Mishap = {};

/**
 * One invocation of a function. Everything it does to the world goes through `reach` or `hang`: there time passes, others
 * come in between, and the process may be gone before or after what it asked for was done. Once it is gone nothing it
 * asks for happens, and none of its promises ever settles.
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

  /** Runs work in the process until it answers, throws, crashes or is out of time. */
  run<Value>(work: () => Promise<Value>): Promise<Ended<Value>> {
    const { timeline, history } = this.#parts;
    return new Promise((resolve) => {
      this.#onEnd = resolve;
      timeline.in(this.remainingMs, () => this.#die('out_of_time'));
      const end = (ended: Ended<Value>): void => {
        if (!this.#isAlive) return;
        this.#isAlive = false;
        history.tell(this.name, ended.kind, () => describeEnd(ended));
        resolve(ended);
      };
      work().then(
        (value) => end({ kind: 'answered', value }),
        (error: unknown) => end({ kind: 'failed', error }),
      );
    });
  }

  /** One request to AWS: `act` is done at once and whole, some time from now. */
  reach<Value>(place: Place, act: () => Value, mishap: Mishap = noMishap): Promise<Value> {
    const { timeline, chance } = this.#parts;
    return new Promise((resolve, reject) => {
      if (!this.#isAlive) return;
      const crash = this.#drawCrash(place);
      // A request that is under way when its process is gone may still be done.
      const isSent = chance.happens(0.5);
      const settle = (): void => {
        if (this.#isAlive || isSent) this.#settle(act, crash, mishap, resolve, reject);
      };
      const again = (): void => {
        if (!this.#isAlive && !isSent) return;
        try {
          act();
        } catch {
          // Nobody hears of the first attempt.
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
    // Of a process that is gone nothing settles: what resolves a promise of it is heard by nobody.
    const heard = (answer: () => void): void => {
      if (crash === 'after') this.#die('crashed');
      else if (this.#isAlive) answer();
    };
    if (before !== undefined) {
      heard(() => reject(before));
      return;
    }
    try {
      const value = act();
      heard(() => (after === undefined ? resolve(value) : reject(after)));
    } catch (error) {
      heard(() => reject(error));
    }
  }

  /** Something that goes on without the process once it was begun: a request over the network. */
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

  /** What a storm does to what this process asks for there. */
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
    this.#parts.history.tell(this.name, cause, () => '');
    this.#onEnd?.({ kind: 'gone', cause });
  }
}

const describeEnd = (ended: Ended<unknown>): string => {
  if (ended.kind === 'answered') return JSON.stringify(ended.value) ?? '';
  if (ended.kind === 'failed')
    return ended.error instanceof Error ? `${ended.error.name}: ${ended.error.message}` : 'unknown';
  return ended.cause;
};
