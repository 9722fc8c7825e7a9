import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { DeadLetter, DeadLetters, Hint } from '../../../functions/ports/hint-queue.ts';
import { webhookNames } from '../../../functions/provider/webhook-names.ts';
import { apply } from '../../../functions/webhooks/apply.ts';
import { handOn } from '../../../functions/webhooks/hand-on.ts';
import { reapply } from '../../../functions/webhooks/reapply.ts';
import { receive } from '../../../functions/webhooks/receive.ts';
import { backgroundFunctions } from '../../../infra/function-table/background-functions.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { Process } from '../process.ts';
import type { TruePayment, Word } from '../provider/truth.ts';
import type { Functions } from './functions.ts';
import type { Chance } from './random.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

const token = 'the-token-of-the-webhook-address';
const webhookSettings = async () => ({ token, secrets: [] });

const { timeoutSeconds: receiveSeconds } = backgroundFunctions.ReceiveWebhook;
const { timeoutSeconds: handOnSeconds } = backgroundFunctions.HandOnWebhook;
const { timeoutSeconds: applySeconds } = backgroundFunctions.ApplyWebhook;
const { timeoutSeconds: reapplySeconds } = backgroundFunctions.ReapplyWebhooks;
/** While what was taken from the dead-letter queue is out of sight. */
const asideHiddenMs = 120_000;
const { lookupWindowSeconds, retryWaitsSeconds: waitsSeconds } = orchestratorSettings().parse({}).webhooks;

/** From the provider's changes to the ledger, by the real handlers; and whoever else knows the address. */
export class Webhooks {
  readonly #functions: Functions;
  readonly #timeline: Timeline;
  readonly #chance: Chance;
  readonly #weather: Weather;
  /** Hints that are on their way to be applied. */
  #underWay = 0;
  /** The dead-letter queue. */
  readonly #aside = new Map<string, { readonly text: string; hiddenUntil: number }>();
  #setAside = 0;

  constructor(functions: Functions, timeline: Timeline, chance: Chance, weather: Weather) {
    this.#functions = functions;
    this.#timeline = timeline;
    this.#chance = chance;
    this.#weather = weather;
  }

  /** The provider may tell of a change: at once or late, once or more often, and others may lie about it. */
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

  /** A webhook that arrived goes by the stream's handler into the queue, which hands it over until it is let go. */
  stored(item: Item): void {
    const [hash, body, receivedAt] = [item['hash'], item['body'], item['receivedAt']].map((value) => ({
      S: String(value),
    }));
    if (hash === undefined || body === undefined || receivedAt === undefined) return;
    const record = { dynamodb: { NewImage: { hash, body, receivedAt } } };
    this.#underWay += 1;
    const attempt = async (): Promise<void> => {
      const ended = await this.#functions.run(`HandOnWebhook ${body.S}`, handOnSeconds, ({ log }, process) => {
        const send = (hints: readonly Hint[]): Promise<void> =>
          process.reach('queue', () => {
            for (const hint of hints) this.#queue(JSON.stringify(hint), 1, this.#chance.between(50, 2000));
          });
        return handOn({ log, webhookNames, hintQueue: { send } }, { Records: [record] });
      });
      // The stream repeats what was not taken; what was taken as well as repeated is queued twice.
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
    // After a try that broke off; the function sets another where it can.
    let hiddenSeconds: number = applySeconds * 6;
    const record = { messageId: 'm', receiptHandle: 'r', body, attributes: { ApproximateReceiveCount: attempt } };
    const ended = await this.#functions.run(`ApplyWebhook ${body}`, applySeconds, (surroundings, process) => {
      const hintQueue = {
        hide: (_handle: string, seconds: number) =>
          process.reach('queue', () => {
            hiddenSeconds = seconds;
          }),
        setAside: (text: string) => process.reach('queue', () => this.#putAside(text)),
      };
      return apply({ ...surroundings, hintQueue, lookupWindowSeconds, waitsSeconds }, { Records: [record] });
    });
    const isDone = ended.kind === 'answered' && ended.value.batchItemFailures.length === 0;
    this.#underWay -= 1;
    if (isDone) return;
    if (attempt <= waitsSeconds.length) this.#queue(body, attempt + 1, hiddenSeconds * 1000);
    else this.#putAside(body);
  }

  #putAside(text: string): void {
    this.#setAside += 1;
    this.#aside.set(String(this.#setAside), { text, hiddenUntil: 0 });
  }

  /** Whether every webhook that arrived has been applied. */
  isIdle(): boolean {
    return this.#underWay === 0 && this.#aside.size === 0;
  }

  /** What the alarm over the dead-letter queue tells a person to do. */
  reapply(): void {
    if (this.#aside.size === 0) return;
    void this.#functions.run('ReapplyWebhooks all', reapplySeconds, ({ log }, process) =>
      reapply({ log, deadLetters: this.#deadLetters(process) }),
    );
  }

  #deadLetters(process: Process): DeadLetters {
    const visible = () => [...this.#aside].filter(([, { hiddenUntil }]) => hiddenUntil <= this.#timeline.now);
    const take = (): readonly DeadLetter[] =>
      visible()
        .slice(0, 10)
        .map(([receiptHandle, hint]) => {
          hint.hiddenUntil = this.#timeline.now + asideHiddenMs;
          return { text: hint.text, receiptHandle };
        });
    return {
      count: () => process.reach('queue', () => visible().length),
      take: () => process.reach('queue', take),
      putBack: async ({ text, receiptHandle }) => {
        await process.reach('queue', () => this.#queue(text, 1, this.#chance.between(50, 2000)));
        await process.reach('queue', () => this.#aside.delete(receiptHandle));
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
