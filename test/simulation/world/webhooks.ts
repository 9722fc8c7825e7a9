import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { DeadLetter, DeadLetters, Hint } from '../../../functions/ports/hint-queue.ts';
import { webhookNames } from '../../../functions/provider/webhook-names.ts';
import { applyWebhooks } from '../../../functions/webhooks/apply-webhook.ts';
import { queueHints } from '../../../functions/webhooks/queue-hints.ts';
import { reapply } from '../../../functions/webhooks/reapply-webhooks.ts';
import { receive } from '../../../functions/webhooks/receive-webhook.ts';
import { backgroundFunctions } from '../../../infra/function-table/background-functions.ts';
import type { Chance } from '../../support/chance.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { Process } from '../process.ts';
import type { TruePayment, Word } from '../provider/truth.ts';
import type { Functions } from './functions.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

const token = 'the-token-of-the-webhook-address';
const webhookSettings = async () => ({ token, secrets: [] });

const { timeoutSeconds: receiveSeconds } = backgroundFunctions.ReceiveWebhook;
const { timeoutSeconds: queueHintsSeconds } = backgroundFunctions.HandOnWebhook;
const { timeoutSeconds: applySeconds } = backgroundFunctions.ApplyWebhook;
const { timeoutSeconds: reapplySeconds } = backgroundFunctions.ReapplyWebhooks;
/** How long a message taken from the dead-letter queue is invisible. */
const deadLetterHiddenMs = 120_000;
const { lookupWindowSeconds, retryWaitsSeconds: waitsSeconds } = orchestratorSettings().parse({}).webhooks;

/** Carries the provider's changes to the ledger through the real handlers, and webhooks from strangers. */
export class Webhooks {
  readonly #functions: Functions;
  readonly #timeline: Timeline;
  readonly #chance: Chance;
  readonly #weather: Weather;
  /** Hints that are still to be applied. */
  #underWay = 0;
  /** The dead-letter queue. */
  readonly #deadLetterQueue = new Map<string, { readonly text: string; hiddenUntil: number }>();
  #deadLettered = 0;

  constructor(functions: Functions, timeline: Timeline, chance: Chance, weather: Weather) {
    this.#functions = functions;
    this.#timeline = timeline;
    this.#chance = chance;
    this.#weather = weather;
  }

  /** The provider may report a change: immediately or late, once or more often. Others may send false reports. */
  changed(payment: TruePayment): void {
    const { webhook } = this.#weather;
    const chance = this.#chance;
    if (chance.happens(webhook.forged)) {
      const lie: Word = chance.pick(['completed', 'failed', 'canceled']);
      this.#send('forged', { disbursementId: payment.id, reference: payment.reference, status: lie });
    }
    if (!chance.happens(webhook.sent)) return;
    const body = {
      disbursementId: payment.id,
      ...(webhook.idsAlone ? {} : { reference: payment.reference }),
      status: payment.status,
      n: payment.words.length,
    };
    this.#send('webhook', body);
    while (chance.happens(webhook.duplicated)) this.#send('webhook', body);
  }

  /** The stream's handler queues a webhook that arrived. The queue delivers it until it is deleted. */
  stored(item: Item): void {
    const [hash, body, receivedAt] = [item['hash'], item['body'], item['receivedAt']].map((value) => ({
      S: String(value),
    }));
    if (hash === undefined || body === undefined || receivedAt === undefined) return;
    const record = { dynamodb: { NewImage: { hash, body, receivedAt } } };
    this.#underWay += 1;
    const attempt = async (): Promise<void> => {
      const ended = await this.#functions.run(`HandOnWebhook ${body.S}`, queueHintsSeconds, ({ log }, process) => {
        const send = (hints: readonly Hint[]): Promise<void> =>
          process.reach('queue', () => {
            for (const hint of hints) this.#queue(JSON.stringify(hint), 1, this.#chance.between(50, 2000));
          });
        return queueHints({ log, webhookNames, hintQueue: { send } }, { Records: [record] });
      });
      // The stream repeats a record that was not taken. One that was taken and repeated is queued twice.
      if (ended.kind !== 'answered') this.#timeline.in(1000, () => void attempt());
      else this.#underWay -= 1;
    };
    void attempt();
  }

  #queue(body: string, attempt: number, delayMs: number): void {
    this.#underWay += 1;
    this.#timeline.in(delayMs, () => void this.#handOver(body, attempt));
  }

  async #handOver(body: string, attempt: number): Promise<void> {
    // The delay after an attempt that broke off. The function sets another delay when it can.
    let hiddenSeconds: number = applySeconds * 6;
    const record = { messageId: 'm', receiptHandle: 'r', body, attributes: { ApproximateReceiveCount: attempt } };
    const ended = await this.#functions.run(`ApplyWebhook ${body}`, applySeconds, (environment, process) => {
      const hintQueue = {
        hide: (_handle: string, seconds: number) =>
          process.reach('queue', () => {
            hiddenSeconds = seconds;
          }),
        setAside: (text: string) => process.reach('queue', () => this.#addDeadLetter(text)),
      };
      return applyWebhooks({ ...environment, hintQueue, lookupWindowSeconds, waitsSeconds }, { Records: [record] });
    });
    const isDone = ended.kind === 'answered' && ended.value.batchItemFailures.length === 0;
    this.#underWay -= 1;
    if (isDone) return;
    if (attempt <= waitsSeconds.length) this.#queue(body, attempt + 1, hiddenSeconds * 1000);
    else this.#addDeadLetter(body);
  }

  #addDeadLetter(text: string): void {
    this.#deadLettered += 1;
    this.#deadLetterQueue.set(String(this.#deadLettered), { text, hiddenUntil: 0 });
  }

  /** True when every webhook that arrived has been applied. */
  isIdle(): boolean {
    return this.#underWay === 0 && this.#deadLetterQueue.size === 0;
  }

  /** Does what the alarm over the dead-letter queue asks of a person. */
  reapply(): void {
    if (this.#deadLetterQueue.size === 0) return;
    void this.#functions.run('ReapplyWebhooks all', reapplySeconds, ({ log }, process) =>
      reapply({ log, deadLetters: this.#deadLetters(process) }),
    );
  }

  #deadLetters(process: Process): DeadLetters {
    const visible = () => [...this.#deadLetterQueue].filter(([, { hiddenUntil }]) => hiddenUntil <= this.#timeline.now);
    const take = (): readonly DeadLetter[] =>
      visible()
        .slice(0, 10)
        .map(([receiptHandle, hint]) => {
          hint.hiddenUntil = this.#timeline.now + deadLetterHiddenMs;
          return { text: hint.text, receiptHandle };
        });
    return {
      count: () => process.reach('queue', () => visible().length),
      take: () => process.reach('queue', take),
      putBack: async ({ text, receiptHandle }) => {
        await process.reach('queue', () => this.#queue(text, 1, this.#chance.between(50, 2000)));
        await process.reach('queue', () => this.#deadLetterQueue.delete(receiptHandle));
      },
    };
  }

  #send(kind: string, content: object): void {
    const delayMs = this.#chance.happens(this.#weather.webhook.late)
      ? this.#chance.between(0, 3_600_000)
      : this.#chance.between(10, 2000);
    const event = {
      pathParameters: { token },
      headers: {},
      body: JSON.stringify({ kind: 'disbursement', ...content }),
    };
    this.#timeline.in(delayMs, () => {
      void this.#functions.run(
        `ReceiveWebhook (${kind}) ${JSON.stringify(content)}`,
        receiveSeconds,
        ({ ledger, clock }) => receive({ ledger, clock, webhookSettings }, event),
      );
    });
  }
}
