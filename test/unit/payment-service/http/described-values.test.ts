import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../../../functions/payment-service/endpoints/by-function.ts';
import { route } from '../../../../functions/payment-service/http/router.ts';
import { MemoryTable } from '../../../support/memory-table/memory-table.ts';
import { requestOfLine } from '../../../support/payment-service/line-request.ts';
import { newContext, newGate, tableWith } from '../../../support/payment-service/new-context.ts';

/** The request was accepted: the endpoint accessed the table. */
class Read extends Error {}

const now = () => new Date('2026-02-01T00:00:00Z');
const table = tableWith(new MemoryTable(), () => {
  throw new Read();
});
const answerTo = route(newGate(newContext({ now, realNow: now, table })), Object.values(everyEndpoint()));

/** Whether a request is accepted, or refused with 400. */
const isRead = async (line: string, body: unknown): Promise<boolean> => {
  try {
    const answer = await answerTo(requestOfLine(line, body));
    expect(answer).toMatchObject({ statusCode: 400 });
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(Read);
    return true;
  }
};

const noted = (note: string | null) => ({
  currency: 'PHP',
  disburseData: [{ amount: 100, recipientId: 'rcp_anna', note }],
});
const paidTo = (accountName: string) => ({
  currency: 'PHP',
  disburseData: [
    {
      amount: 100,
      recipient: { bank: { bankName: 'BDO', bankCode: 'BDO', accountNumber: '0011223344', accountName } },
    },
  ],
});
const estimate = 'GET /v1/convert/estimate?inputCurrency=usdt-tron&outputCurrency=PHP&inputAmount=10';
const list = 'GET /v1/disbursement/crypto';

describe('a value that the OpenAPI document describes', () => {
  it.each([
    ['characters of a note, not their UTF-16 units', 'POST /v2/disbursement/fiat', noted('😀'.repeat(255))],
    ['a markup with an exponent', `${estimate}&markupRatePercentage=1.5e-05`, {}],
    ['a time with an offset', 'POST /sandbox/clock', { setTo: '2026-03-01T07:00:00+07:00' }],
    [
      'a whole number with a decimal point',
      'PUT /sandbox/faults',
      '{"faults":[{"endpoint":"*","fault":"slow","next":3.0,"seconds":2.0}]}',
    ],
    ['a note of several lines', 'POST /v2/disbursement/fiat', noted('line 1\r\n\tline 2')],
    ['an empty note', 'POST /v2/disbursement/fiat', noted('')],
    ['a name with a joiner', 'POST /v2/disbursement/fiat', paidTo('Sari\u200dDewi')],
    ['a note that is null', 'POST /v2/disbursement/fiat', noted(null)],
    [
      'alternatives that are null',
      'POST /v2/disbursement/fiat',
      { currency: 'PHP', disburseData: [{ amount: 100, recipientId: 'rcp_anna', recipient: null, reference: null }] },
    ],
    [
      'an unknown field beside the one amount',
      'POST /v1/deposit/fiat',
      {
        inputCurrency: 'PHP',
        outputCurrency: 'PHP',
        outputAmount: { fiat: 100, token: 'x' },
        balanceType: 'fiat',
        paymentMethod: 'GCASH',
      },
    ],
    ['the smallest amount', `${list}?amount=1e-18`, {}],
    ['a date', `${list}?startDate=2026-01-05&endDate=2026-01-06T09:00:00%2B07:00`, {}],
    ['the last page', `${list}?page=999999999&limit=100`, {}],
  ])('is accepted: %s', async (_, line, body) => {
    expect(await isRead(line, body)).toBe(true);
  });

  it.each([
    ['a control character in a note', 'POST /v2/disbursement/fiat', noted('a\u0000b')],
    ['a control character of Latin-1 in a note', 'POST /v2/disbursement/fiat', noted('a\u0085b')],
    ['text that changes direction in a name', 'POST /v2/disbursement/fiat', paidTo('Ana \u202eseyeR')],
    ['one character more', 'POST /v2/disbursement/fiat', noted('😀'.repeat(256))],
    ['a markup with seven decimals', `${estimate}&markupRatePercentage=1.5e-06`, {}],
    ['a number that is not whole', 'PUT /sandbox/faults', '{"faults":[{"endpoint":"*","fault":"slow","next":3.5}]}'],
    ['a fault that never strikes', 'PUT /sandbox/faults', { faults: [{ endpoint: '*', fault: 'slow', next: 0 }] }],
    ['an amount below the smallest unit', `${list}?amount=1e-19`, {}],
    ['an amount of 21 digits', `${list}?amount=1e20`, {}],
    ['an invalid date, even alone', `${list}?startDate=tomorrow`, {}],
    ['a page of ten digits', `${list}?page=1000000000`, {}],
    ['more than the largest page', `${list}?limit=101`, {}],
    ['an unknown status', 'PATCH /v1/deposit/dep_1', { status: 'paid' }],
    ['no item where one is expected', 'POST /v2/disbursement/fiat', { currency: 'PHP', disburseData: [null] }],
    ['nothing for a required field', 'POST /v2/disbursement/fiat', { ...noted('a'), currency: null }],
    ['no body', 'POST /v2/disbursement/fiat', 'null'],
    ['no items', 'POST /v2/disbursement/fiat', { currency: 'PHP', disburseData: [] }],
  ])('limits the accepted values: %s', async (_, line, body) => {
    expect(await isRead(line, body)).toBe(false);
  });
});
