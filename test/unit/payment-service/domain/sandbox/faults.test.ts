import { describe, expect, it } from 'vitest';
import type { FaultRule, PlannedFault } from '../../../../../functions/payment-service/domain/sandbox/faults.ts';
import {
  complaintAbout,
  endpointKey,
  faults,
  plannedFor,
  strikeBy,
} from '../../../../../functions/payment-service/domain/sandbox/faults.ts';
import { magicFault } from '../../../../../functions/payment-service/domain/sandbox/magic-faults.ts';

const endpoints = ['POST /v2/disbursement/fiat', 'GET /v1/disbursement/fiat/:', 'GET /v1/balance'];
const complaint = (change: Partial<FaultRule>) =>
  complaintAbout({ endpoint: '*', fault: 'slow', left: 1, ...change }, endpoints);

describe('setting a fault', () => {
  it.each(faults)('works everywhere for %s', (fault) => {
    expect(complaint({ fault })).toBeUndefined();
  });

  it.each<[string, Partial<FaultRule>, string | undefined]>([
    ['an endpoint', { endpoint: 'GET /v1/balance' }, undefined],
    [
      'an endpoint with other parameter names',
      { endpoint: 'GET /v1/disbursement/fiat/{id}', fault: 'lookup-lag' },
      undefined,
    ],
    ['a webhook type', { endpoint: 'deposit.updated', fault: 'webhook-late' }, undefined],
    ['a probability', { probability: '1', left: undefined }, undefined],
    ['an unknown endpoint', { endpoint: 'PUT /v1/balance' }, 'there is no endpoint PUT /v1/balance'],
    ['a webhook fault for a request', { endpoint: 'GET /v1/balance', fault: 'webhook-late' }, 'webhook-late cannot'],
    ['a request fault for a webhook', { endpoint: 'deposit.updated' }, 'slow cannot strike deposit.updated'],
    [
      'lag for an endpoint without a lookup',
      { endpoint: 'GET /v1/balance', fault: 'lookup-lag' },
      'lookup-lag cannot strike',
    ],
    ['repeated fiat references', { endpoint: endpoints[0] ?? '', fault: 'reference-twice' }, 'cannot strike'],
    ['probability and number', { probability: '0.5' }, 'exactly one'],
    ['neither', { left: undefined }, 'exactly one'],
    ['a probability above 1', { probability: '1.0000001', left: undefined }, 'at most 1'],
    ['too long a silence', { fault: 'drop-after', seconds: 27 }, '26 seconds at most'],
    ['too long a wait', { fault: 'webhook-late', seconds: 901 }, '900 seconds at most'],
    ['a time for a fault that takes none', { fault: 'items-missing', seconds: 1 }, 'takes no seconds'],
  ])('with %s', (_, change, message) => {
    const found = complaint(change);
    expect(message === undefined ? found : found?.includes(message)).toBe(message === undefined ? undefined : true);
  });
});

it.each([
  ['GET /v1/deposit/:depositIdOrReference', 'GET /v1/deposit/{idOrReference}'],
  ['GET /v1/disbursement/fiat/:id/report', 'GET /v1/disbursement/fiat/:disbursementId/report'],
])('%s equals %s', (one, other) => {
  expect(endpointKey(one)).toBe(endpointKey(other));
});

describe('a fault strikes', () => {
  const rule = (change: Partial<FaultRule> = {}): PlannedFault => {
    const [planned] = plannedFor([{ endpoint: '*', fault: 'slow', left: 1, ...change }], 'GET /v1/balance');
    if (planned === undefined) throw new Error('it is not planned');
    return planned;
  };
  const takes = (planned: readonly PlannedFault[], drawn = 0, taken = true) => {
    const asked: PlannedFault[] = [];
    const strike = strikeBy(
      {
        random: () => drawn,
        take: async (one) => {
          asked.push(one);
          return taken;
        },
      },
      planned,
    );
    return { strike, asked };
  };

  it('with its own time, or the default', async () => {
    expect(await takes([rule({ seconds: 7 })]).strike('slow')).toEqual({ seconds: 7 });
    expect(await takes([rule()]).strike('slow')).toEqual({ seconds: 3 });
  });

  it.each([
    ['0.25', 0.249, 1],
    ['0.25', 0.25, 0],
    ['1', 0.999999, 1],
  ])('with a probability of %s when %d is drawn: %i times', async (probability, drawn, times) => {
    const { strike, asked } = takes([rule({ probability, left: undefined })], drawn);
    expect(await strike('slow')).toEqual(times === 1 ? expect.anything() : undefined);
    expect(asked).toHaveLength(times);
  });

  it('not after its last strike, and then nothing is written', async () => {
    const { strike, asked } = takes([rule({ left: 0 })]);
    expect([await strike('slow'), asked]).toEqual([undefined, []]);
  });

  it('not when concurrent requests took the last strike; the next rule of its kind may', async () => {
    const { strike, asked } = takes([rule(), rule({ left: 5 })], 0, false);
    expect([await strike('slow'), asked.length]).toEqual([undefined, 2]);
  });

  it('not when it would have no effect, nor as another fault', async () => {
    const { strike, asked } = takes([rule({ seconds: 5 })]);
    expect(await strike('slow', ({ seconds }) => seconds > 5)).toBeUndefined();
    expect(await strike('unparsable')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('only at its own endpoint, identified by its position in the list', () => {
    const rules = ['GET /v1/balance', '*', 'POST /v1/convert'].map(
      (endpoint) => ({ endpoint, fault: 'slow', left: 1 }) as const,
    );
    expect(plannedFor(rules, 'POST /v1/convert').map(({ source }) => source)).toEqual([{ place: 1 }, { place: 2 }]);
  });
});

describe('a reference asks for a fault', () => {
  it.each([
    ['fault:drop-after:1', 'creation', { fault: 'drop-after', left: 1 }],
    ['fault:drop-after:x3:1', 'creation', { left: 3 }],
    ['fault:slow:p5:10s:1', 'creation', { fault: 'slow', probability: '0.05', seconds: 10 }],
    ['fault:get:error-before:1', 'lookup', { fault: 'error-before' }],
    ['fault:lookup-lag:x99:5s:1', 'lookup', { fault: 'lookup-lag', left: 99, seconds: 5 }],
    ['fault:webhook-forged:1', 'webhook', { fault: 'webhook-forged' }],
  ] as const)('%s, for a %s', (reference, touched, planned) => {
    expect(magicFault(reference, touched)).toMatchObject({ ...planned, source: { reference } });
  });

  it.each([
    ['fault:get:error-before:1', 'creation'],
    ['fault:error-before:1', 'lookup'],
    ['fault:webhook-late:1', 'creation'],
    ['fault:fire:1', 'creation'],
    ['fault:slow', 'creation'],
    ['fault:slow:x0:1', 'lookup'],
    ['my-fault:slow:1', 'creation'],
  ] as const)('%s, not for a %s', (reference, touched) => {
    expect(magicFault(reference, touched)).toBeUndefined();
  });
});
