import { STATUS_CODES } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../../../functions/payment-service/endpoints/by-function.ts';
import type { ServiceRequest } from '../../../../functions/payment-service/http/request.ts';
import { route } from '../../../../functions/payment-service/http/router.ts';
import { runs } from '../../../support/fast-loop.ts';
import { MemoryTable } from '../../../support/memory-table/memory-table.ts';
import type { Target } from '../../../support/payment-service/hostile.ts';
import { hostileBodies, oddBodies, oddWords, sampleOf, targets } from '../../../support/payment-service/hostile.ts';
import { newContext, newGate, tableWith } from '../../../support/payment-service/new-context.ts';

/** The request was accepted: the endpoint accessed the table or the queue. */
class Taken extends Error {}

const taken = (): never => {
  throw new Taken();
};

const now = () => new Date('2026-11-21T06:00:00Z');
const context = newContext({ now, realNow: now, table: tableWith(new MemoryTable(), taken), schedule: taken });

// Before any endpoint is removed.
const answerTo = route(
  newGate(context, { now: () => new Date('2026-02-01T00:00:00Z') }),
  Object.values(everyEndpoint()),
);

interface ErrorBody {
  readonly statusCode: number;
  readonly message: string;
}

/** The error of a refused request. Undefined when it was accepted or answered. */
const refusalOf = async (change: Partial<ServiceRequest>): Promise<ErrorBody | undefined> => {
  try {
    const answer = await answerTo({
      requestId: 'r',
      method: 'GET',
      path: '/',
      query: [],
      headers: new Map(),
      body: Buffer.alloc(0),
      ...change,
    });
    if (answer.kind !== 'json' || answer.statusCode < 300) return undefined;
    const body = answer.body as ErrorBody;
    expect(body).toEqual({
      statusCode: answer.statusCode,
      error: STATUS_CODES[body.statusCode],
      message: expect.stringMatching(/./),
    });
    return body;
  } catch (error) {
    if (error instanceof Taken) return undefined;
    throw error;
  }
};

const pathOf = ({ path }: Target, parameter = 'ABC123'): string => path.replace(/:\w+/g, parameter);
const withBody = targets.flatMap((target) => (target.body === undefined ? [] : [{ ...target, body: target.body }]));
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

describe.each(withBody)('$name', (target) => {
  const { method, body } = target;
  const post = (bytes: Buffer) => refusalOf({ method, path: pathOf(target), body: bytes });

  it('accepts the body that the tests vary', async () => {
    expect(ajv.validate(body, sampleOf(body))).toBe(true);
    expect((await post(Buffer.from(JSON.stringify(sampleOf(body)))))?.message ?? '').not.toMatch(
      /: must|Invalid input/,
    );
  });

  it.each(hostileBodies(body))('refuses a body: $name', async ({ bytes, says = '' }) => {
    const refusal = await post(bytes);
    expect(refusal?.statusCode).toBe(400);
    expect(refusal?.message.startsWith(says), refusal?.message).toBe(true);
  });

  it.each(oddBodies(body))('never fails on $name', async ({ bytes }) => {
    expect([400, 404, undefined]).toContain((await post(bytes))?.statusCode);
  });

  it('accepts no body that breaks its schema without the fields that are null', async () => {
    const sample = sampleOf(body);
    const fits = ajv.compile(body);
    const values = fc.jsonValue({ depthSize: 'small' });
    const changed = fc
      .tuple(
        fc.constantFrom(...Object.keys(typeof sample === 'object' && sample !== null ? sample : {})),
        // Whether a field may be absent can depend on others, and is then checked after a quote is read.
        values.filter((value) => value !== null),
      )
      .map(([name, value]) => ({ ...(sample as object), [name]: value }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(values, changed), async (value) => {
        const refusal = await post(Buffer.from(JSON.stringify(value)));
        const meant = JSON.parse(JSON.stringify(value), (_key, part) => part ?? undefined);
        expect(fits(meant) || refusal?.statusCode === 400).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe.each(targets)('$name', (target) => {
  it('answers only its own methods', async () => {
    const own = targets.filter(({ path }) => path === target.path).map(({ method }) => method);
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'get', '', 'GET', 'POST', 'PATCH']) {
      const refusal = await refusalOf({ method, path: pathOf(target) });
      expect(own.includes(method) || refusal?.statusCode === 405, `${method}: ${refusal?.message}`).toBe(true);
    }
  });

  it.each(oddWords.map((word) => [word.slice(0, 30), word] as const))('never fails on %j', async (_, word) => {
    const names = [...target.query, '__proto__', 'constructor', ''];
    const { method } = target;
    for (const name of names) {
      const query = [[name, word] as const, [name, word] as const];
      expect([400, 404, undefined]).toContain((await refusalOf({ method, path: pathOf(target), query }))?.statusCode);
    }
    const path = pathOf(target, encodeURIComponent(word));
    expect([400, 404, 405, undefined]).toContain((await refusalOf({ method, path }))?.statusCode);
  });
});

it('any path gets an endpoint’s answer or the error envelope', async () => {
  const segments = fc.oneof(
    fc.string(),
    fc.constantFrom('', '.', '..', '%', '%2F', '%00', '%zz', 'v1', 'fiat', '__proto__', 'disbursement'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(segments), fc.constantFrom('GET', 'POST', 'PATCH', 'PUT'), async (parts, method) => {
      const refusal = await refusalOf({ method, path: `/${parts.join('/')}` });
      expect([400, 404, 405, undefined]).toContain(refusal?.statusCode);
    }),
    { numRuns: runs(2000) },
  );
});
