import { apply } from '../../functions/webhooks/apply.ts';
import { receive } from '../../functions/webhooks/receive.ts';
import type { Item } from '../support/memory-table/expressions.ts';
import type { Functions } from './functions.ts';
import type { TruePayment, Word } from './provider/truth.ts';
import type { Chance } from './random.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

const token = 'the-token-of-the-webhook-address';
const webhookSettings = async () => ({ token, secrets: [] });

/** As infra/constructs/webhook-intake.ts has them. */
const receiveSeconds = 10;
const applySeconds = 120;
const mostTries = 6;

/** From the provider's changes to the ledger, by the real handlers; and whoever else knows the address. */
export class Webhooks {
  readonly #functions: Functions;
  readonly #timeline: Timeline;
  readonly #chance: Chance;
  readonly #weather: Weather;
  #sequence = 0;

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
      reference: payment.reference,
      status: payment.status,
      n: payment.words.length,
    };
    this.#send('webhook', body);
    while (chance.happens(webhook.duplicated)) this.#send('webhook', body);
  }

  /** A stored webhook comes to the handler of the stream, again and again until it is applied or given up. */
  stored(item: Item): void {
    const [pk, body, receivedAt] = [item['pk'], item['body'], item['receivedAt']].map((value) => ({
      S: String(value),
    }));
    if (pk === undefined || body === undefined || receivedAt === undefined) return;
    this.#sequence += 1;
    const record = { dynamodb: { SequenceNumber: String(this.#sequence), NewImage: { pk, body, receivedAt } } };
    const attempt = async (tries: number): Promise<void> => {
      const ended = await this.#functions.run(`ApplyWebhook ${body.S}`, applySeconds, (surroundings) =>
        apply(surroundings, { Records: [record] }),
      );
      const isDone = ended.kind === 'answered' && ended.value.batchItemFailures.length === 0;
      if (!isDone && tries < mostTries) this.#timeline.in(1000 * 2 ** tries, () => void attempt(tries + 1));
    };
    this.#timeline.in(this.#chance.between(50, 2000), () => void attempt(1));
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
