import { describe, expect, it } from 'vitest';
import { disbursementAnnouncement } from '../../../../functions/payment-service/webhooks/announcement.ts';
import type { SeenAnswer } from '../../../support/payment-service/answers/documented.ts';
import { misfitsOf, misfitsOfWebhook } from '../../../support/payment-service/answers/documented.ts';
import { newDisbursement } from '../../../support/payment-service/new-disbursement.ts';
import { announcedDeposit, announcementIn } from '../../../support/payment-service/webhook-attempts.ts';

const part = { balances: [{ amount: 1.5, assetCode: 'PHP' }], lastUpdated: '2026-11-21T06:00:00.000Z' };
const balance = { userId: 'usr_1', assets: { fiat: part, crypto: part } };
const notFound = { statusCode: 404, error: 'Not Found', message: 'Disbursement not found' };

const answer = (change: Partial<SeenAnswer> & { readonly json?: unknown; readonly headers?: object }): SeenAnswer => {
  const { json = balance, headers = {}, ...rest } = change;
  const all = new Map(Object.entries({ 'content-type': 'application/json', ...headers }));
  return {
    method: 'GET',
    path: '/v1/balance',
    status: 200,
    header: (name) => all.get(name),
    body: Buffer.from(JSON.stringify(json)),
    ...rest,
  };
};

const fiat = (data: object) => ({ statusCode: 200, message: 'Fiat disbursement', data });
const pdf = {
  path: '/v1/disbursement/fiat/dsb_1/report',
  body: Buffer.from('%PDF'),
  headers: { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="a.pdf"' },
};
const references = {
  path: '/v1/reference/currencies',
  json: { statusCode: 200, message: 'Reference currencies', data: [] },
};

describe('an answer matches the document', () => {
  it.each([
    ['as its schema requires', {}],
    [
      'with a query and a charset',
      { path: '/v1/balance?x=1', headers: { 'content-type': 'application/json; charset=utf-8' } },
    ],
    ['as a documented error', { path: '/v1/disbursement/fiat/dsb_1', status: 404, json: notFound }],
    ['as a file', pdf],
    ['with the header of a deprecated endpoint', { ...references, headers: { deprecation: '@1767225600' } }],
    [
      'as a page',
      { path: '/checkout/chk_1', body: Buffer.from('<!doctype html>'), headers: { 'content-type': 'text/html' } },
    ],
    [
      'as a redirect',
      {
        method: 'POST',
        path: '/checkout/chk_1/pay',
        status: 303,
        body: Buffer.alloc(0),
        headers: { location: '../chk_1' },
      },
    ],
    [
      'as a page that does not exist',
      { path: '/checkout/a/b/c', status: 404, headers: { 'content-type': 'text/html' } },
    ],
    ['as nothing', { path: '/v1/nothing', status: 404, json: notFound }],
    [
      'as another method',
      {
        method: 'DELETE',
        status: 405,
        headers: { allow: 'GET' },
        json: { statusCode: 405, error: 'Method Not Allowed', message: 'no' },
      },
    ],
  ])('%s', (_, change) => {
    expect(misfitsOf(answer(change))).toEqual([]);
  });
});

describe('an answer does not match the document', () => {
  it.each([
    ['a wrong type', { json: { ...balance, userId: 7 } }, 'body/userId must be string'],
    ['a missing field', { json: { userId: 'usr_1' } }, "must have required property 'assets'"],
    ['an undocumented field', { json: { ...balance, secret: 1 } }, '"additionalProperty":"secret"'],
    [
      'a wrong record deep inside',
      { path: '/v1/disbursement/fiat/dsb_1', json: fiat({ disbursementId: 1 }) },
      'body/data/disbursementId must be string',
    ],
    [
      'an invalid time',
      { json: { ...balance, assets: { fiat: { ...part, lastUpdated: 'now' }, crypto: part } } },
      'date-time',
    ],
    ['no JSON', { body: Buffer.from('<html>') }, 'the body is not JSON'],
    ['another type of content', { headers: { 'content-type': 'text/html' } }, 'is of type text/html'],
    ['a status that is not documented', { status: 418 }, 'answers 418, which is not documented'],
    ['an error that is not the endpoint’s', { status: 404, json: notFound }, 'answers 404, which is not documented'],
    [
      'a status in the body that differs from HTTP’s',
      { path: '/v1/disbursement/fiat/dsb_1', status: 404, json: { ...notFound, statusCode: 400 } },
      'the status in the body is 400',
    ],
    [
      'an error without its envelope',
      { status: 401, json: { message: 'Unauthorized' } },
      "required property 'statusCode'",
    ],
    ['a success at an undocumented path', { path: '/v1/nothing' }, 'is not documented, and answers 200'],
    ['a success by an undocumented method', { method: 'POST' }, 'is not documented, and answers 200'],
    [
      'a redirect with a body',
      { method: 'POST', path: '/checkout/chk_1/pay', status: 303, headers: { location: 'x' } },
      'has a body',
    ],
    ['an empty file', { ...pdf, body: Buffer.alloc(0) }, 'is empty'],
    ['a deprecated endpoint that does not say so', references, 'has no header Deprecation'],
    [
      'a 405 without the allowed methods',
      { method: 'DELETE', status: 405, json: { statusCode: 405, error: 'Method Not Allowed', message: 'no' } },
      'has no header Allow',
    ],
  ])('for %s', (_, change, misfit) => {
    expect(misfitsOf(answer(change)).join('\n')).toContain(misfit);
  });
});

describe('a fault that a sandbox has set', () => {
  const dispute = fiat({});
  const faulty = (fault: string, change: Parameters<typeof answer>[0]) =>
    misfitsOf(answer({ ...change, headers: { 'x-sandbox-fault': fault } }));

  it.each([
    ['drop-after', { status: 502, json: { message: 'Internal server error' } }],
    ['drop-before', { status: 504, json: { message: 'Endpoint request timed out' } }],
    ['unparsable, slow', { body: Buffer.from('{"a":') }],
    ['contradiction', { path: '/v1/disbursement/fiat/dsb_1', status: 200, json: notFound }],
  ])('%s may differ from the document', (fault, change) => {
    expect(faulty(fault, change)).toEqual([]);
    expect(misfitsOf(answer(change))).not.toEqual([]);
  });

  it.each([
    ['drop-after', { status: 502 }],
    ['drop-after', { status: 500, json: { message: 'x' } }],
    ['unparsable', {}],
    ['contradiction', {}],
    ['contradiction', { path: '/v1/disbursement/fiat/dsb_1', status: 404, json: notFound }],
    ['contradiction', { path: '/v1/disbursement/fiat/dsb_1', status: 500, json: dispute }],
    ['error-after', { status: 500, json: balance }],
    ['slow', { json: { ...balance, secret: 1 } }],
    ['items-missing', { status: 418 }],
  ])('%s may differ only in its own way', (fault, change) => {
    expect(faulty(fault, change)).not.toEqual([]);
  });
});

describe('a webhook', () => {
  const before = newDisbursement();
  const after = newDisbursement({ status: 'completed', reference: 'r-1', version: 2 });
  const { body } = announcementIn(disbursementAnnouncement({ before, after }));

  it('about a disbursement matches the document', () => {
    expect(misfitsOfWebhook('disbursement.updated', body)).toEqual([]);
  });

  it('about a deposit matches the document', () => {
    expect(misfitsOfWebhook('deposit.updated', announcementIn(announcedDeposit()).body)).toEqual([]);
  });

  it('of another type is reported', () => {
    expect(misfitsOfWebhook('deposit.updated', body)).not.toEqual([]);
  });
});
