import { describe, expect, it } from 'vitest';
import { endpoint } from '../../../functions/api/endpoint.ts';
import type { Outcome } from '../../../functions/api/http/answer.ts';
import { answer } from '../../../functions/api/http/answer.ts';
import { problem } from '../../../functions/api/http/problem.ts';
import * as batchOperations from '../../../functions/api/schemas/operations/batch-operations.ts';
import { operations } from '../../../functions/api/schemas/operations/operations.ts';
import { problemSchema } from '../../../functions/api/schemas/problem.ts';
import { InvalidCursor } from '../../../functions/domain/errors.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { operator } from './fixtures.ts';

const event = {
  pathParameters: null,
  queryStringParameters: null,
  headers: { 'idempotency-key': 'key-1' },
  body: JSON.stringify({ file: 'uploads/salaries.csv' }),
  isBase64Encoded: false,
  requestContext: { requestId: 'request-1', identity: { userArn: operator, caller: 'AIDA' } },
};

const run = async (
  received: unknown,
  meet: (request: unknown) => Promise<Outcome<unknown>> = async (request) => answer(202, request, 'batches/b-1'),
  operation: (typeof operations)[number] = batchOperations.startBatch,
) => {
  const lines: unknown[] = [];
  const write = (code: string, fields?: object) => void lines.push({ code, ...fields });
  const handler = endpoint({ info: write, warn: write, alarm: write }, operation, meet);
  const response = await handler(received, lambdaContext);
  return { ...response, body: JSON.parse(response.body), text: response.body, lines };
};

describe('an unknown field', () => {
  const withField = (field: string) =>
    run({ ...event, body: JSON.stringify({ file: 'uploads/salaries.csv', [field]: 'Ayu Lestari' }) });

  it('is named when it may be misspelled', async () => {
    expect((await withField('dry_run')).text).toContain('dry_run');
  });

  it.each(['0012345678', 'TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3', 'Ayu Lestari'])(
    'is not named when it may be a value: %s',
    async (field) => {
      const { statusCode, text } = await withField(field);
      expect(statusCode).toBe(400);
      expect(text).not.toContain(field);
      expect(text).not.toContain('Ayu');
    },
  );
});

describe('a valid request', () => {
  it('reaches the endpoint parsed, with its defaults and its caller', async () => {
    const { statusCode, headers, body } = await run(event);
    expect(statusCode).toBe(202);
    expect(body).toEqual({
      path: {},
      query: {},
      headers: { 'idempotency-key': 'key-1' },
      body: { file: 'uploads/salaries.csv', mode: 'disburse', invalidRows: 'reject', allowSameFile: false },
      caller: operator,
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'request-1',
      location: 'batches/b-1',
    });
  });

  it.each([
    ['headers in any letter case', { headers: { 'IDEMPOTENCY-Key': 'key-1' } }],
    ['a body in base64', { body: Buffer.from(event.body).toString('base64'), isBase64Encoded: true }],
    [
      'control totals',
      { body: JSON.stringify({ file: 'uploads/a.csv', expect: { rows: 2, sums: { 'usdt-tron': '1.50' } } }) },
    ],
    ['an S3 address', { body: JSON.stringify({ file: 's3://payout-files/uploads/a/b.csv.gz' }) }],
    ['unused fields of the event', { stageVariables: null, resource: '/batches' }],
  ])('may have %s', async (_name, difference) => {
    expect(await run({ ...event, ...difference })).toMatchObject({ statusCode: 202 });
  });

  it('leaves one line of codes and ids in the log', async () => {
    const { lines } = await run(event);
    expect(lines).toEqual([{ code: 'api.answered', operation: 'startBatch', status: 202, requestId: 'request-1' }]);
  });
});

const latin1 = Buffer.from('{"file":"uploads/geh\u00e4lter.csv"}', 'latin1');
const withBody = (body: object) => ({ body: JSON.stringify({ file: 'uploads/salaries.csv', ...body }) });

describe('an invalid request is a problem', () => {
  it.each<[string, object, string]>([
    ['a body that is not JSON', { body: '{' }, 'body'],
    ['a blank body', { body: '\n' }, 'body'],
    ...[
      ['a file', '{"file":"uploads/\\ud800.csv"}'],
      ['a key', '{"file":"uploads/a.csv","\\udc00":1}'],
      ['a nested key', '{"file":"uploads/a.csv","expect":{"sums":{"\\ud800":"1"}}}'],
      ['a list', '{"file":["\\ud800"]}'],
    ].map(([where, body]) => [`half a character in ${where}`, { body }, 'body'] satisfies [string, object, string]),
    ['a body in Latin-1', { body: latin1.toString('base64'), isBase64Encoded: true }, 'body'],
    ['a body in Latin-1 that the gateway read', { body: latin1.toString('utf8') }, 'body'],
    ['no body', { body: null }, 'body.file'],
    ['an unknown field', withBody({ invalidrows: 'skip' }), 'body'],
    ['an unknown mode', withBody({ mode: 'pay' }), 'body.mode'],
    ['a file outside uploads/', withBody({ file: 'batches/b-1/results.csv' }), 'body.file'],
    ['a folder', withBody({ file: 'uploads/' }), 'body.file'],
    ['a file with a control character', withBody({ file: 'uploads/a\nb.csv' }), 'body.file'],
    ['a file with a mark of direction', withBody({ file: 'uploads/a\u202efdp.csv' }), 'body.file'],
    ['a version that no bucket gives', withBody({ versionId: 'a b' }), 'body.versionId'],
    ['a flag that is not one', withBody({ allowSameFile: 'yes' }), 'body.allowSameFile'],
    ['an unknown control total', withBody({ expect: { count: 2 } }), 'body.expect'],
    ['a number of rows in text', withBody({ expect: { rows: '2' } }), 'body.expect.rows'],
    ['rows below zero', withBody({ expect: { rows: -1 } }), 'body.expect.rows'],
    ['a sum that is a number', withBody({ expect: { sums: { IDR: 1.5 } } }), 'body.expect.sums.IDR'],
    ['a sum below zero', withBody({ expect: { sums: { IDR: '-1' } } }), 'body.expect.sums.IDR'],
    ['a sum with a comma', withBody({ expect: { sums: { IDR: '1,000' } } }), 'body.expect.sums.IDR'],
    ['a sum with an exponent', withBody({ expect: { sums: { IDR: '1e3' } } }), 'body.expect.sums.IDR'],
    ['a sum without end', withBody({ expect: { sums: { IDR: '1'.repeat(41) } } }), 'body.expect.sums.IDR'],
    ['a sum of an invalid currency', withBody({ expect: { sums: { '0012345678': '1' } } }), 'body.expect.sums'],
    [
      'sums in more currencies than there are',
      withBody({ expect: { sums: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`C${n}`, '1'])) } }),
      'body.expect.sums',
    ],
    ['an empty key', { headers: { 'idempotency-key': '' } }, 'headers.idempotency-key'],
    ['a key too long', { headers: { 'idempotency-key': 'k'.repeat(129) } }, 'headers.idempotency-key'],
    ['a key that is not printable', { headers: { 'idempotency-key': 'ké' } }, 'headers.idempotency-key'],
  ])('%s', async (_name, difference, where) => {
    const { statusCode, headers, body } = await run({ ...event, ...difference });
    expect({ statusCode, type: headers['content-type'] }).toEqual({
      statusCode: 400,
      type: 'application/problem+json',
    });
    expect(problemSchema.parse(body)).toMatchObject({
      type: 'urn:payout-orchestrator:problem:invalid_request',
      errors: [{ where }],
      requestId: 'request-1',
    });
  });

  it('distinguishes a broken body from invalid JSON', async () => {
    const { text } = await run({ ...event, body: '{"file":"\\ud800"}' });
    expect(text).toContain('half a character');
  });

  it.each(['a\u202eb', 'a\u2028b', 'a\u200bb', 'a\u{e0041}b', 'a\nb', '  '])('a reason %j', async (reason) => {
    const pathParameters = { batchId: 'b-1' };
    const body = JSON.stringify({ reason });
    const { statusCode, text } = await run({ ...event, pathParameters, body }, undefined, batchOperations.rejectBatch);
    expect(statusCode).toBe(400);
    expect(text).toContain('body.reason');
  });

  it('a start without Idempotency-Key', async () => {
    const { body } = await run({ ...event, headers: null });
    expect(problemSchema.parse(body)).toMatchObject({
      status: 400,
      type: 'urn:payout-orchestrator:problem:idempotency_key_missing',
    });
  });

  it.each<[string, object, number]>([
    ['a limit that is no number', { limit: 'many' }, 400],
    ['a limit above 100', { limit: '101' }, 400],
    ['a limit of 0', { limit: '0' }, 400],
    ...['0x5', '1e1', '1.0', '05', '+5', ' 5', ''].map(
      (each) => [`a number written ${each}`, { limit: each }, 400] satisfies [string, object, number],
    ),
    ['a parameter that is not known', { page: '2' }, 400],
    ['an unknown status', { status: 'done' }, 400],
    ['a day that is none', { day: '2026-02-30' }, 400],
    ['valid parameters, which is not one', { limit: '100', status: 'paused', day: '2026-02-28' }, 202],
  ])('a list of batches with %s', async (_name, queryStringParameters, statusCode) => {
    expect(
      await run({ ...event, body: null, queryStringParameters }, undefined, batchOperations.listBatches),
    ).toMatchObject({
      statusCode,
    });
  });

  it.each([
    ['a parameter', 'query', { queryStringParameters: { verbose: 'true' } }],
    ['a field', 'body', { body: '{"verbose":true}' }],
  ])('an unknown %s, for any endpoint', async (_, where, difference) => {
    const pathParameters = { batchId: 'b-1', reference: 'A-1', number: '1', name: 'results.csv' };
    for (const operation of operations) {
      const response = await run({ ...event, body: null, pathParameters, ...difference }, undefined, operation);
      expect({ id: operation.id, status: response.statusCode }).toEqual({ id: operation.id, status: 400 });
      expect(problemSchema.parse(response.body).errors).toContainEqual({
        where,
        message: expect.stringContaining('"verbose"'),
      });
    }
  });

  it.each(['0x1', '1e0', '01'])('a conversion at the address %s', async (number) => {
    const pathParameters = { batchId: 'b-1', number };
    const body = JSON.stringify({ decision: 'happened', reason: 'r' });
    expect(await run({ ...event, pathParameters, body }, undefined, batchOperations.settleConversion)).toMatchObject({
      statusCode: 404,
    });
  });

  it.each([{ batchId: 'b#1' }, { batchId: '' }, {}])('an unknown address: %o', async (pathParameters) => {
    const { body } = await run({ ...event, pathParameters }, undefined, batchOperations.getBatch);
    expect(problemSchema.parse(body)).toMatchObject({ status: 404 });
  });

  it('a cursor that the ledger did not issue', async () => {
    const meet = async () => {
      throw new InvalidCursor('cursor_invalid');
    };
    const { body } = await run({ ...event, body: null }, meet, batchOperations.listBatches);
    expect(problemSchema.parse(body)).toMatchObject({ status: 400, errors: [{ where: 'query.cursor' }] });
    const inBody = await run(
      { ...event, pathParameters: { batchId: 'b-1' }, body: '{}' },
      meet,
      batchOperations.zipProofs,
    );
    expect(problemSchema.parse(inBody.body)).toMatchObject({ status: 400, errors: [{ where: 'body.cursor' }] });
  });
});

describe('an endpoint’s answer', () => {
  it('as a problem names the other batch', async () => {
    const { body, statusCode } = await run(event, async () => problem('same_file', { batchId: 'b-other' }));
    expect(statusCode).toBe(409);
    expect(problemSchema.parse(body)).toMatchObject({ batchId: 'b-other' });
  });

  it('has a Retry-After when AWS is temporarily unavailable', async () => {
    const { statusCode, headers, body } = await run(event, async () => {
      throw Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
    });
    expect(statusCode).toBe(503);
    expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'retry-after': '5' });
    expect(problemSchema.parse(body)).toMatchObject({
      type: 'urn:payout-orchestrator:problem:unavailable',
      requestId: 'request-1',
    });
  });

  it.each([
    ['without the pause that it ends, asks to look first', {}, false],
    ['with it, may be sent again', { pausedSince: '2026-01-05T09:10:00.000Z' }, true],
  ])('to a resume that AWS could not take, %s', async (_, asked, isHarmless) => {
    const resume = { ...event, pathParameters: { batchId: 'b-1' }, body: JSON.stringify(asked) };
    const { body } = await run(
      resume,
      async () => {
        throw Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
      },
      batchOperations.resumeBatch,
    );
    const { detail = '' } = problemSchema.parse(body);
    expect(detail.includes('Nothing happens twice')).toBe(isHarmless);
    expect(detail.includes('look at the batch first')).toBe(!isHarmless);
  });

  it('never contains the thrown error, nor does the log', async () => {
    const { body, text, lines, statusCode, headers } = await run(event, async () => {
      throw new TypeError('account 0012345678 of Jane Doe');
    });
    expect(statusCode).toBe(500);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-request-id': 'request-1' });
    expect(problemSchema.parse(body)).toMatchObject({ type: 'urn:payout-orchestrator:problem:internal_error' });
    expect(`${text} ${JSON.stringify(lines)}`).not.toMatch(/0012345678|Jane|stack/);
    expect(lines).toEqual([
      { code: 'api.failed', operation: 'startBatch', error: 'TypeError', requestId: 'request-1' },
    ]);
  });

  it('to an invalid event is the same problem', async () => {
    expect(await run('nonsense')).toMatchObject({
      statusCode: 500,
      body: { type: 'urn:payout-orchestrator:problem:internal_error' },
    });
  });
});
