import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { deprecationOf } from '../../../functions/payment-service/http/deprecation.ts';
import { watchedAnswers } from '../../support/payment-service/answers/watched-answers.ts';
import type { Target } from '../../support/payment-service/hostile.ts';
import { hostileBodies, oddBodies, oddWords, sampleOf, targets } from '../../support/payment-service/hostile.ts';
import { credentialsOf, fiatItems, send, signedHeaders } from '../../support/payment-service/merchant.ts';
import type { RawAnswer, RawRequest } from '../../support/payment-service/raw-request.ts';
import { sendRaw } from '../../support/payment-service/raw-request.ts';

/** A merchant that nothing else uses during this test. */
const clientId = 'sandbox-second';
const merchant = credentialsOf(clientId);
const base = new URL(z.url().parse(inject('localAws').outputs.PaymentService['PaymentServiceUrl']));
const prefix = base.pathname.replace(/\/$/, '');

const plain = new DynamoDBClient();
const tables = await plain.send(new ListTablesCommand());
const TableName = tables.TableNames?.find((name) => name.startsWith('PaymentService'));
const client = DynamoDBDocumentClient.from(plain);

/** Reads all of the merchant's items in the table as text, except the signatures that every signed request stores. */
const written = async (): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    const texts = Items.filter(({ pk }) => !`${pk}`.startsWith('SIGNATURE#')).map((item) => JSON.stringify(item));
    found.push(...texts.filter((text) => text.includes(clientId)));
  }
  return found.toSorted();
};

const errorBody = z.strictObject({ statusCode: z.int(), error: z.string().min(1), message: z.string().min(1) });

/** Describes what is wrong with a refusal. Undefined when it has one of these statuses and the error envelope. */
const wrongWith = ({ status, body }: RawAnswer, statuses: readonly number[], says = ''): string | undefined => {
  const text = body.toString('utf8');
  if (!statuses.includes(status)) return `${status} ${text.slice(0, 300)}`;
  if (status === 200) return undefined;
  if (text === '' && status === 405) return undefined;
  const read = errorBody.safeParse(JSON.parse(text));
  if (!read.success || read.data.statusCode !== status) return `no envelope of a ${status}: ${text.slice(0, 300)}`;
  return read.data.message.startsWith(says) ? undefined : `says: ${read.data.message}`;
};

interface Attempt extends RawRequest {
  readonly name: string;
  readonly statuses: readonly number[];
  readonly says?: string;
}

/** Sends all requests, two at a time: each further one begins an instance of the function. Returns those not refused properly. */
const failures = async (attempts: readonly Attempt[]): Promise<readonly string[]> => {
  const found: string[] = [];
  const waiting = [...attempts];
  const work = async (): Promise<void> => {
    for (let attempt = waiting.shift(); attempt !== undefined; attempt = waiting.shift()) {
      const answer = await sendRaw(base, { ...attempt, path: `${prefix}${attempt.path}` });
      const wrong = wrongWith(answer, attempt.statuses, attempt.says);
      if (wrong !== undefined) found.push(`${attempt.name}: ${wrong}`);
    }
  };
  await Promise.all(Array.from({ length: 2 }, work));
  return found;
};

const pathOf = ({ path }: Target, parameter = 'ABC123'): string => path.replace(/:\w+/g, parameter);

/** Returns the credentials that the endpoint requires. */
const credentialsFor = ({ access, method }: Target, path: string, body?: Buffer): Readonly<Record<string, string>> => {
  if (access === 'none') return {};
  if (access === 'authorization') return { authorization: `Bearer ${merchant.apiKey}` };
  return signedHeaders(method, path, { as: merchant, ...(body === undefined ? {} : { body }) });
};

const json = { 'content-type': 'application/json' };
const megabyte = Buffer.from(`{"a":"${'x'.repeat(1_000_000)}"}`);

/** Returns requests with wrong methods, missing credentials, or bodies that are too large. */
const attemptsByStrangers = (target: Target): readonly Attempt[] => {
  const { method, access } = target;
  const path = pathOf(target);
  const own = targets.filter((one) => one.path === target.path).map((one) => one.method);
  const methods = ['PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'POST', 'GET'].filter((one) => !own.includes(one));
  const guarded = access === 'none' ? [] : [{ name: 'no credentials', method, path, headers: json, statuses: [401] }];
  return [
    ...methods.map((one) => ({ name: one, method: one, path, statuses: [405] })),
    ...guarded,
    { name: 'a megabyte without credentials', method, path, headers: json, body: megabyte, statuses: [400] },
    { name: 'another key', method, path, headers: { authorization: 'Bearer \xff' }, body: megabyte, statuses: [400] },
  ];
};

const attemptsByBody = (target: Target): readonly Attempt[] => {
  const { method, body } = target;
  if (body === undefined) return [];
  const path = pathOf(target);
  const withBody = (bytes: Buffer, type = 'application/json') => ({
    method,
    path,
    headers: { 'content-type': type, ...credentialsFor(target, path, bytes) },
    body: bytes,
  });
  const never = hostileBodies(body).map(({ name, bytes, says = '' }) => ({
    name,
    ...withBody(bytes),
    says,
    statuses: [400],
  }));
  // Valid values would control the sandbox. The public document's endpoints reject the sample's values.
  if (path.startsWith('/sandbox')) return never;
  const sample = Buffer.from(JSON.stringify(sampleOf(body)));
  return [
    ...never,
    ...oddBodies(body).map(({ name, bytes }) => ({ name, ...withBody(bytes), statuses: [400, 404] })),
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'x'].map((type) => ({
      name: type,
      ...withBody(sample, type),
      statuses: [400, 404],
    })),
  ];
};

type Query = readonly (readonly [name: string, value: string])[];

const encoded = (query: Query): string => query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');

const many: Query = Array.from({ length: 400 }, (_, index) => [`p${index.toString().padStart(3, '0')}`, '1']);

/** A request that is not refused must be answered as documented. Every answer is checked for that. */
const attemptsByAddress = (target: Target): readonly Attempt[] => {
  const { method, query, body } = target;
  const sample = body === undefined ? undefined : Buffer.from(JSON.stringify(sampleOf(body)));
  const asked = (name: string, path: string): Attempt => ({
    name,
    method,
    path,
    headers: { ...json, ...credentialsFor(target, path, sample) },
    ...(sample === undefined ? {} : { body: sample }),
    statuses: method === 'GET' ? [200, 400, 404] : [400, 404, 405],
  });
  const path = pathOf(target);
  const byQuery =
    method === 'GET'
      ? [...query, '__proto__'].flatMap((name) =>
          oddWords.map((word) => asked(`${name}=${word.slice(0, 20)}`, `${path}?${encoded([[name, word]])}`)),
        )
      : [];
  const rest =
    method === 'GET'
      ? [
          asked('hundreds of parameters', `${path}?${encoded(many)}`),
          ...query.map((name) =>
            asked(
              `${name} twice`,
              `${path}?${encoded([
                [name, 'a'],
                [name, 'b'],
              ])}`,
            ),
          ),
          ...['%', '%zz=1', 'a=%', '%00=%00', 'a=%ff%fe', '&&&', '=', 'a[]=1&a[b]=2', '?'].map((text) => ({
            ...asked(text, `${path}?${text}`),
            statuses: [200, 400, 401, 404],
          })),
        ]
      : [];
  const byParameter = path === target.path ? [] : oddWords.map((word) => pathOf(target, encodeURIComponent(word)));
  return [
    ...byQuery,
    ...rest,
    // Gateways differ in how they decode a path, and signatures cover it.
    ...byParameter.map((odd) => {
      const attempt = asked(odd.slice(0, 60), odd);
      return { ...attempt, statuses: [...attempt.statuses, 401] };
    }),
  ];
};

/** An endpoint answers only 410 after its removal date. */
const orGone = (attempts: readonly Attempt[], { path, method }: Target): readonly Attempt[] => {
  const removed = deprecationOf(`${method} ${path}`)?.removedAt !== undefined;
  return removed ? attempts.map((one) => ({ ...one, statuses: [...one.statuses, 410] })) : attempts;
};

let before: readonly string[] = [];

beforeAll(async () => {
  // Earlier tests may have left something to settle, which pauses for seconds on a busy machine.
  let alike = 0;
  for (let looked = 0; looked < 40 && alike < 4; looked += 1) {
    const last = before.join();
    before = await written();
    alike = before.join() === last ? alike + 1 : 0;
    await wait(1500);
  }
});

describe.each(targets)('$name', (target) => {
  it.each([
    ['without credentials', attemptsByStrangers],
    ['with hostile bodies', attemptsByBody],
    ['at hostile addresses', attemptsByAddress],
  ])('refuses, or answers as documented, requests %s', async (_, attemptsOn) => {
    expect(await failures(orGone(attemptsOn(target), target))).toEqual([]);
  });

  it('wrote nothing', async () => {
    expect(await written()).toEqual(before);
  });
});

it.each([
  '/',
  '//',
  '/v1',
  '/v1/',
  '/v1/nothing',
  '/V1/BALANCE',
  '//v1/balance',
  '/v1//balance',
  '/v1/balance/more',
  '/v1/balance/..',
  '/v1/../v1/balance',
  '/v1/./balance',
  '/v1%2Fbalance',
  '/v1/balance%00',
  '/v1/balance%2e',
  '/v1/disbursement/fiat/..%2F..%2Fbalance',
  '/%',
  '/%zz',
  '/%c3%28',
  '/v1/balance;a=b',
  '/v1/balance/*',
  `/v1/${'x'.repeat(6000)}`,
  `/${'a/'.repeat(500)}`,
  '/constructor',
  '/__proto__/toString',
  '/.env',
  '/v1/disbursement/fiat/%E2%80%AE',
])('the path %s is refused, in the error envelope', async (path) => {
  const methods = ['GET', 'POST', 'PATCH', 'DELETE'];
  const attempts = methods.map((method) => ({ name: method, method, path, statuses: [400, 401, 404, 405] }));
  expect(await failures(attempts)).toEqual([]);
});

it('requests to other paths wrote nothing', async () => {
  expect(await written()).toEqual(before);
});

it('a write would have been noticed', async () => {
  const [item] = fiatItems(1);
  const made = await send('POST', '/v2/disbursement/fiat', { currency: 'PHP', disburseData: [item] }, merchant);
  expect(made.status).toBe(200);
  expect(await written()).not.toEqual(before);
});

it('the requests covered enough cases', () => {
  const answers = watchedAnswers();
  const statuses = new Set(answers.map((answer) => answer.slice(-3)));
  expect(answers.length).toBeGreaterThan(targets.length * 20);
  expect([...statuses].filter((status) => status.startsWith('5'))).toEqual([]);
  expect([...statuses]).toEqual(expect.arrayContaining(['200', '400', '401', '404', '405']));
});
