import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  AccountChanged,
  CurrencyMismatch,
  errorNames,
  InvariantBroken,
  NoFeeEstimate,
  ProviderRefused,
  ProviderUnavailable,
} from '../../../functions/domain/errors.ts';
import { asStep, batchInput } from '../../../functions/steps/as-step.ts';

const secrets = ['0012345678', 'Ayu Lestari'];

/** Runs a step that throws. Returns the rethrown error and all log lines. */
const failing = async (thrown: unknown, event: unknown = { batchId: 'b-1' }) => {
  const lines: unknown[] = [];
  const take = (code: string, fields: unknown) => lines.push([code, fields]);
  const input = batchInput.strict();
  const step = asStep('Any', input, { info: take, warn: take, alarm: take }, () => Promise.reject(thrown));
  const kept: unknown = await step(event, { getRemainingTimeInMillis: () => 1000 }).catch((error: unknown) => error);
  return { kept, visible: inspect([kept, lines], { depth: 10, showHidden: true }), lines };
};

const quoting = (): unknown => {
  try {
    return JSON.parse(`{"a":Ayu Lestari}`);
  } catch (error) {
    return error;
  }
};

const withItem = Object.assign(new Error('0012345678\n    at Ayu Lestari'), {
  name: 'TransactionCanceledException',
  CancellationReasons: [{ Item: { accountName: { S: 'Ayu Lestari' } } }],
  cause: new Error('Ayu Lestari'),
});

describe('a step that fails', () => {
  it.each([
    ['JSON that cannot be read, whose error quotes it', quoting(), 'SyntaxError'],
    ['a transaction, whose error carries items', withItem, 'TransactionCanceledException'],
    ['something that is no error', 'Ayu Lestari 0012345678', 'UnknownError'],
  ])('over %s reports the name, and nothing of its input', async (_why, thrown, name) => {
    expect(inspect(thrown, { depth: 10 })).toMatch(/0012345678|Ayu/);
    const { kept, visible } = await failing(thrown);
    expect(kept).toMatchObject({ name });
    for (const secret of secrets) expect(visible).not.toContain(secret);
  });

  it('over an input that does not fit reports the name, and logs no ids and nothing of the input', async () => {
    const { kept, visible, lines } = await failing(undefined, {
      batchId: ['Ayu Lestari'],
      'Ayu Lestari': '0012345678',
    });
    expect(kept).toMatchObject({ name: 'ZodError', message: expect.stringContaining('left out') });
    expect(lines).toEqual([['step.failed', { step: 'Any', error: 'ZodError', at: expect.any(String) }]]);
    for (const secret of secrets) expect(visible).not.toContain(secret);
  });

  it('logs where it was thrown', async () => {
    const { lines } = await failing(quoting());
    expect(lines).toMatchObject([
      ['step.failed', { error: 'SyntaxError', at: expect.stringMatching(/quoting.*step\.test/) }],
    ]);
  });

  it.each([
    [errorNames.providerUnavailable, new ProviderUnavailable('GET /v1/balance: timeout')],
    [errorNames.providerRefused, new ProviderRefused('GET /v1/balance: 401')],
    [errorNames.accountChanged, new AccountChanged('It was planned for one, and other is deployed.')],
    [errorNames.noFeeEstimate, new NoFeeEstimate('GET /v1/estimate: there is none')],
    [errorNames.invariantBroken, new InvariantBroken('row 7 is not in its chunk file')],
    [errorNames.currencyMismatch, new CurrencyMismatch('IDR', 'THB')],
  ])('with our own error passes it on unchanged: %s', async (name, error) => {
    const { kept } = await failing(error);
    expect(kept).toBe(error);
    expect(kept).toMatchObject({ name });
  });
});
