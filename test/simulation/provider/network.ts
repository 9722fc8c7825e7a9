import { given } from '../../../functions/domain/given.ts';
import type { HttpOutcome, HttpRequest } from '../../../functions/provider/transport/http.ts';
import type { Http } from '../../../functions/provider/transport/transport.ts';
import type { Chance } from '../../support/chance.ts';
import type { Process } from '../process.ts';
import type { History } from '../world/history.ts';
import type { Timeline } from '../world/timeline.ts';
import type { RequestFault, Weather } from '../world/weather.ts';
import { requestFaults } from '../world/weather.ts';
import type { ServiceAnswer } from './answer.ts';
import type { RateTerms } from './rate-limit.ts';
import { RateLimit } from './rate-limit.ts';
import type { Service } from './service.ts';

export interface NetworkParts {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly weather: Weather;
  readonly service: Service;
  readonly rate: RateTerms | undefined;
  readonly history: History;
  /** True while the provider refuses the credentials for every request. */
  readonly areCredentialsRefused: () => boolean;
  /** True while a gateway answers 404 for the path of every single payment. */
  readonly isRouteLost: () => boolean;
  /** Called with every POST the moment it leaves the process. */
  readonly onPost: (path: string, body: string) => void;
  /** Called with every request the moment it leaves the process. */
  readonly onRequest: (actor: string, path: string) => void;
}

const unknown = (cause: string): HttpOutcome => ({ kind: 'unknown', cause });
const json = (status: number, body: object): HttpOutcome => ({
  kind: 'response',
  status,
  body: Buffer.from(JSON.stringify(body)),
});
const asIs = ({ status, body, headers }: ServiceAnswer): HttpOutcome => ({
  kind: 'response',
  status,
  body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)),
  ...given({ retryAfter: headers?.['retry-after'] }),
});

/** The path of one payment, but not of a list or of the payment methods. */
const singlePayment = /^\/v1\/disbursement\/(fiat|crypto)\/(?!payment-method|estimate)/;

/** Longest time in milliseconds between the client's timeout and the completion of the work. */
const latestWorkMs = 100_000;

/** 404 answers of gateways that do not mention the payment. */
const gatewayAnswers: readonly [HttpOutcome, ...HttpOutcome[]] = [
  { kind: 'response', status: 404, body: Buffer.from('<html><body>404 Not Found</body></html>') },
  { kind: 'response', status: 404, body: Buffer.alloc(0) },
  json(404, { message: 'Not Found' }),
  json(404, { statusCode: 404, error: 'Not Found', message: 'Cannot GET /v1/disbursement' }),
];

/** The network between a process and the provider, and the provider's own weaknesses. */
export class Network {
  readonly #parts: NetworkParts;
  /** POSTs that were sent and that the provider may still process. */
  readonly #underWay = new Set<HttpRequest>();
  readonly #limit: RateLimit | undefined;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
    this.#limit = parts.rate === undefined ? undefined : new RateLimit(parts.rate);
  }

  /** The transport's requests as made by one process. */
  of(process: Process): Http {
    const once = (request: HttpRequest): Promise<HttpOutcome> => this.#exchange(process, request);
    return {
      requestOnce: once,
      requestRead: async (request, again) => {
        const first = await once(request);
        return first.kind === 'unknown' && first.cause === 'connection_reset' ? once(await again()) : first;
      },
    };
  }

  /** Number of POSTs of this reference that the provider may still process. */
  underWay(reference: string): number {
    return [...this.#underWay].filter(({ body }) => body?.includes(`"${reference}"`) === true).length;
  }

  #exchange(process: Process, request: HttpRequest): Promise<HttpOutcome> {
    const { timeline, chance, history } = this.#parts;
    const isPost = request.method === 'POST';
    const fault = this.#draw(isPost, request.path, process);
    return process.hang(isPost ? 'POST' : 'GET', (settle) => {
      if (fault === 'not_sent') {
        timeline.in(chance.between(10, 500), () => settle({ kind: 'not_sent', cause: 'connection_refused' }));
        return;
      }
      if (isPost) this.#parts.onPost(request.path, request.body ?? '');
      this.#parts.onRequest(process.name, request.path);
      history.record(
        process.name,
        'sends',
        () => `${request.method} ${request.path}${fault === undefined ? '' : ` (${fault})`}`,
        request.body,
      );
      this.#befall(fault, request, settle);
    });
  }

  #draw(isPost: boolean, path: string, process: Process): RequestFault | undefined {
    const { chance, weather, timeline, isRouteLost } = this.#parts;
    if (!isPost && isRouteLost() && singlePayment.test(path)) return 'gateway_404';
    if (timeline.now > weather.until) return undefined;
    const { storm, outage } = weather;
    if (outage !== undefined && timeline.now >= outage.from && timeline.now < outage.until) return 'error_before';
    if (isPost && storm?.post !== undefined && timeline.now < storm.until && chance.happens(storm.post.probability)) {
      return storm.post.fault;
    }
    if (!isPost && chance.happens(process.strikeAt('GET')?.out ?? 0)) return 'error_before';
    const { conversionRefused } = weather;
    if (isPost && path.endsWith('/convert') && conversionRefused > 0 && chance.happens(conversionRefused))
      return 'gateway_403_after';
    // Reads are far more frequent than POSTs, so a read's faults are rarer.
    const often = isPost ? 1 : 0.3;
    return requestFaults.find((fault) => chance.happens(often * weather.request[fault]));
  }

  /** Lets the request arrive, be processed and be answered, subject to the fault. */
  #befall(fault: RequestFault | undefined, request: HttpRequest, settle: (outcome: HttpOutcome) => void): void {
    const { timeline, chance } = this.#parts;
    const giveUpMs = request.timeoutMilliseconds;
    const soon = chance.between(20, chance.happens(0.1) ? 15_000 : 400);
    const answer = (delayMs: number, outcome: HttpOutcome): void => timeline.in(delayMs, () => settle(outcome));
    const early = this.#beforeTheWork(fault);
    if (early !== undefined) {
      answer(soon, early);
      return;
    }
    this.#sent(request);
    if (fault === 'slow' || fault === 'work_after_timeout') {
      const workMs = fault === 'slow' ? chance.between(0, giveUpMs) : giveUpMs + chance.between(0, latestWorkMs);
      timeline.in(workMs, () => this.#work(request));
      answer(giveUpMs, unknown('timeout'));
      return;
    }
    timeline.in(soon, () => answer(chance.between(5, 100), this.#distorted(fault, request, this.#work(request))));
  }

  /** The answer when the request never reached the work. Undefined for every other fault. */
  #beforeTheWork(fault: RequestFault | undefined): HttpOutcome | undefined {
    const { chance } = this.#parts;
    switch (fault) {
      case 'drop_before':
        return unknown('connection_reset');
      case 'error_before':
        return this.#outage();
      case 'rate_limit':
        return json(429, { statusCode: 429, message: 'Too many requests' });
      case 'gateway_404':
        return chance.pick(gatewayAnswers);
      case 'gateway_403':
        return json(403, { message: 'Forbidden' });
      case 'contradiction_before':
        return json(chance.pick([200, 502]), { statusCode: 500, message: 'Internal server error' });
      default:
        return undefined;
    }
  }

  #outage(): HttpOutcome {
    const status = this.#parts.chance.pick([500, 502, 503, 504]);
    return this.#parts.chance.happens(0.5)
      ? json(status, { statusCode: status, message: 'Internal server error' })
      : { kind: 'response', status, body: Buffer.from('<html>Bad gateway</html>') };
  }

  #sent(request: HttpRequest): void {
    if (request.method === 'POST') this.#underWay.add(request);
  }

  #work(request: HttpRequest): ServiceAnswer {
    this.#underWay.delete(request);
    if (this.#parts.areCredentialsRefused()) {
      return { status: 401, body: { statusCode: 401, message: 'Unauthorized' } };
    }
    const refusal = this.#limit?.refuse(request.method === 'POST', this.#parts.timeline.now);
    if (refusal !== undefined) return refusal;
    const url = new URL(request.path, 'http://localhost');
    return this.#parts.service.handle({
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      body: request.body,
    });
  }

  /** The answer to completed work, as it arrives. */
  #distorted(fault: RequestFault | undefined, request: HttpRequest, answer: ServiceAnswer): HttpOutcome {
    const { chance } = this.#parts;
    const { status, body } = answer;
    switch (fault) {
      case 'drop_after':
        return unknown('connection_reset');
      case 'error_after':
        return this.#outage();
      case 'gateway_403_after':
        return json(403, { message: 'Forbidden' });
      case 'unreadable': {
        const { length } = JSON.stringify(body);
        return {
          kind: 'response',
          status,
          body: Buffer.from(JSON.stringify(body).slice(0, chance.int(0, length - 1))),
        };
      }
      case 'contradiction_after':
        return chance.pick([
          () => json(500, body),
          () => json(200, { statusCode: 500, message: 'Internal server error' }),
          () => json(502, { statusCode: 400, message: 'Bad request' }),
          () => json(500, { statusCode: 404, message: 'Disbursement not found' }),
          () => json(200, { ...body, error: 'Something failed' }),
        ])();
      case 'items_missing':
      case 'items_reordered':
        return request.method === 'POST' ? this.#withOtherItems(fault, status, body) : asIs(answer);
      default:
        return asIs(answer);
    }
  }

  #withOtherItems(fault: 'items_missing' | 'items_reordered', status: number, body: object): HttpOutcome {
    const data = 'data' in body ? body.data : undefined;
    if (typeof data !== 'object' || data === null || !('disburseData' in data)) return json(status, body);
    const items: unknown[] = Array.isArray(data.disburseData) ? [...data.disburseData] : [];
    const lost = this.#parts.chance.int(0, items.length - 1);
    const others = fault === 'items_missing' ? items.filter((_, index) => index !== lost) : items.reverse();
    return json(status, { ...body, data: { ...data, disburseData: others } });
  }
}
