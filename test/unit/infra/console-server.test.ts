import { request } from 'node:http';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { Script } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConsoleBackend } from '../../../infra/local/console/console-server.ts';
import { createConsoleServer, listenOnLoopback } from '../../../infra/local/console/console-server.ts';
import { dashboardNameIn } from '../../../infra/local/console/dashboard.ts';
import { bucketFiles } from '../../../infra/local/console/files.ts';

const drawing = 'arn:aws:lambda:us-east-1:000000000000:function:DrawConsole';
const steering = 'arn:aws:lambda:us-east-1:000000000000:function:SteerBatch';

let stop: (() => void) | undefined;
afterEach(() => stop?.());

const serve = async (backend: Partial<ConsoleBackend> = {}) => {
  const invoked: string[] = [];
  const uploaded: string[] = [];
  const server = createConsoleServer({
    dashboard: async () => ({
      dashboardName: 'd</script><b>',
      widgets: [{ widgetId: 'widget-1', title: '"><b>', endpoint: drawing, params: {}, width: 24, height: 9 }],
    }),
    invoke: async (endpoint) => {
      invoked.push(endpoint);
      return { answer: `<p><cwdb-action action="call" endpoint="${steering}">{}</cwdb-action></p>` };
    },
    files: {
      mostBytes: 10,
      linksBegin: 'https://aws.test',
      upload: async (name, content) => void uploaded.push(`${name}: ${await textOf(content)}`),
      open: async (link) =>
        link === '/files/a?X-Amz-Signature=1'
          ? { type: 'text/csv', disposition: 'attachment; filename="a.csv"', content: Readable.from(['a,', 'b']) }
          : undefined,
    },
    ...backend,
  });
  const url = await listenOnLoopback(server, 0);
  stop = () => server.close();
  return { url, invoked, uploaded };
};

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Uses Node's own client, which can send any Host header. */
const send = (url: string, { method = 'GET', path = '/', headers = {}, body = '' }: Sent) =>
  new Promise<{
    status: number | undefined;
    text: string;
    policy: string | undefined;
    disposition: string | undefined;
  }>((resolve, reject) => {
    const asked = request(new URL(path, url), { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({
          disposition: response.headers['content-disposition'],
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

  it('has a policy that permits only its own script', async () => {
    const { url } = await serve();
    const { status, text, policy = '' } = await send(url, {});
    expect(status).toBe(200);
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none';
    expect(text.match(/<script nonce="[^"]+"/g)).toEqual([`<script nonce="${nonce}"`]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(text).not.toContain('</script><b>');
    expect(() => new Script(/<script nonce="[^"]+">([\s\S]*?)<\/script>/.exec(text)?.[1] ?? '(')).not.toThrow();
    expect(text).not.toContain('"><b>');
  });

  it.each(['evil.example', 'evil.example:80', '127.0.0.1', 'localhost', '[::1]:1'])(
    'refuses a page that reached it by the name %j',
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
  ])('refuses a call of %s', async (_, headers, expected) => {
    const { url, invoked } = await serve();
    await send(url, {});
    expect((await send(url, call(url, drawing, { headers }))).status).toBe(expected);
    expect(invoked).toEqual([]);
  });

  it('invokes only functions named by its dashboard or by the widgets', async () => {
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

  const file = (url: string, name: string, changes: Sent = {}): Sent => ({
    method: 'POST',
    path: `/upload?name=${encodeURIComponent(name)}`,
    headers: { origin: url.slice(0, -1), 'content-type': 'application/octet-stream', ...changes.headers },
    body: changes.body ?? 'a,b',
  });

  it('accepts a file as a browser sends it', async () => {
    const { url, uploaded } = await serve();
    expect((await send(url, file(url, 'gaji +%.csv'))).status).toBe(200);
    expect((await send(url, file(url, 'ten.csv', { body: '0123456789' }))).status).toBe(200);
    expect(uploaded).toEqual(['gaji +%.csv: a,b', 'ten.csv: 0123456789']);
  });

  it.each([
    ['of another page', 'a.csv', { headers: { origin: 'https://evil.example' } }, 403],
    ['of a form', 'a.csv', { headers: { 'content-type': 'multipart/form-data' } }, 415],
    ['by another name of this machine', 'a.csv', { headers: { host: 'evil.example' } }, 421],
    ['that is too large', 'a.csv', { body: '01234567890' }, 413],
    ['that does not say how large it is', 'a.csv', { headers: { 'transfer-encoding': 'chunked' } }, 411],
    ['in a folder', 'a/b.csv', {}, 400],
    ['above the folder', '..', {}, 400],
    ['without a name', '', {}, 400],
    ['with a partly invisible name', 'a\u202evsc.exe', {}, 400],
  ])('refuses a file %s', async (_, name, changes, expected) => {
    const { url, uploaded } = await serve();
    expect((await send(url, file(url, name, changes))).status).toBe(expected);
    expect(uploaded).toEqual([]);
  });

  it('serves a signed link’s content, and nothing else', async () => {
    const { url } = await serve();
    const get = (link: string) => send(url, { path: `/download?of=${encodeURIComponent(link)}` });
    expect(await get('/files/a?X-Amz-Signature=1')).toMatchObject({
      ...{ status: 200, text: 'a,b', disposition: 'attachment; filename="a.csv"' },
      policy: "default-src 'none'; frame-ancestors 'none'",
    });
    expect((await get('/files/a?X-Amz-Signature=2')).status).toBe(404);
  });

  it.each([
    ['GET', '/invoke', 405],
    ['GET', '/upload', 405],
    ['POST', '/', 404],
    ['GET', '/../etc/passwd', 404],
  ])('has nothing at %s %s', async (method, path, expected) => {
    const { url } = await serve();
    expect((await send(url, { method, path })).status).toBe(expected);
  });

  it('reports a function’s error, and a stopped local AWS', async () => {
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

  it('uses another port when its own is taken', async () => {
    const { url } = await serve();
    const port = Number(new URL(url).port);
    const nothing = () => Promise.reject(new Error());
    const second = createConsoleServer({
      dashboard: nothing,
      invoke: async () => ({ error: '' }),
      files: { mostBytes: 0, linksBegin: '', upload: nothing, open: nothing },
    });
    const other = await listenOnLoopback(second, port);
    second.close();
    expect(other).not.toBe(url);
  });
});

it('finds its dashboard by the stack’s output', () => {
  expect(
    dashboardNameIn(
      'https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#dashboards/dashboard/d-1',
    ),
  ).toBe('d-1');
});

it.each(['@evil.test/files/a', '/other/a', '/files/../other/a', ''])(
  'opens no link outside its bucket: %j',
  async (link) => {
    expect(await bucketFiles('files', 'https://aws.test', 1).open(link)).toBeUndefined();
  },
);
