import { hashText } from '../../support/chance.ts';
import type { Timeline } from './timeline.ts';

/** One event of the history. */
export interface Entry {
  readonly at: number;
  /** The actor: a step of a chunk, an operator, the provider. */
  readonly actor: string;
  readonly text: string;
  /** More text that names its subject, not shown, such as the body of a request. */
  readonly about: string;
}

/** The history of a run. Always a hash, by which two runs of a seed are compared; in words on request. */
export class History {
  readonly entries: Entry[] = [];
  readonly #timeline: Timeline;
  readonly #isKept: boolean;
  #hash = 0x811c9dc5;

  constructor(timeline: Timeline, isKept: boolean) {
    this.#timeline = timeline;
    this.#isKept = isKept;
  }

  /** @param text called only when the words are kept */
  record(actor: string, verb: string, text: () => string, about = ''): void {
    const at = this.#timeline.now;
    this.#hash = hashText(`${at} ${actor} ${verb}`, this.#hash);
    if (this.#isKept) this.entries.push({ at, actor, text: `${verb} ${text()}`.trim(), about });
  }

  get hash(): string {
    return this.#hash.toString(16).padStart(8, '0');
  }
}

const seconds = (ms: number): string => {
  const whole = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const [mm, ss, fraction] = [minutes, whole % 60, ms % 1000].map((part, index) =>
    part.toString().padStart(index === 2 ? 3 : 2, '0'),
  );
  return `${hours.toString().padStart(3, '0')}:${mm}:${ss}.${fraction}`;
};

/** Selects the entries about one payout or batch. */
export interface Subject {
  readonly batchId?: string | undefined;
  readonly chunk?: number | undefined;
  readonly reference?: string | undefined;
}

/** True for entries of the subject. A chunk is named `<batch>.<chunk>`, also in the batch's second execution. */
const concerns = ({ batchId, chunk, reference }: Subject): ((entry: Entry) => boolean) => {
  const ofBatch = batchId === undefined ? /^/ : new RegExp(`${batchId}\\b(?!(-\\d+)?\\.)`);
  const ofChunk =
    batchId === undefined || chunk === undefined ? undefined : new RegExp(`${batchId}(-\\d+)?\\.${chunk}\\b`);
  return ({ actor, text, about }) => {
    if (reference !== undefined && (text.includes(reference) || about.includes(reference))) return true;
    const named = `${actor} ${text}`;
    return ofChunk?.test(named) === true || ofBatch.test(named);
  };
};

/** The entries that concern a subject, one per line: hours since the start, actor, event. */
export const describeHistory = (entries: readonly Entry[], subject: Subject): string => {
  const start = entries[0]?.at ?? 0;
  const width = 34;
  return entries
    .filter(concerns(subject))
    .map(({ at, actor, text }) => `${seconds(at - start)}  ${actor.padEnd(width)} ${text}`)
    .join('\n');
};
