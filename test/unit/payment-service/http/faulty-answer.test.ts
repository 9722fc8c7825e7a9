import { describe, expect, it } from 'vitest';
import type { Fault, Strike } from '../../../../functions/payment-service/domain/sandbox/faults.ts';
import { faults } from '../../../../functions/payment-service/domain/sandbox/faults.ts';
import type { Answer } from '../../../../functions/payment-service/http/answers.ts';
import { failure } from '../../../../functions/payment-service/http/answers.ts';
import { answerFaultily } from '../../../../functions/payment-service/http/faulty-answer.ts';
import { faultsOfRequest } from '../../../../functions/payment-service/http/planned-faults.ts';
import { wireNumber } from '../../../../functions/payment-service/http/wire-json.ts';
import { newContext } from '../../../support/payment-service/new-context.ts';

/** Answers with these faults set. Returns whether the work was done, how long it waited, and which faults struck. */
const answerWith = async (set: readonly Fault[], answer: Answer) => {
  const seen = { worked: false, waited: 0, struck: [] as Fault[] };
  const strike: Strike = async (fault, applies = () => true) => {
    const struck = { seconds: 2 };
    if (!set.includes(fault) || !applies(struck)) return undefined;
    seen.struck.push(fault);
    return struck;
  };
  const pause = async (milliseconds: number) => {
    seen.waited += milliseconds;
  };
  const given = await answerFaultily(newContext({ pause, random: () => 0.5, strike }), async () => {
    seen.worked = true;
    return answer;
  });
  return { given, ...seen };
};

const json = (body: object): Answer => ({ kind: 'json', statusCode: 200, body });
const success = (data: unknown): Answer => json({ statusCode: 200, message: 'Page', data });
const done = json({ statusCode: 200, message: 'Set' });
const refused = failure(400, 'no');
const items = [1, 2, 3].map((id) => ({ id, amount: wireNumber('0.1000000000000000055') }));
const list = success({ docs: items, totalDocs: 3 });
const pdf = { kind: 'content', statusCode: 200, contentType: 'application/pdf', content: new Uint8Array(1) } as const;

describe('a fault', () => {
  it.each<[Fault, boolean, number, object]>([
    ['refuse-credentials', false, 401, { body: { statusCode: 401, message: 'Unauthorized' } }],
    ['rate-limit', false, 429, { headers: { 'retry-after': '2' } }],
    ['error-before', false, 500, { body: { statusCode: 500 } }],
    ['drop-before', false, 504, { kind: 'content' }],
    ['drop-after', true, 504, { kind: 'content' }],
    ['error-after', true, 500, { body: { statusCode: 500 } }],
    ['contradiction', true, 500, { body: { statusCode: 200 } }],
    ['unparsable', true, 200, { kind: 'content' }],
    ['items-missing', true, 200, { body: { data: { docs: [items[0], items[2]], totalDocs: 3 } } }],
    ['items-reordered', true, 200, { body: { data: { docs: items.toReversed() } } }],
    ['slow', true, 200, { body: { data: { docs: items } } }],
  ])('%s: work done %s, HTTP status %i', async (fault, worked, statusCode, looks) => {
    const seen = await answerWith([fault], list);
    expect(seen).toMatchObject({ worked, given: { statusCode, ...looks }, struck: [fault] });
    expect(seen.given.headers).toMatchObject({ 'x-sandbox-fault': fault });
    expect(seen.waited).toBe(['drop-before', 'drop-after', 'slow'].includes(fault) ? 2000 : 0);
  });

  it('before the work comes before one after it, and slowness adds to either', async () => {
    const seen = await answerWith(['error-before', 'error-after', 'slow'], list);
    expect(seen).toMatchObject({ worked: false, struck: ['error-before', 'slow'] });
  });

  it.each<[string, Fault, Answer]>([
    ['a refusal did no work', 'error-after', refused],
    ['a refusal did no work', 'drop-after', refused],
    ['a file has no status', 'contradiction', pdf],
    ['a body without a status has none', 'contradiction', json({ userId: 'usr_1' })],
    ['a file is not parsed', 'unparsable', pdf],
    ['one item has no order', 'items-reordered', success([1])],
    ['an empty list has no item to lose', 'items-missing', success({ docs: [] })],
    ['an answer has no items', 'items-missing', done],
  ])('without an effect does not strike: %s (%s)', async (_, fault, answer) => {
    const seen = await answerWith([fault], answer);
    expect([seen.given, seen.struck]).toEqual([answer, []]);
  });

  it('half a body is never valid JSON', async () => {
    for (const answer of [list, refused, json({}), done]) {
      const { given } = await answerWith(['unparsable'], answer);
      expect(() => JSON.parse(given.kind === 'content' ? String(given.content) : '{}')).toThrow(SyntaxError);
    }
  });

  it('removing an item keeps all digits of the others', async () => {
    const { given } = await answerWith(['items-missing'], list);
    expect(JSON.stringify(given)).toContain('0.1000000000000000055');
  });
});

it('an answer without a strike is unchanged, without the header', async () => {
  const others = faults.filter((fault) => fault.startsWith('webhook-'));
  expect((await answerWith(others, list)).given).toBe(list);
});

describe('references that may ask for a fault', () => {
  const body = Buffer.from(
    '{"disburseData":[{"reference" : "fault:slow:1"},{"reference":"other","note":"fault:slow:2"}]}',
  );

  it.each([
    ['POST', ['fault:slow:1']],
    ['GET', ['fault:get:slow:3']],
    ['PATCH', []],
  ])('from a %s', (method, found) => {
    const params = new Map([['idOrReference', 'fault:get:slow:3']]);
    const planned = faultsOfRequest([], { method, path: '/v1/things/:idOrReference' }, params, { body });
    expect(planned.map(({ source }) => source)).toEqual(found.map((reference) => ({ reference })));
  });
});
