import { describe, expect, it } from 'vitest';
import type { OperatorAnswer } from '../../../infra/local/operator-client.ts';
import { OperatorClient } from '../../../infra/local/operator-client.ts';
import { askOften, percentile } from '../../chaos/load/ask-often.ts';

const problem = { type: 'urn:payout-orchestrator:problem:too_many_requests', title: 'More than is taken', status: 429 };

const answered = (status: number, body: unknown, headers: Record<string, string> = {}): OperatorAnswer => ({
  status,
  body,
  headers: new Headers(headers),
  bytes: Buffer.alloc(0),
});

/** Gives scripted answers one after the other, then repeats the last. */
class ToldOperator extends OperatorClient {
  readonly #answers: (OperatorAnswer | undefined)[];

  constructor(answers: (OperatorAnswer | undefined)[]) {
    super({
      apiUrl: 'https://nowhere.example',
      region: 'us-east-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    });
    this.#answers = answers;
  }

  override async send(): Promise<OperatorAnswer> {
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    if (answer === undefined) throw new Error('reset');
    return answer;
  }
}

const ask = (...answers: (OperatorAnswer | undefined)[]) =>
  askOften(new ToldOperator(answers), { paths: ['/batches/b-1'], requests: 5, atOnce: 2 });

describe('repeated requests', () => {
  it('count every answer once, by its status', async () => {
    const counts = await ask(answered(429, problem, { 'retry-after': '1' }), answered(200, {}));
    expect([...counts.byStatus]).toEqual([
      [429, 1],
      [200, 4],
    ]);
    expect(counts.latencies).toHaveLength(4);
    expect(counts.failed).toBe(0);
  });

  it.each([
    ['a throttle that does not say when to come again', answered(429, problem)],
    ['a throttle that is no problem', answered(429, { message: 'Too Many Requests' }, { 'retry-after': '1' })],
    ['an error', answered(500, { ...problem, status: 500 })],
    ['no answer', undefined],
  ])('count %s as a failure', async (_name, answer) => {
    expect((await ask(answer, answered(200, {}))).failed).toBe(1);
  });
});

describe('a percentile', () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  it.each([
    [0.5, 100],
    [0.95, 190],
    [0.99, 198],
    [1, 200],
  ])('of %d is the nearest rank', (part, value) => {
    expect(percentile(values, part)).toBe(value);
  });

  it('of nothing is 0', () => {
    expect(percentile([], 0.5)).toBe(0);
  });
});
