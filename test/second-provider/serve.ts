import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { faultsOf } from '../independent-provider/faults.ts';
import { serveOnLoopback } from '../support/loopback-server.ts';
import type { Payout, Route, Step, Wish } from './books.ts';
import { Books, Declined, stateAt } from './books.ts';

export type SecondOptions = {
  seed: string;
  /** Milliseconds; whatever has a duration reads it here. */
  now: () => number;
  /** The share of requests that go wrong, 0 to 1. */
  faults: number;
  /** Milliseconds by which look-ups are behind. */
  lag: number;
  funds: Record<string, string>;
  routes: Route[];
  /** Hours for which a key is kept. */
  keyHours: number;
};

/** What a webhook tells: it has the payout in it, and is sent when a state begins. */
export type Told = { at: number; body: { event: `payout.${Step['state']}`; payout: object } };

export type SecondProvider = {
  url: string;
  token: string;
  /** Every payout that was ever made: the truth of what was paid. */
  payouts: Payout[];
  struck: Map<string, number>;
  requests: () => number;
  /** Webhooks of states that began by now, each once. */
  takeWebhooks: () => Told[];
  close: () => Promise<void>;
};

type Asked = { method: string; path: string; query: URLSearchParams; key: string; body: unknown; now: number };

/** What is carried out although nobody waits for it any more is so when this many milliseconds have passed. */
const lateBy = 2_000;

const viewOf = (payout: Payout, time: number): object => ({
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

/** One payout a POST; a payout is read by its id or its key; there are no lists, proofs, quotes or conversions. */
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

/** Starts the provider on a free port of loopback. */
export const serveSecond = async (options: SecondOptions): Promise<SecondProvider> => {
  const { seed, now, lag, routes } = options;
  const token = 'second-token';
  const books = new Books(options);
  const faultOf = faultsOf(seed, options.faults);
  const struck = new Map<string, number>();
  const late: { at: number; asked: Asked }[] = [];
  const told = new Set<Step>();
  let requests = 0;

  const carryOut = (asked: Asked): { status: number; body: object } => {
    try {
      return answer(books, routes, lag, asked);
    } catch (error) {
      if (error instanceof Declined) return { status: error.status, body: { code: error.code } };
      throw error;
    }
  };

  const carryOutLate = (): void => {
    for (const { at, asked } of late.filter((one) => one.at <= now())) carryOut({ ...asked, now: at });
    late.splice(0, late.length, ...late.filter((one) => one.at > now()));
  };

  const send = (response: ServerResponse, status: number, body: object, cut = false): void => {
    const bytes = Buffer.from(JSON.stringify(body));
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.byteLength });
    if (!cut) response.end(bytes);
    else response.write(bytes.subarray(0, bytes.byteLength / 2), () => response.destroy());
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request;
    const { pathname: path, searchParams: query } = new URL(url, 'http://provider');
    const sent = await text(request);
    requests += 1;
    carryOutLate();
    if (request.headers['api-token'] !== token) return send(response, 401, { code: 'bad_token' });
    const key = String(request.headers['idempotency-key'] ?? '');
    const asked = { method, path, query, key, body: sent === '' ? undefined : JSON.parse(sent), now: now() };
    const fault = faultOf(`${method} ${url} ${key} ${sent}`);
    if (fault) struck.set(fault.kind, (struck.get(fault.kind) ?? 0) + 1);
    if (fault?.done === 'late') late.push({ at: now() + lateBy, asked });
    const done = !fault || fault.done === 'now' ? carryOut(asked) : { status: 200, body: {} };
    switch (fault?.kind) {
      case undefined:
        return send(response, done.status, done.body);
      case 'answer cut':
        return send(response, done.status, done.body, true);
      case 'no answer, and done':
        response.destroy();
        return;
      case 'error after it was done':
        return send(response, 500, { code: 'something_went_wrong' });
      case 'error of a gateway':
        response.writeHead(502, { 'content-type': 'text/html' });
        response.end('<html><body><h1>502 Bad Gateway</h1></body></html>');
        return;
      case 'too many requests':
        return send(response, 429, { code: 'slow_down' });
      default:
        // Nothing is said until the client has had enough.
        return;
    }
  };

  const { url, close } = await serveOnLoopback((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  return {
    url,
    token,
    payouts: books.payouts,
    struck,
    requests: () => requests,
    takeWebhooks: () => {
      carryOutLate();
      return books.payouts.flatMap((payout) =>
        payout.course
          .filter((step) => step.at <= now() && !told.has(step))
          .map((step): Told => {
            told.add(step);
            return { at: step.at, body: { event: `payout.${step.state}`, payout: viewOf(payout, step.at) } };
          }),
      );
    },
    close,
  };
};
