import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import {
  balanceOf,
  createdBy,
  credentialsOf,
  cryptoItems,
  detailOf,
  envelopeOf,
  fiatItems,
  getSigned,
  pageOf,
  send,
  sendWithoutKey,
} from '../../support/payment-service/merchant.ts';
import { uniqueWord } from '../../support/payment-service/unique-word.ts';

/** Only this merchant's requests fail. */
const merchant = credentialsOf('sandbox-second');

interface Rule {
  readonly endpoint: string;
  readonly fault: string;
  readonly probability?: number;
  readonly next?: number;
  readonly seconds?: number;
}

const setFaults = (...faults: readonly Rule[]) => envelopeOf(send('PUT', '/sandbox/faults', { faults }, merchant));

const faultsAnswer = z.object({
  data: z.object({
    faults: z.array(z.looseObject({ fault: z.string(), next: z.number().optional(), injected: z.number() })),
    injected: z.record(z.string(), z.number()),
  }),
});
const faultsSet = async () =>
  faultsAnswer.parse(await (await send('GET', '/sandbox/faults', undefined, merchant)).json()).data;

const fiatPost = 'POST /v2/disbursement/fiat';
const postFiat = (items: readonly object[]) =>
  send('POST', '/v2/disbursement/fiat', { currency: 'PHP', disburseData: items }, merchant);
const lookUp = (reference: string) => getSigned(`/v1/disbursement/fiat/${reference}`, { as: merchant });
const faultOf = (response: Response) => response.headers.get('x-sandbox-fault');

/** The cost of a hundred-peso transfer of `fiatItems`, fee included. */
const taken = 115;

beforeAll(() => send('POST', '/sandbox/reset', undefined, merchant));
afterEach(() => setFaults());
afterAll(() => send('POST', '/sandbox/reset', undefined, merchant));

describe('instead of the work', () => {
  it.each([
    ['refuse-credentials', 401, 'Unauthorized'],
    ['rate-limit', 429, 'Too many requests'],
    ['error-before', 500, 'Internal server error'],
  ])('%s answers %i, and nothing was created', async (fault, statusCode, message) => {
    const before = await balanceOf('PHP', merchant);
    await setFaults({ endpoint: fiatPost, fault, next: 1 });
    const items = fiatItems(1);
    const answer = await postFiat(items);
    expect(faultOf(answer)).toBe(fault);
    expect(answer.headers.get('retry-after')).toBe(fault === 'rate-limit' ? '1' : null);
    expect(await envelopeOf(answer)).toMatchObject({ statusCode, message });
    expect(await envelopeOf(lookUp(items[0]?.reference ?? ''))).toMatchObject({ statusCode: 404 });
    expect(await balanceOf('PHP', merchant)).toBe(before);
    expect(await createdBy(postFiat(items))).toHaveLength(1);
  });
});

describe('after the work', () => {
  it('error-after answers 500 although the money has moved', async () => {
    const before = await balanceOf('PHP', merchant);
    await setFaults({ endpoint: fiatPost, fault: 'error-after', next: 1 });
    const items = fiatItems(1);
    expect(await envelopeOf(postFiat(items))).toMatchObject({ statusCode: 500 });
    expect(await envelopeOf(lookUp(items[0]?.reference ?? ''))).toMatchObject({ statusCode: 200 });
    expect(await balanceOf('PHP', merchant)).toBe(before - taken);
  });

  it('unparsable answers half a body although the money has moved', async () => {
    await setFaults({ endpoint: fiatPost, fault: 'unparsable', next: 1 });
    const items = fiatItems(1);
    const answer = await postFiat(items);
    expect([answer.status, faultOf(answer)]).toEqual([200, 'unparsable']);
    expect(await answer.text()).toMatch(/^\{"statusCode":200,"message":"Disbursement created successfully".*[^}]$/);
    expect(await envelopeOf(lookUp(items[0]?.reference ?? ''))).toMatchObject({ statusCode: 200 });
  });

  it.each([
    ['a success', {}, 500, 200],
    ['a refusal', { amount: -1 }, 200, 400],
  ])('contradiction of %s, with %j: HTTP %i over a body with %i', async (_, change, http, body) => {
    await setFaults({ endpoint: fiatPost, fault: 'contradiction', next: 1 });
    const answer = await postFiat(fiatItems(1).map((item) => ({ ...item, ...change })));
    expect(answer.status).toBe(http);
    expect(await answer.json()).toMatchObject({ statusCode: body });
  });

  it('a refusal uses up no such fault, because it did no work', async () => {
    await setFaults({ endpoint: fiatPost, fault: 'error-after', next: 1 });
    expect(await envelopeOf(postFiat([{}]))).toMatchObject({ statusCode: 400 });
    expect((await faultsSet()).faults).toMatchObject([{ next: 1, injected: 0 }]);
  });
});

describe('a dropped connection', () => {
  it.each([
    ['drop-before', 404, 0],
    ['drop-after', 200, taken],
  ])('%s answers in the gateway’s words; a lookup then answers %i', async (fault, found, moved) => {
    const before = await balanceOf('PHP', merchant);
    await setFaults({ endpoint: fiatPost, fault, next: 1 });
    const items = fiatItems(1);
    const answer = await postFiat(items);
    expect([answer.status, await answer.json()]).toEqual([502, { message: 'Internal server error' }]);
    expect(await envelopeOf(lookUp(items[0]?.reference ?? ''))).toMatchObject({ statusCode: found });
    expect(await balanceOf('PHP', merchant)).toBe(before - moved);
  });

  it('can be a timeout although the work was done', async () => {
    await setFaults({ endpoint: fiatPost, fault: 'drop-after', next: 1, seconds: 3 });
    const items = fiatItems(1);
    const from = Date.now();
    const answer = await postFiat(items);
    expect(Date.now() - from).toBeGreaterThan(2900);
    expect([answer.status, await answer.json()]).toEqual([504, { message: 'Endpoint request timed out' }]);
    expect(await envelopeOf(lookUp(items[0]?.reference ?? ''))).toMatchObject({ statusCode: 200 });
  });
});

it('slow delays the answer, together with any other fault', async () => {
  await setFaults(
    { endpoint: 'GET /v1/balance', fault: 'slow', next: 2, seconds: 1 },
    { endpoint: 'GET /v1/balance', fault: 'error-before', next: 1 },
  );
  const from = Date.now();
  const answers = [
    await send('GET', '/v1/balance', undefined, merchant),
    await send('GET', '/v1/balance', undefined, merchant),
  ];
  expect(Date.now() - from).toBeGreaterThan(1900);
  expect(answers.map((one) => [one.status, faultOf(one)])).toEqual([
    [500, 'error-before, slow'],
    [200, 'slow'],
  ]);
});

describe('items', () => {
  it('can be missing from an answer although they were created', async () => {
    await setFaults({ endpoint: fiatPost, fault: 'items-missing', next: 1 });
    const items = fiatItems(4);
    const shown = await createdBy(postFiat(items));
    expect(shown).toHaveLength(3);
    const missing = items.filter((item) => !shown.some(({ reference }) => reference === item.reference));
    expect(missing).toHaveLength(1);
    expect(await envelopeOf(lookUp(missing[0]?.reference ?? ''))).toMatchObject({ statusCode: 200 });
  });

  it('can be in a different order than in the request', async () => {
    await setFaults({ endpoint: fiatPost, fault: 'items-reordered', next: 1 });
    const items = fiatItems(3);
    const shown = await createdBy(postFiat(items));
    expect(shown.map(({ reference }) => reference)).toEqual(items.map(({ reference }) => reference).toReversed());
  });
});

it('lookup-lag hides a young record, by id and by reference, and shows it later', async () => {
  await setFaults({
    endpoint: 'GET /v1/disbursement/fiat/:disbursementIdOrReference',
    fault: 'lookup-lag',
    probability: 1,
    seconds: 600,
  });
  const [made] = await createdBy(postFiat(fiatItems(1)));
  const found = () => Promise.all([made?.reference, made?.disbursementId].map((key) => envelopeOf(lookUp(key ?? ''))));
  expect(await found()).toMatchObject(Array(2).fill({ statusCode: 404, message: 'Disbursement not found' }));
  await send('POST', '/sandbox/clock', { advanceSeconds: 601 }, merchant);
  expect(await found()).toMatchObject(Array(2).fill({ statusCode: 200 }));
  expect((await faultsSet()).faults).toMatchObject([{ injected: 2 }]);
});

it('reference-twice makes two disbursements with one reference, both paid: a lookup finds the first, a list both', async () => {
  const before = await balanceOf('usdc-polygon', merchant);
  await setFaults({ endpoint: 'POST /v1/disbursement/crypto', fault: 'reference-twice', next: 1 });
  const [item] = cryptoItems(['a']);
  const body = { token: 'usdc-polygon', receivers: [item] };
  const [made, ...others] = await createdBy(send('POST', '/v1/disbursement/crypto', body, merchant));
  expect(others).toEqual([]);
  const { docs } = await pageOf(`/v1/disbursement/crypto?reference=${item?.reference}`, merchant);
  expect(docs).toHaveLength(2);
  expect(new Set(docs.map(({ disbursementId }) => disbursementId)).size).toBe(2);
  expect(docs.map(({ disbursementId }) => disbursementId)).toContain(made?.disbursementId);
  const lookup = await getSigned(`/v1/disbursement/crypto/${item?.reference}`, { as: merchant });
  expect(await lookup.json()).toMatchObject({ data: { disbursementId: made?.disbursementId } });
  const each = (made?.amount ?? 0) + (made?.feeAmount ?? 0);
  expect(await balanceOf('usdc-polygon', merchant)).toBeCloseTo(before - 2 * each, 6);
});

it('change-after-end completes disbursements, and then fails them: the money returns', async () => {
  const before = await balanceOf('PHP', merchant);
  await setFaults({ endpoint: fiatPost, fault: 'change-after-end', next: 1 });
  const [made] = await createdBy(postFiat(fiatItems(1)));
  expect(await balanceOf('PHP', merchant)).toBe(before - taken);
  await send('POST', '/sandbox/clock', { advanceSeconds: 3600 }, merchant);
  const path = `/v1/disbursement/fiat/${made?.disbursementId}`;
  await vi.waitFor(async () => expect(await detailOf(path, merchant)).toMatchObject({ status: 'failed' }), {
    timeout: 60_000,
    interval: 250,
  });
  const { activityHistory } = await detailOf(path, merchant);
  expect(activityHistory.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending', 'completed', 'failed']);
  expect(await balanceOf('PHP', merchant)).toBe(before);
});

describe('how often', () => {
  it('a number strikes exactly as many of the concurrent requests', async () => {
    await setFaults({ endpoint: 'GET /v1/balance', fault: 'error-before', next: 5 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => send('GET', '/v1/balance', undefined, merchant)),
    );
    expect(answers.filter(({ status }) => status === 500)).toHaveLength(5);
    expect(await faultsSet()).toMatchObject({ faults: [{ next: 0, injected: 5 }] });
  });

  it('a probability strikes about the expected number', async () => {
    await setFaults({ endpoint: '*', fault: 'error-before', probability: 0.5 });
    const statuses: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => send('GET', '/v1/balance', undefined, merchant)),
      );
      statuses.push(...answers.map(({ status }) => status));
    }
    const struck = statuses.filter((status) => status === 500).length;
    // The expected number is 32 of 64. A difference of 25 or more occurs once in a billion runs.
    expect(Math.abs(struck - 32)).toBeLessThan(25);
    expect((await faultsSet()).faults).toMatchObject([{ injected: struck }]);
  });
});

describe('a fault strikes', () => {
  it('neither other merchants, nor other endpoints, nor the sandbox controls', async () => {
    await setFaults({ endpoint: 'GET /v1/balance', fault: 'error-before', probability: 1 });
    expect((await send('GET', '/v1/balance')).status).toBe(200);
    expect((await send('GET', '/v1/disbursement/fiat/payment-method', undefined, merchant)).status).toBe(200);
    await setFaults({ endpoint: '*', fault: 'error-before', probability: 1 });
    expect((await send('GET', '/sandbox', undefined, merchant)).status).toBe(200);
    expect((await send('GET', '/v1/balance', undefined, merchant)).status).toBe(500);
  });

  it('nothing after a reset, which also clears the counts', async () => {
    await setFaults({ endpoint: '*', fault: 'error-before', probability: 1 });
    await send('GET', '/v1/balance', undefined, merchant);
    expect((await faultsSet()).injected['error-before']).toBeGreaterThan(0);
    await send('POST', '/sandbox/reset', undefined, merchant);
    expect(await faultsSet()).toEqual({ faults: [], injected: {} });
    const answer = await send('GET', '/v1/balance', undefined, merchant);
    expect([answer.status, faultOf(answer)]).toEqual([200, null]);
  });
});

describe('a reference that asks for a fault', () => {
  const magic = (reference: string) =>
    fiatItems(1).map((item) => ({ ...item, reference: `${reference}:${uniqueWord()}` }));

  it('strikes the POST with that reference, once, and counts it', async () => {
    const items = magic('fault:drop-before');
    const { injected } = await faultsSet();
    expect((await postFiat(items)).status).toBe(502);
    expect(await createdBy(postFiat(items))).toHaveLength(1);
    expect((await faultsSet()).injected['drop-before']).toBe((injected['drop-before'] ?? 0) + 1);
  });

  it('strikes lookups by that reference, as often as it says', async () => {
    const items = magic('fault:get:error-before:x2');
    await createdBy(postFiat(items));
    const answers: number[] = [];
    for (let time = 0; time < 3; time += 1) answers.push((await lookUp(items[0]?.reference ?? '')).status);
    expect(answers).toEqual([500, 500, 200]);
  });
});

describe('invalid faults are refused', () => {
  const rule = { endpoint: '*', fault: 'slow', next: 1 };

  it.each([
    ['not a list', { faults: 'slow' }, 'faults: must be a list'],
    ['an unknown fault', { faults: [{ ...rule, fault: 'fire' }] }, 'faults[0].fault: must be one of slow'],
    ['an unknown endpoint', { faults: [{ ...rule, endpoint: 'GET /v1/nothing' }] }, 'there is no endpoint'],
    [
      'an endpoint without credentials',
      { faults: [{ ...rule, endpoint: 'GET /openapi.json' }] },
      'there is no endpoint',
    ],
    ['a sandbox control', { faults: [{ ...rule, endpoint: 'POST /sandbox/reset' }] }, 'there is no endpoint'],
    [
      'neither probability nor number',
      { faults: [{ endpoint: '*', fault: 'slow' }] },
      'exactly one of probability and next',
    ],
    ['both', { faults: [{ ...rule, probability: 0.5 }] }, 'exactly one of probability and next'],
    [
      'a probability above 1',
      { faults: [{ endpoint: '*', fault: 'slow', probability: 1.01 }] },
      'probability is at most 1',
    ],
    ['none', { faults: [{ ...rule, next: 0 }] }, 'next: must be a whole number from 1'],
    ['too long', { faults: [{ ...rule, seconds: 27 }] }, 'slow takes 26 seconds at most'],
    [
      'a time for a fault that takes none',
      { faults: [{ ...rule, fault: 'unparsable', seconds: 1 }] },
      'takes no seconds',
    ],
    [
      'an endpoint where it cannot strike',
      { faults: [rule, { endpoint: 'GET /v1/balance', fault: 'reference-twice', next: 1 }] },
      'faults[1]: reference-twice cannot strike GET /v1/balance',
    ],
    ['fifty-one', { faults: Array(51).fill(rule) }, 'at most 50 faults'],
  ])('%s', async (_, body, message) => {
    const answer = await envelopeOf(send('PUT', '/sandbox/faults', body, merchant));
    expect(answer).toMatchObject({ statusCode: 400, message: expect.stringContaining(message) });
  });

  it('setting or reading faults needs the key', async () => {
    for (const method of ['PUT', 'GET']) {
      expect(await envelopeOf(sendWithoutKey(method, '/sandbox/faults'))).toMatchObject({ statusCode: 401 });
    }
  });
});
