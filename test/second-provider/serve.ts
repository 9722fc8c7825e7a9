import type { ServerResponse } from 'node:http';
import { chance } from '../independent-provider/account.ts';
import type { Extent, FaultyServer } from '../support/servers/faulty-server.ts';
import { serveWithFaults, writeAnswer } from '../support/servers/faulty-server.ts';
import type { Payout, Route, Step, Wish } from './books.ts';
import { Books, Declined, stateAt } from './books.ts';

export type SecondOptions = {
  seed: string;
  /** Milliseconds since 1970. All durations are measured with this clock. */
  now: () => number;
  /** The share of requests that fail, 0 to 1. */
  faults: number;
  /** Milliseconds by which lookups lag. */
  lag: number;
  funds: Record<string, string>;
  routes: Route[];
  /** Hours before an idempotency key is forgotten. */
  keyHours: number;
};

/** A webhook contains the payout, and is sent when a state begins. */
export type SentWebhook = { at: number; body: { event: `payout.${Step['state']}`; payout: object } };

export interface SecondProvider extends FaultyServer {
  readonly token: string;
  /** Every payout ever made, to compare with the orchestrator's ledger. */
  readonly payouts: readonly Payout[];
  /** Returns the webhooks of all states that have begun, each once. */
  takeWebhooks(): SentWebhook[];
}

type Asked = { method: string; path: string; query: URLSearchParams; key: string; body: unknown; now: number };

const viewOf = (payout: Payout, time: number) => ({
  id: payout.id,
  key: payout.key,
  unit: payout.unit,
  value: payout.value,
  charge: payout.charge,
  to: payout.to,
  state: stateAt(payout, time),
  made: new Date(payout.madeAt).toISOString(),
});

const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;

const textIn = (body: unknown, name: string): string => {
  const value = field(body, name);
  if (typeof value !== 'string' || value === '') throw new Declined(422, `bad_${name}`);
  return value;
};

const wishOf = (body: unknown): Wish => {
  const to = field(body, 'to');
  return {
    unit: textIn(body, 'unit'),
    value: textIn(body, 'value'),
    to:
      field(to, 'wallet') === undefined
        ? { bank: textIn(to, 'bank'), account: textIn(to, 'account'), holder: textIn(to, 'holder') }
        : { wallet: textIn(to, 'wallet') },
  };
};

/** A POST makes one payout. A payout is read by its id or its key. There are no lists, proofs, quotes or conversions. */
const answer = (
  books: Books,
  routes: Route[],
  lag: number,
  { method, path, query, key, body, now }: Asked,
): { status: number; body: object } => {
  const ok = (found: object) => ({ status: 200, body: found });
  switch (`${method} ${path}`) {
    case 'GET /funds':
      return ok({ funds: books.funds(now) });
    case 'GET /routes':
      return ok({ routes });
    case 'POST /payouts': {
      if (key === '') throw new Declined(422, 'no_key');
      const { payout, isNew } = books.make(key, wishOf(body), now);
      return { status: isNew ? 201 : 200, body: viewOf(payout, now) };
    }
    case 'GET /payouts': {
      const [found] = books.byKey(query.get('key') ?? '', now - lag);
      if (found === undefined) throw new Declined(404, 'no_such_payout');
      return ok(viewOf(found, now - lag));
    }
  }
  const id = /^\/payouts\/([^/]+)$/.exec(path)?.[1];
  if (method !== 'GET' || id === undefined) throw new Declined(404, 'no_such_page');
  const found = books.payouts.find((one) => one.id === decodeURIComponent(id) && one.madeAt <= now - lag);
  if (found === undefined) throw new Declined(404, 'no_such_payout');
  return ok(viewOf(found, now - lag));
};

/** Starts the provider on a free loopback port. */
export const serveSecond = async (options: SecondOptions): Promise<SecondProvider> => {
  const { seed, now, lag, routes } = options;
  const token = 'second-token';
  const books = new Books(options);
  const announced = new Set<Step>();

  const carryOut = (asked: Asked): { status: number; body: object } => {
    try {
      return answer(books, routes, lag, asked);
    } catch (error) {
      if (error instanceof Declined) return { status: error.status, body: { code: error.code } };
      throw error;
    }
  };

  const send = (response: ServerResponse, status: number, body: object, extent: Extent = 'whole'): void =>
    writeAnswer(response, status, { 'content-type': 'application/json' }, Buffer.from(JSON.stringify(body)), extent);

  const server = await serveWithFaults<Omit<Asked, 'now'>>({
    now,
    rate: options.faults,
    chance: (...words) => chance(seed, ...words),
    read: ({ method = '', url = '', headers }, sent, response) => {
      const { pathname: path, searchParams: query } = new URL(url, 'http://provider');
      if (headers['api-token'] !== token) {
        send(response, 401, { code: 'bad_token' });
        return undefined;
      }
      const key = String(headers['idempotency-key'] ?? '');
      return { method, path, query, key, body: sent === '' ? undefined : JSON.parse(sent) };
    },
    carryOut: (asked, at) => {
      const { status, body } = carryOut({ ...asked, now: at });
      return (response, extent) => send(response, status, body, extent);
    },
    writeError: (response) => send(response, 500, { code: 'something_went_wrong' }),
    writeTooMany: (response) => send(response, 429, { code: 'slow_down' }),
  });
  return {
    ...server,
    token,
    payouts: books.payouts,
    takeWebhooks: () => {
      server.carryOutLate();
      return books.payouts.flatMap((payout) =>
        payout.course
          .filter((step) => step.at <= now() && !announced.has(step))
          .map((step): SentWebhook => {
            announced.add(step);
            const { id: number, ...others } = viewOf(payout, step.at);
            return { at: step.at, body: { event: `payout.${step.state}`, payout: { number, ...others } } };
          }),
      );
    },
  };
};
