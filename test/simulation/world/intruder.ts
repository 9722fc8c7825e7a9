import { chunkKey } from '../../../functions/files/keys.ts';
import type { Chance } from '../../support/chance.ts';
import type { MemoryBucket } from '../../support/memory-bucket.ts';
import type { History } from './history.ts';
import type { Timeline } from './timeline.ts';

export interface IntruderParts {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly bucket: MemoryBucket;
  readonly history: History;
}

/** Share of runs in which someone with write access to the bucket changes recipients or amounts. */
const visited = 0.1;
const changes = [
  (text: string) => text.replace(/"amount":"[^"]+"/, '"amount":"7.77"'),
  (text: string) => text.replace(/"(accountNumber|recipientId)":"[^"]+"/, '"$1":"999"'),
  (text: string) => text.replace(/"currency":"[^"]+"/, '"currency":"usdc-polygon"'),
] as const;

/** Someone with write access to the bucket only. */
export class Intruder {
  readonly #parts: IntruderParts;
  readonly #visits: boolean;
  readonly #planned = new Set<string>();

  constructor(parts: IntruderParts) {
    this.#parts = parts;
    this.#visits = parts.chance.happens(visited);
  }

  /** Called when a plan is recorded. Overwrites one of its chunk files immediately or within a minute. */
  sees(prefix: string, chunks: number): void {
    const { timeline, chance } = this.#parts;
    if (!this.#visits || this.#planned.has(prefix)) return;
    this.#planned.add(prefix);
    const withinMs = chance.pick([10, 500, 60_000]);
    timeline.in(chance.between(0, withinMs), () => this.#alter(chunkKey(prefix, chance.int(1, chunks))));
  }

  #alter(key: string): void {
    const { bucket, chance, history } = this.#parts;
    const text = bucket.content(key)?.toString('utf8') ?? '';
    // Keeps the object's metadata, because a seal can be copied.
    bucket.replace(key, Buffer.from(chance.pick(changes)(text)));
    history.record('intruder', 'alters', () => key);
  }
}
