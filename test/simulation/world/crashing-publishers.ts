import type { BatchTransition } from '../../../functions/domain/batch/batch-status.ts';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import type { CloudEvent } from '../../../functions/domain/events/cloud-event.ts';
import type { NewsRecords } from '../../../functions/events/publish-news.ts';
import { publishNews } from '../../../functions/events/publish-news.ts';
import type { PublishOverdueDependencies } from '../../../functions/events/publish-overdue.ts';
import { publishOverdue } from '../../../functions/events/publish-overdue.ts';
import { createLedger } from '../../../functions/ledger/ledger.ts';
import { openNews } from '../../../functions/ledger/table/table.ts';
import type { EventBus } from '../../../functions/ports/event-bus.ts';
import type { Ledger } from '../../../functions/ports/ledger/ledger.ts';
import type { Chance } from '../../support/chance.ts';
import { memoryLedgerTable } from '../../support/memory-table/ledger-table.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import { newBatch } from '../../support/scenes/new-batch.ts';
import { silentLog } from '../../support/silent-log.ts';

type StreamRecord = NewsRecords['Records'][number];

/** Records per delivery of the stream, and attempts before a lossy stream continues without them. */
const recordsAtOnce = 100;
const streamTries = 6;

/** Probabilities that a publisher dies at a request, and that the bus refuses some events. */
export interface Trouble {
  readonly dies: number;
  readonly refuses: number;
  /** Probability that the stream loses a delivery, as when it was off for more than a day. */
  readonly loses: number;
}

const { pause, resumeProcessing, startValidating, startProcessing } = batchTransitions;

/** A ledger, concurrent publishers of its stream that die anywhere, and a bus that keeps every event. */
export class CrashingPublishers {
  readonly ledger: Ledger;
  /** In order of arrival, including repetitions. */
  readonly delivered: CloudEvent[] = [];
  deaths = 0;
  lost = 0;
  #now = Date.parse('2026-03-14T09:26:53.589Z');
  #ids = 0;
  readonly #chance: Chance;
  readonly #trouble: Trouble;
  readonly #stream: StreamRecord[] = [];
  readonly #table = memoryLedgerTable({
    onWrite: (changes) => {
      for (const { before, after } of changes) {
        if (before !== undefined || after?.['open'] !== openNews) continue;
        const NewImage = { batchId: { S: String(after['batchId']) }, newsId: { S: String(after['newsId']) } };
        this.#stream.push({ dynamodb: { SequenceNumber: String(++this.#ids), NewImage } });
      }
    },
  });

  constructor(chance: Chance, trouble: Trouble) {
    this.#chance = chance;
    this.#trouble = trouble;
    this.ledger = this.#ledgerOn(this.#table.client);
  }

  /** Changes the status of a batch this many times. */
  async change(batchId: string, times: number): Promise<void> {
    const { ledger } = this;
    await ledger.createBatch(newBatch({ batchId }));
    const way: BatchTransition[] = [startValidating, startProcessing];
    while (way.length < times - 1) way.push(way.at(-1) === pause ? resumeProcessing : pause);
    for (const transition of way.slice(0, times - 1)) {
      this.#now += 1;
      await ledger.moveBatch(batchId, transition, 'system');
    }
  }

  /** Delivers the stream's records in order, again after failures, and sometimes to two publishers concurrently. */
  async handOver(): Promise<void> {
    for (let tries = 0; this.#stream.length > 0; ) {
      const Records = this.#stream.slice(0, this.#chance.int(1, recordsAtOnce));
      if (this.#chance.happens(this.#trouble.loses)) {
        this.lost += this.#stream.splice(0, Records.length).length;
        continue;
      }
      const [failed] = await Promise.all([
        this.#publish(Records),
        this.#chance.happens(0.2) ? this.#publish(Records) : undefined,
        this.#chance.happens(0.1) ? this.#lookForOverdue(this.#dying()).catch(() => undefined) : undefined,
      ]);
      const done = failed === undefined ? Records.length : failed;
      this.#stream.splice(0, done);
      tries = done === 0 ? tries + 1 : 0;
      if (tries < streamTries || this.#trouble.loses === 0) continue;
      this.lost += this.#stream.splice(0, Records.length).length;
      tries = 0;
    }
  }

  /** Publishes overdue events some minutes later, without faults. */
  async lookLater(): Promise<void> {
    this.#now += 600_000;
    await this.#lookForOverdue(this.#dependencies(this.ledger, this.#bus));
  }

  /** Events in the ledger that nobody has published. */
  get unpublished(): number {
    return this.#table.items('EVENTS#').filter((item) => item['open'] !== undefined).length;
  }

  /** The number of records done before the first one to repeat. Undefined when none is to be repeated. */
  async #publish(Records: readonly StreamRecord[]): Promise<number | undefined> {
    try {
      const { batchItemFailures } = await publishNews(this.#dying(), { Records: [...Records] });
      const again = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      const first = Records.findIndex(({ dynamodb }) => again.has(dynamodb.SequenceNumber));
      return first === -1 ? undefined : first;
    } catch {
      return 0;
    }
  }

  #lookForOverdue(dependencies: PublishOverdueDependencies): Promise<void> {
    return publishOverdue(dependencies, { remainingMs: () => 240_000 });
  }

  readonly #bus: EventBus = {
    publish: async (events) => {
      this.delivered.push(...events);
      return events.length;
    },
  };

  /** A function that dies after one of its requests, whether made or not. It makes no later request. */
  #dying(): PublishOverdueDependencies {
    let isDead = false;
    const request = async <Answer>(make: () => Promise<Answer>): Promise<Answer> => {
      if (isDead) throw new Error('the function is gone');
      isDead = this.#chance.happens(this.#trouble.dies);
      if (!isDead) return make();
      this.deaths += 1;
      if (this.#chance.happens(0.5)) await make();
      throw new Error('the function is gone');
    };
    const send = (command: unknown) => request(async () => this.#table.answer(command));
    const bus: EventBus = {
      publish: (events) =>
        request(async () => {
          const isRefused = this.#chance.happens(this.#trouble.refuses);
          const taken = isRefused ? this.#chance.int(0, events.length - 1) : events.length;
          // Some events after the first refused one are accepted too.
          this.delivered.push(
            ...events.filter((_, index) => index < taken || (index > taken && this.#chance.happens(0.5))),
          );
          return taken;
        }),
    };
    const client: MemoryTable['client'] = Object.create(this.#table.client, { send: { value: send } });
    return this.#dependencies(this.#ledgerOn(client), bus);
  }

  #dependencies(ledger: Ledger, eventBus: EventBus): PublishOverdueDependencies {
    return { ledger, eventBus, log: silentLog, wait: async () => undefined, clock: () => this.#now };
  }

  #ledgerOn(client: MemoryTable['client']): Ledger {
    return createLedger({
      client,
      table: this.#table.name,
      clock: () => this.#now,
      ids: { sortable: () => `${++this.#ids}`.padStart(26, '0'), unique: () => `unique-${++this.#ids}` },
      random: () => 0,
      wait: async () => undefined,
    });
  }
}
