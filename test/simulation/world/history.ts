import { hashText } from './random.ts';
import type { Timeline } from './timeline.ts';

/** One thing that happened. */
export interface Entry {
  readonly at: number;
  /** Who did it: a step of a chunk, an operator, the provider. */
  readonly who: string;
  readonly text: string;
  /** What else tells whom it concerns, not shown: the body of a request. */
  readonly about: string;
}

/** What happened in a run: always as a hash, by which two runs of a seed are compared, and in words when asked for. */
export class History {
  readonly entries: Entry[] = [];
  readonly #timeline: Timeline;
  readonly #isKept: boolean;
  #hash = 0x811c9dc5;

  constructor(timeline: Timeline, isKept: boolean) {
    this.#timeline = timeline;
    this.#isKept = isKept;
  }

  /** @param text made only when the words are kept */
  tell(who: string, verb: string, text: () => string, about = ''): void {
    const at = this.#timeline.now;
    this.#hash = hashText(`${at} ${who} ${verb}`, this.#hash);
    if (this.#isKept) this.entries.push({ at, who, text: `${verb} ${text()}`.trim(), about });
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

/** What a person who wants to follow one payout or batch has to read. */
export interface Subject {
  readonly batchId?: string | undefined;
  readonly chunk?: number | undefined;
  readonly reference?: string | undefined;
}

/** Tells the entries of a subject: a chunk is named `<batch>.<chunk>`, also of the batch's second execution. */
const concerns = ({ batchId, chunk, reference }: Subject): ((entry: Entry) => boolean) => {
  const ofBatch = batchId === undefined ? /^/ : new RegExp(`${batchId}\\b(?!(-\\d+)?\\.)`);
  const ofChunk =
    batchId === undefined || chunk === undefined ? undefined : new RegExp(`${batchId}(-\\d+)?\\.${chunk}\\b`);
  return ({ who, text, about }) => {
    if (reference !== undefined && (text.includes(reference) || about.includes(reference))) return true;
    const named = `${who} ${text}`;
    return ofChunk?.test(named) === true || ofBatch.test(named);
  };
};

/** The entries that concern a subject, one a line: hours since the start, who, what. */
export const describeHistory = (entries: readonly Entry[], subject: Subject): string => {
  const start = entries[0]?.at ?? 0;
  const width = 34;
  return entries
    .filter(concerns(subject))
    .map(({ at, who, text }) => `${seconds(at - start)}  ${who.padEnd(width)} ${text}`)
    .join('\n');
};
