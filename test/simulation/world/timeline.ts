interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

const isEarlier = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/**
 * Virtual time. Everything that takes time is an event. Events run one after another, by time and then by order of creation. All
 * promises that an event settles run before the next event.
 */
export class Timeline {
  readonly #heap: Event[] = [];
  #now: number;
  #made = 0;
  /** Number of events that ran. */
  happened = 0;

  constructor(start: number) {
    this.#now = start;
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.#now;
  }

  /** Schedules an event after this many milliseconds. */
  in(delayMs: number, run: () => void): void {
    this.#made += 1;
    this.#push({ at: this.#now + Math.max(0, Math.round(delayMs)), order: this.#made, run });
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.in(delayMs, resolve));
  }

  /** Runs events until none is left or `isOver` returns true. Throws after `most` events. */
  async run(most: number, isOver: () => boolean): Promise<void> {
    for (let event = this.#pop(); event !== undefined; event = this.#pop()) {
      this.#now = event.at;
      this.happened += 1;
      if (this.happened > most) throw new Error(`more than ${most} events`);
      event.run();
      // Promises, ticks and streams that the event started settle before the next event.
      await new Promise((resolve) => setImmediate(resolve));
      if (isOver()) return;
    }
  }

  /** Runs events until some work is done. */
  async wait<Value>(work: Promise<Value>): Promise<Value> {
    let isDone = false;
    const end = (): void => {
      isDone = true;
    };
    work.then(end, end);
    await this.run(Number.MAX_SAFE_INTEGER, () => isDone);
    return work;
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isEarlier(parent, event)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = event;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      let child = heap[below];
      const other = heap[below + 1];
      if (child !== undefined && other !== undefined && isEarlier(other, child)) {
        below += 1;
        child = other;
      }
      if (child === undefined || isEarlier(last, child)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}
