import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from '../../../functions/domain/errors.ts';
import type { Payout } from '../../../functions/domain/payout.ts';
import type { Disbursement, Lookup } from '../../../functions/domain/provider-port.ts';
import { apply } from '../../../functions/webhooks/apply.ts';
import type { ApplyDependencies } from '../../../functions/webhooks/apply-webhook.ts';
import { findCandidates } from '../../../functions/webhooks/find-candidates.ts';
import { payout } from '../api/fixtures.ts';

const disbursement: Disbursement = {
  disbursementId: 'd-1',
  reference: 'r-1',
  rail: 'fiat',
  currency: 'IDR',
  amount: '250.1',
  fee: '4',
  status: 'completed',
  providerStatus: 'completed',
};

const now = '2026-01-05T09:10:00.000Z';

/** One payout, a provider that says one thing, and what came of it. */
const world = (held: Payout, says: () => Lookup, byReference?: readonly Disbursement[]) => {
  let current = held;
  const asked: string[] = [];
  const refreshed: string[] = [];
  const lines: { readonly code: string }[] = [];
  const write = (code: string, fields?: object) => void lines.push({ code, ...fields });
  const dependencies: ApplyDependencies = {
    ledger: {
      findPayoutByDisbursementId: async (id) => (id === current.disbursementId ? current : undefined),
      getPayoutByReference: async (reference) => (reference === current.reference ? current : undefined),
      movePayout: async (_key, transition, changes) => {
        if (!transition.from.includes(current.status)) return { kind: 'refused', payout: current };
        current = { ...current, ...changes, status: transition.to, updatedAt: now };
        return { kind: 'moved', payout: current };
      },
      refreshChunk: async (batchId, chunk) => {
        refreshed.push(`${batchId}/${chunk}`);
        const record = {
          batchId,
          chunk,
          rail: 'fiat',
          currency: 'IDR',
          tallies: {},
          proofs: 0,
          registeredAt: now,
          version: 2,
        } as const;
        return { record, payouts: [current] };
      },
    },
    provider: {
      lookUp: async (rail, id) => {
        asked.push(`${rail} ${id}`);
        return says();
      },
      listByReference: async (reference) => {
        asked.push(`list ${reference}`);
        if (byReference === undefined) throw new Error('the fake was not told what listByReference does');
        return byReference;
      },
    },
    log: { info: write, warn: write, alarm: write },
  };
  return { dependencies, asked, refreshed, lines, held: () => current };
};

const stream = (...bodies: readonly string[]) => ({
  Records: bodies.map((body, index) => ({
    dynamodb: {
      SequenceNumber: `${index + 1}`,
      NewImage: {
        pk: { S: `WEBHOOK#hash-${index + 1}` },
        body: { S: body },
        receivedAt: { S: '2026-01-05T09:09:59.000Z' },
      },
    },
  })),
});

const found =
  (differences: Partial<Disbursement> = {}) =>
  (): Lookup => ({
    kind: 'found',
    disbursement: { ...disbursement, ...differences },
  });

const none = { batchItemFailures: [] };

describe('a stored webhook', () => {
  it.each([
    ['by disbursement id', '{"disbursementId":"d-1","status":"failed"}'],
    ['by order id', '{"event":"x","data":{"orderId":"d-1"}}'],
    ['by reference', '{"data":[{"reference":"r-1"}]}'],
    ['by both', '{"id":"d-1","reference":"r-1"}'],
  ])('%s makes the provider be asked, and what it says is recorded', async (_name, body) => {
    const { dependencies, asked, refreshed, held } = world(payout(), found());
    expect(await apply(dependencies, stream(body))).toEqual(none);
    expect(asked).toEqual(['fiat d-1']);
    expect(held()).toMatchObject({ status: 'completed', fee: '4' });
    expect(refreshed).toEqual(['b-1/1']);
  });

  it('that claims what the provider does not say changes nothing', async () => {
    const { dependencies, refreshed, held } = world(payout(), found({ status: 'pending' }));
    await apply(dependencies, stream('{"disbursementId":"d-1","status":"completed"}'));
    expect(held().status).toBe('pending');
    expect(refreshed).toEqual([]);
  });

  it.each(['{"disbursementId":"d-2"}', 'not json', '{}', '[]', 'null', '"d-1"'])(
    'that names nobody asks nothing: %s',
    async (body) => {
      const { dependencies, asked } = world(payout(), found());
      expect(await apply(dependencies, stream(body))).toEqual(none);
      expect(asked).toEqual([]);
    },
  );

  it('adds the chunk up again when an earlier try moved the payout and died', async () => {
    const { dependencies, refreshed } = world(payout({ status: 'completed', updatedAt: now }), found());
    await apply(dependencies, stream('{"id":"d-1"}'));
    expect(refreshed).toEqual(['b-1/1']);
  });

  it('raises an alarm when an end has changed, and leaves it', async () => {
    const { dependencies, lines, held } = world(payout({ status: 'completed' }), found({ status: 'failed' }));
    await apply(dependencies, stream('{"id":"d-1"}'));
    expect(lines).toContainEqual(expect.objectContaining({ code: 'PayoutChangedAfterEnd' }));
    expect(held().status).toBe('completed');
  });

  it('about something the provider does not know changes nothing', async () => {
    const { dependencies, lines, held } = world(payout(), () => ({ kind: 'absent' }));
    expect(await apply(dependencies, stream('{"id":"d-1"}'))).toEqual(none);
    expect(held().status).toBe('pending');
    expect(lines).toMatchObject([{ code: 'webhook.nothing_found' }]);
  });
});

describe('a payout whose call is not answered yet', () => {
  const { disbursementId: _, ...unanswered } = payout({ status: 'submitting' });
  const onChain: Payout = { ...unanswered, rail: 'crypto', currency: 'usdt-tron' };
  const transfer: Disbursement = { ...disbursement, rail: 'crypto', currency: 'usdt-tron' };

  it('is adopted by its reference when it is fiat', async () => {
    const { dependencies, asked, held } = world(unanswered, found());
    await apply(dependencies, stream('{"reference":"r-1"}'));
    expect(asked).toEqual(['fiat r-1']);
    expect(held()).toMatchObject({ status: 'completed', disbursementId: 'd-1' });
  });

  it.each([
    ['one', [transfer], 'completed'],
    ['none', [], 'submitting'],
    ['two', [transfer, { ...transfer, disbursementId: 'd-2' }], 'submitting'],
  ] as const)('is %s transfer when it is crypto: only one is adopted', async (_name, transfers, status) => {
    const { dependencies, held } = world(onChain, found(), transfers);
    await apply(dependencies, stream('{"reference":"r-1"}'));
    expect(held().status).toBe(status);
  });
});

describe('a failure', () => {
  const failing = (error: Error) =>
    world(payout(), () => {
      throw error;
    });
  const two = stream('{"id":"d-1","n":1}', '{"id":"d-1","n":2}');

  it.each([
    ['an outage stops asking', () => new ProviderUnavailable('down'), ['1'], 1],
    ['refused credentials are not tried again', () => new ProviderRefused('401'), [], 2],
    ['a bug is reported and the others go on', () => new TypeError('account 0012345678'), ['1', '2'], 2],
  ] as const)('%s', async (_name, error, failures, questions) => {
    const { dependencies, asked, lines } = failing(error());
    expect(await apply(dependencies, two)).toEqual({
      batchItemFailures: failures.map((itemIdentifier) => ({ itemIdentifier })),
    });
    expect(asked).toHaveLength(questions);
    expect(JSON.stringify(lines)).not.toContain('0012345678');
  });

  it('to learn anything is an outage', async () => {
    const { dependencies } = world(payout(), () => ({ kind: 'unknown', cause: 'status_503' }));
    expect(await apply(dependencies, two)).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  });
});

describe('candidates', () => {
  it.each([
    ['an id too long', JSON.stringify({ id: 'x'.repeat(129) }), []],
    ['an id that is no text', '{"id":7,"reference":null,"orderId":{"id":"a"}}', ['a']],
    ['five levels', '{"a":{"a":{"a":{"a":{"id":"deep"}}}}}', ['deep']],
    ['six levels', '{"a":{"a":{"a":{"a":{"a":{"id":"deeper"}}}}}}', []],
    ['the outermost first', '{"data":{"id":"b"},"id":"a"}', ['a', 'b']],
    ['the same once', '{"id":"a","reference":"a"}', ['a']],
  ])('%s', (_name, body, expected) => {
    expect(findCandidates(body)).toEqual(expected);
  });

  it('are never more than ten, whatever the body', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ id: fc.string(), reference: fc.string() }), { maxLength: 40 }), (items) => {
        const candidates = findCandidates(JSON.stringify({ items })) ?? [];
        expect(candidates.length).toBeLessThanOrEqual(10);
        expect(candidates.every((text) => text.length > 0 && text.length <= 128)).toBe(true);
      }),
    );
  });
});
