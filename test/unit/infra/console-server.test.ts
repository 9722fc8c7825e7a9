import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConsoleBackend } from '../../../infra/local/console/console-server.ts';
import { createConsoleServer, listenOnLoopback } from '../../../infra/local/console/console-server.ts';
import { dashboardNameIn } from '../../../infra/local/console/dashboard.ts';

const drawing = 'arn:aws:lambda:us-east-1:000000000000:function:DrawConsole';
const steering = 'arn:aws:lambda:us-east-1:000000000000:function:SteerBatch';

let stop: (() => void) | undefined;
afterEach(() => stop?.());

async function serve(backend: Partial<ConsoleBackend> = {}) {
  const invoked: string[] = [];
  const server = createConsoleServer({
    dashboard: async () => ({
      dashboardName: 'd</script><b>',
      widgets: [{ widgetId: 'widget-1', title: '"><b>', endpoint: drawing, params: {}, width: 24, height: 9 }],
    }),
    invoke: async (endpoint) => {
      invoked.push(endpoint);
      return { answer: `<p><cwdb-action action="call" endpoint="${steering}">{}</cwdb-action></p>` };
    },
    ...backend,
  });
  const url = await listenOnLoopback(server, 0);
  stop = () => server.close();
  return { url, invoked };
}

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** By Node's own client, which sends whatever Host it is told. */
const send = (url: string, { method = 'GET', path = '/', headers = {}, body = '' }: Sent) =>
  new Promise<{ status: number | undefined; text: string; policy: string | undefined }>((resolve, reject) => {
    const asked = request(new URL(path, url), { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          text,
          policy: z.string().optional().parse(response.headers['content-security-policy']),
        }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });

const call = (url: string, endpoint = drawing, changes: Sent = {}): Sent => ({
  method: 'POST',
  path: '/invoke',
  headers: { origin: url.slice(0, -1), 'content-type': 'application/json', ...changes.headers },
  body: changes.body ?? JSON.stringify({ endpoint, event: {} }),
});

describe('the console of the local AWS', () => {
  it('is bound to the loopback', async () => {
    expect((await serve()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  });

  it('shows its page with a policy that lets no script run but its own', async () => {
    const { url } = await serve();
    const { status, text, policy = '' } = await send(url, {});
    expect(status).toBe(200);
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none';
    expect(text.match(/<script nonce="[^"]+"/g)).toEqual([`<script nonce="${nonce}"`]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(text).not.toContain('</script><b>');
    expect(text).not.toContain('"><b>');
  });

  it.each(['evil.example', 'evil.example:80', '127.0.0.1', 'localhost', '[::1]:1'])(
    'answers nothing to a page that reached it by the name %j',
    async (host) => {
      const { url, invoked } = await serve();
      const answers = await Promise.all([
        send(url, { headers: { host } }),
        send(url, call(url, drawing, { headers: { host, origin: `http://${host}` } })),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([421, 421]);
      expect(invoked).toEqual([]);
    },
  );

  it.each([
    ['another page', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['a form', { 'content-type': 'text/plain' }, 415],
  ])('takes no call of %s', async (_, headers, expected) => {
    const { url, invoked } = await serve();
    await send(url, {});
    expect((await send(url, call(url, drawing, { headers }))).status).toBe(expected);
    expect(invoked).toEqual([]);
  });

  it('invokes what its dashboard names, then what the widgets name, and nothing else', async () => {
    const { url, invoked } = await serve();
    const statusOf = async (endpoint: string) => (await send(url, call(url, endpoint))).status;
    expect(await statusOf(drawing)).toBe(403);
    await send(url, {});
    expect(await statusOf(steering)).toBe(403);
    expect(await statusOf(drawing)).toBe(200);
    expect(await statusOf(steering)).toBe(200);
    expect(await statusOf(`${steering}2`)).toBe(403);
    expect(invoked).toEqual([drawing, steering]);
  });

  it.each([
    ['no JSON', 'nonsense', 400],
    ['another form', '{"endpoint":"x"}', 400],
    ['too much', JSON.stringify({ endpoint: drawing, event: { a: 'x'.repeat(70_000) } }), 413],
  ])('refuses a call with %s', async (_, body, expected) => {
    const { url } = await serve();
    await send(url, {});
    expect((await send(url, call(url, drawing, { body }))).status).toBe(expected);
  });

  it.each([
    ['GET', '/invoke', 405],
    ['POST', '/', 404],
    ['GET', '/../etc/passwd', 404],
  ])('has nothing at %s %s', async (method, path, expected) => {
    const { url } = await serve();
    expect((await send(url, { method, path })).status).toBe(expected);
  });

  it('says when a function ended in an error, and when the local AWS is gone', async () => {
    const { url } = await serve({ invoke: async () => ({ error: 'Unhandled' }) });
    await send(url, {});
    expect(await send(url, call(url))).toMatchObject({ status: 502, text: expect.stringContaining('Unhandled') });
    stop?.();
    const gone = await serve({ invoke: () => Promise.reject(new Error('ECONNREFUSED')) });
    await send(gone.url, {});
    expect(await send(gone.url, call(gone.url))).toMatchObject({
      status: 502,
      text: expect.stringContaining('did not answer'),
    });
  });

  it('takes another port where its own is taken', async () => {
    const { url } = await serve();
    const port = Number(new URL(url).port);
    const second = createConsoleServer({
      dashboard: () => Promise.reject(new Error()),
      invoke: async () => ({ error: '' }),
    });
    const other = await listenOnLoopback(second, port);
    second.close();
    expect(other).not.toBe(url);
  });
});

it('finds its dashboard by the address that the stack puts out', () => {
  expect(
    dashboardNameIn(
      'https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#dashboards/dashboard/d-1',
    ),
  ).toBe('d-1');
});
