import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Endpoint } from '../../../../functions/payment-service/http/endpoint.ts';
import { bodyEndpoint, plainEndpoint } from '../../../../functions/payment-service/http/endpoint.ts';
import type { ServiceRequest } from '../../../../functions/payment-service/http/request.ts';
import { matchPath, route } from '../../../../functions/payment-service/http/router.ts';
import { anything } from '../../../support/payment-service/anything.ts';
import { newContext, newGate, newSettings } from '../../../support/payment-service/new-context.ts';

const says = (path: `/${string}`): Endpoint =>
  plainEndpoint({
    route: `GET ${path}`,
    access: 'signed',
    ...anything,
    work: async (_, { params }) => ({ message: path, data: Object.fromEntries(params) }),
  });

const endpoints: readonly Endpoint[] = [
  says('/v1/things/:id'),
  says('/v1/things/kinds'),
  bodyEndpoint({
    route: 'POST /v1/things',
    access: 'signed',
    ...anything,
    body: z.object({ list: z.array(z.object({ name: z.string('must be a text') })) }),
    work: async () => ({ message: 'made' }),
  }),
];

const context = newContext({ settings: newSettings({ maximumBodyBytes: 1024 }) });
const admitting = newGate(context);
const refusing = newGate(context, { authenticate: async () => undefined });

const send = (request: Partial<ServiceRequest>, known = true) =>
  route(
    known ? admitting : refusing,
    endpoints,
  )({
    requestId: 'r',
    method: 'GET',
    path: '/v1/things/kinds',
    query: [],
    headers: new Map(),
    body: Buffer.alloc(0),
    ...request,
  });

const post = (body: string) => send({ method: 'POST', path: '/v1/things', body: Buffer.from(body) });

describe('a request', () => {
  it.each([
    ['a literal path before a parameter', {}, { message: '/v1/things/kinds' }],
    ['a parameter, decoded', { path: '/v1/things/a%20b' }, { message: '/v1/things/:id', data: { id: 'a b' } }],
    ['a parameter that cannot be decoded', { path: '/v1/things/%zz' }, { data: { id: '%zz' } }],
  ])('reaches %s', async (_, request, body) => {
    expect(await send(request)).toMatchObject({ statusCode: 200, body });
  });

  it.each([
    ['an unknown path', { path: '/v1/nothing' }],
    ['a longer path', { path: '/v1/things/kinds/more' }],
    ['an extra slash', { path: '//v1/things/kinds' }],
  ])('for %s gets a 404 in the error envelope', async (_, request) => {
    expect(await send(request)).toMatchObject({
      statusCode: 404,
      body: { statusCode: 404, error: 'Not Found', message: expect.any(String) },
    });
  });

  it.each([
    ['that has no other', 'DELETE', '/v1/things/1', 'GET'],
    ['that is literal, although a parameter would match', 'POST', '/v1/things/kinds', 'GET'],
    ['of a list', 'PATCH', '/v1/things', 'POST'],
  ])('with the wrong method for a path %s gets a 405 that lists the path’s methods', async (_, method, path, allow) => {
    expect(await send({ method, path })).toMatchObject({
      statusCode: 405,
      headers: { allow },
      body: { statusCode: 405, error: 'Method Not Allowed', message: `Cannot ${method} ${path}` },
    });
  });

  it('without valid credentials gets a 401 without details', async () => {
    expect(await send({}, false)).toMatchObject({
      body: { statusCode: 401, error: 'Unauthorized', message: 'Unauthorized' },
    });
  });

  it.each([
    ['malformed JSON', '{bad', 'the body is not JSON'],
    ['no body', '', 'the body is not JSON'],
    ['too large a body', `"${'x'.repeat(1024)}"`, 'the body is larger than 1024 bytes'],
    ['a wrong type deep inside', '{"list":[{"name":"a"},{"name":1}]}', 'list[1].name: must be a text'],
  ])('with %s gets a 400 with the reason', async (_, body, message) => {
    expect(await post(body)).toMatchObject({ body: { statusCode: 400, error: 'Bad Request', message } });
  });
});

it('matches with or without a trailing slash', () => {
  expect(matchPath('/v1/balance', '/v1/balance/')).toEqual(new Map());
});
