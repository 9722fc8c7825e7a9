import { describe, expect, it } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from '../../../functions/domain/errors.ts';
import type { Payout, Rail } from '../../../functions/domain/payout/payout.ts';
import type { Disbursement, Lookup } from '../../../functions/ports/provider.ts';
import { applyWebhooks } from '../../../functions/webhooks/apply-webhook.ts';
import { day } from '../../support/durations.ts';
import { idr, usdt } from '../../support/money.ts';
import { exampleBatch } from '../../support/scenes/example-batch.ts';
import { payout } from '../api/fixtures.ts';
import { disbursement, found, now, queued, tried, world } from './apply-scene.ts';

const none = { batchItemFailures: [] };
const tether = usdt('250.1');

describe('a hint', () => {
  it.each([
    ['by disbursement id', '{"disbursementId":"d-1","status":"failed"}', ['fiat d-1, spare']],
    ['by order id', '{"event":"x","data":{"orderId":"d-1"}}', ['fiat d-1, spare']],
    ['by reference', '{"data":[{"reference":"r-1"}]}', []],
    ['by both', '{"id":"d-1","reference":"r-1"}', []],
    ['by a reference that it calls an id', '{"id":"r-1"}', []],
  ])('%s causes a lookup, whose result is recorded', async (_name, body, before) => {
    const { dependencies, asked, refreshed, held } = world(payout(), found());
    expect(await applyWebhooks(dependencies, queued(body))).toEqual(none);
    expect(asked).toEqual([...before, 'fiat d-1']);
    expect(held()).toMatchObject({ status: 'completed', fee: idr('4') });
    expect(refreshed).toEqual(['b-1/1']);
  });

  it('that differs from the provider’s answer changes nothing', async () => {
    const { dependencies, refreshed, held } = world(payout(), found({ status: 'pending' }));
    await applyWebhooks(dependencies, queued('{"disbursementId":"d-1","status":"completed"}'));
    expect(held().status).toBe('pending');
    expect(refreshed).toEqual([]);
  });

  it.each(['not json', '{}', '[]', 'null', '"d-1"'])(
    'without an id or reference makes no request: %s',
    async (body) => {
      const { dependencies, asked } = world(payout(), found());
      expect(await applyWebhooks(dependencies, queued(body))).toEqual(none);
      expect(asked).toEqual([]);
    },
  );

  it('counts the chunk again when an earlier attempt moved the payout and died', async () => {
    const { dependencies, refreshed } = world(payout({ status: 'completed', updatedAt: now }), found());
    await applyWebhooks(dependencies, queued('{"reference":"r-1"}'));
    expect(refreshed).toEqual(['b-1/1']);
  });

  it.each([
    ['ten seconds before it came, by a clock that may be behind', '09:09:49.000', ['b-1/1']],
    ['earlier, when it counts nothing', '09:09:48.999', []],
  ])('counts the chunk again for a payout that changed %s', async (_name, changed, expected) => {
    const updatedAt = `2026-01-05T${changed}Z`;
    const { dependencies, refreshed } = world(payout({ updatedAt }), found({ status: 'pending' }));
    await applyWebhooks(dependencies, tried(1, '{"reference":"r-1"}', '2026-01-05T09:09:59.000Z'));
    expect(refreshed).toEqual(expected);
  });

  it('counts the chunk again when it is covered and an earlier attempt moved the payout and died', async () => {
    const { dependencies, refreshed, time, held } = world(payout({ status: 'on_hold' }), found());
    const out = async () => {
      throw new Error('the table is out');
    };
    await applyWebhooks({ ...dependencies, ledger: { ...dependencies.ledger, refreshChunk: out } }, tried(1));
    expect(held().status).toBe('completed');
    // A later hint causes a lookup that finds nothing new and covers the first.
    time.now += 60_000;
    await applyWebhooks(dependencies, tried(1, '{"reference":"r-1"}', '2026-01-05T09:10:59.000Z'));
    expect(refreshed).toEqual([]);
    expect(await applyWebhooks(dependencies, tried(2))).toEqual(none);
    expect(refreshed).toEqual(['b-1/1']);
  });

  it('records that an end has changed, keeps the end, and counts the contradiction', async () => {
    const { dependencies, held, refreshed } = world(payout({ status: 'completed' }), found({ status: 'failed' }));
    await applyWebhooks(dependencies, queued('{"reference":"r-1"}'));
    expect(held()).toMatchObject({ status: 'completed', contradictions: [{ observed: 'failed' }] });
    expect(refreshed).toEqual(['b-1/1']);
  });

  it.each([
    ['an ended batch', 'partially_completed', found(), ['2026-01-05T10:00:00.000Z']],
    ['an ended batch without a change', 'partially_completed', found({ status: 'on_hold' }), []],
    ['a batch that its workflow follows', 'processing', found(), []],
  ] as const)('makes a new report due only for a change after the batch ended: %s', async (_, status, says, due) => {
    const { dependencies, ledger, time } = world(payout({ status: 'on_hold' }), says);
    ledger.putBatch(exampleBatch('b-1', { status }));
    await applyWebhooks(dependencies, tried(1));
    time.now += day;
    expect((await ledger.listDueReconciliations()).map(({ dueAt }) => dueAt)).toEqual(due);
  });

  it('makes a new report due although an earlier attempt moved the payout, counted it and died', async () => {
    const { dependencies, ledger, held, time } = world(payout({ status: 'on_hold' }), found());
    ledger.putBatch(exampleBatch('b-1', { status: 'failed' }));
    const out = async () => {
      throw new Error('the table is out');
    };
    await applyWebhooks({ ...dependencies, ledger: { ...dependencies.ledger, addReconciliation: out } }, tried(1));
    expect(held().status).toBe('completed');
    time.now += 60_000;
    expect(await applyWebhooks(dependencies, tried(2))).toEqual(none);
    time.now += day;
    expect(await ledger.listDueReconciliations()).toHaveLength(1);
  });

  it('counts the chunk again when the provider no longer shows what an earlier attempt recorded before it died', async () => {
    const ended = payout({ status: 'completed', updatedAt: now });
    const { dependencies, refreshed } = world(ended, () => ({ kind: 'absent' }));
    await applyWebhooks(dependencies, queued('{"reference":"r-1"}'));
    expect(refreshed).toEqual(['b-1/1']);
  });

  it('about something unknown to the provider changes nothing', async () => {
    const { dependencies, lines, held } = world(payout(), () => ({ kind: 'absent' }));
    expect(await applyWebhooks(dependencies, queued('{"reference":"r-1"}'))).toEqual(none);
    expect(held().status).toBe('pending');
    expect(lines).toMatchObject([{ code: 'webhook.nothing_found' }]);
  });
});

describe('a hint with only ids', () => {
  const idsOf = (...ids: readonly string[]) => JSON.stringify(ids.map((id) => ({ id })));
  const absent = (): Lookup => ({ kind: 'absent' });

  it('may concern a payout whose answer never came', async () => {
    const { disbursementId: _, ...unanswered } = payout({ status: 'submitting' });
    const { dependencies, asked, held } = world(unanswered, found());
    await applyWebhooks(dependencies, queued(idsOf('d-1')));
    expect(asked).toEqual(['fiat d-1, spare', 'fiat r-1']);
    expect(held()).toMatchObject({ status: 'completed', disbursementId: 'd-1' });
  });

  it('is looked up on both rails', async () => {
    const says = (rail: Rail) => (rail === 'crypto' ? found({ rail, amount: tether })() : absent());
    const { dependencies, asked, held } = world(payout({ rail: 'crypto', amount: tether }), says, []);
    await applyWebhooks(dependencies, queued(idsOf('d-1')));
    expect(asked).toEqual(['fiat d-1, spare', 'crypto d-1, spare', 'crypto d-1', 'list r-1']);
    expect(held().status).toBe('completed');
  });

  it('is applied when a concurrent hint finds its payout just before it would', async () => {
    const { dependencies, asked, held } = world(payout(), found());
    const { beginLookup } = dependencies.ledger;
    dependencies.ledger.beginLookup = async (named, terms) => {
      const begun = await beginLookup(named, terms);
      if (!('id' in named) || begun.kind !== 'begun') return begun;
      await dependencies.ledger.finishLookup(named, begun.askedAt, 'r-1');
      return { kind: 'covered' };
    };
    expect(await applyWebhooks(dependencies, queued(idsOf('d-1')))).toEqual(none);
    expect([asked, held().status]).toEqual([['fiat d-1'], 'completed']);
  });

  it('stores a found id permanently, so later hints cost only the payout’s lookup', async () => {
    const { dependencies, asked, time } = world(payout(), found({ status: 'pending' }));
    for (const minutes of [0, 1, 2]) {
      time.now = Date.parse(now) + minutes * 60_000;
      expect(await applyWebhooks(dependencies, tried(1, idsOf('d-1'), new Date(time.now).toISOString()))).toEqual(none);
    }
    expect(asked).toEqual(['fiat d-1, spare', 'fiat d-1', 'fiat d-1', 'fiat d-1']);
  });

  it.each<[string, () => Lookup]>([
    ['no such disbursement', absent],
    ['another system’s disbursement', found({ disbursementId: 'd-9', reference: 'r-9' })],
    [
      'a disbursement without a reference',
      () => {
        const { reference: _, ...without } = disbursement;
        return { kind: 'found', disbursement: without };
      },
    ],
    ['a refusal of ids of that form', () => ({ kind: 'unknown', cause: 'status_400' })],
  ])('is dropped when the provider shows %s, and the next one waits for the window', async (_name, says) => {
    const { dependencies, asked, lines, held, hidden } = world(payout(), says);
    expect(await applyWebhooks(dependencies, queued(idsOf('d-9')))).toEqual(none);
    expect(lines.at(-1)).toMatchObject({ code: 'webhook.names_no_payout' });
    expect(asked).toEqual(['fiat d-9, spare', 'crypto d-9, spare']);
    expect(await applyWebhooks(dependencies, tried(1, idsOf('d-9'), now))).not.toEqual(none);
    expect(asked).toHaveLength(2);
    expect(hidden).toHaveLength(1);
    expect(held().status).toBe('pending');
  });

  it('belongs to the rail where the payment is ours', async () => {
    const says = (rail: Rail): Lookup => found(rail === 'fiat' ? { reference: 'r-9' } : { rail, amount: tether })();
    const { dependencies, held } = world(payout({ rail: 'crypto', amount: tether }), says, []);
    await applyWebhooks(dependencies, queued(idsOf('d-1')));
    expect(held().status).toBe('completed');
  });

  it.each([
    ['fiat', 'crypto'],
    ['crypto', 'fiat'],
  ] as const)('belongs to an account’s only rail when %s is refused', async (refused, has) => {
    const says = (rail: Rail): Lookup => {
      if (rail === refused) throw new ProviderRefused('403');
      return found({ rail, amount })();
    };
    const amount = has === 'crypto' ? tether : idr('250.1');
    const { dependencies, aside, held } = world(payout({ rail: has, amount }), says, []);
    expect(await applyWebhooks(dependencies, queued(idsOf('d-1')))).toEqual(none);
    expect(aside).toEqual([]);
    expect(held().status).toBe('completed');
  });

  it.each(['timeout', 'status_503', 'rate_limit', 'status_404'])(
    'is dropped when the provider does not answer, with a log line: %s',
    async (cause) => {
      const { dependencies, lines, aside } = world(payout(), () => ({ kind: 'unknown', cause }));
      expect(await applyWebhooks(dependencies, queued(idsOf('d-1')))).toEqual(none);
      expect(lines).toContainEqual(expect.objectContaining({ code: 'webhook.id_not_answered', cause }));
      expect(aside).toEqual([]);
    },
  );

  it('with several does not make one wait for another', async () => {
    const says = (_rail: Rail, id: string): Lookup =>
      id === 'e-1' ? { kind: 'unknown', cause: 'status_500' } : found()();
    const { dependencies, held } = world(payout(), says);
    expect(await applyWebhooks(dependencies, queued(idsOf('e-1', 'd-1')))).toEqual(none);
    expect(held().status).toBe('completed');
  });
});

describe('a payout with an unanswered call', () => {
  const { disbursementId: _, ...unanswered } = payout({ status: 'submitting' });
  const onChain: Payout = { ...unanswered, rail: 'crypto', amount: tether };
  const transfer: Disbursement = { ...disbursement, rail: 'crypto', amount: tether };

  it('is adopted by its reference when it is fiat', async () => {
    const { dependencies, asked, held } = world(unanswered, found());
    await applyWebhooks(dependencies, queued('{"reference":"r-1"}'));
    expect(asked).toEqual(['fiat r-1']);
    expect(held()).toMatchObject({ status: 'completed', disbursementId: 'd-1' });
  });

  it.each([
    ['one', [transfer], 'completed'],
    ['none, in a search that lags behind the lookup,', [], 'completed'],
    ['two', [transfer, { ...transfer, disbursementId: 'd-2' }], 'quarantined'],
  ] as const)('has %s on a chain: one is adopted, two are left to a person', async (_name, transfers, status) => {
    const { dependencies, held } = world(onChain, found({ rail: 'crypto', amount: tether }), transfers);
    await applyWebhooks(dependencies, queued('{"reference":"r-1"}'));
    expect(held().status).toBe(status);
  });
});

describe('a payout that should have no disbursement', () => {
  const { disbursementId: _, ...without } = payout({ rail: 'crypto', amount: tether });
  const transfer: Disbursement = { ...disbursement, rail: 'crypto', amount: tether };
  const two = [transfer, { ...transfer, disbursementId: 'd-2' }];

  it.each([
    ['ready', 'one', [transfer], 'quarantined'],
    ['ready', 'two', two, 'quarantined'],
    ['rejected', 'one', [transfer], 'rejected'],
    ['rejected', 'two', two, 'rejected'],
  ] as const)('is %s and has %s: it is not posted, and not forgotten', async (status, _count, transfers, expected) => {
    const { dependencies, held } = world({ ...without, status }, found(), transfers);
    await applyWebhooks(dependencies, queued('{"reference":"r-1"}'));
    expect(held().status).toBe(expected);
    expect(held().contradictions?.map(({ code }) => code)).toEqual(status === 'ready' ? undefined : ['made_after_all']);
  });
});

describe('a failure', () => {
  const failing = (error: Error) =>
    world(payout(), () => {
      throw error;
    });

  it('of the provider repeats the hint, later each time, until the queue moves it to the dead-letter queue', async () => {
    const { dependencies, hidden, lines } = failing(new ProviderUnavailable('down'));
    for (const attempt of [1, 2, 3, 4]) {
      const again = { ...dependencies, lookupWindowSeconds: 0 };
      expect(await applyWebhooks(again, tried(attempt))).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    }
    expect(hidden.map(([, seconds]) => seconds)).toEqual([30, 60, 120, 0]);
    expect(lines).toContainEqual(expect.objectContaining({ error: 'ProviderUnavailable' }));
  });

  it('by refused credentials moves the hint to the dead-letter queue immediately', async () => {
    const { dependencies, aside, asked } = failing(new ProviderRefused('401'));
    const event = tried(1);
    expect(await applyWebhooks(dependencies, event)).toEqual(none);
    expect(aside).toEqual([event.Records[0]?.body]);
    expect(asked).toHaveLength(1);
  });

  it('by a bug is repeated too, and its message is not logged', async () => {
    const { dependencies, lines, hidden } = failing(new TypeError('account 0012345678'));
    expect(await applyWebhooks(dependencies, tried(1))).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect(hidden).toEqual([['handle-1', 30]]);
    expect(JSON.stringify(lines)).not.toContain('0012345678');
  });

  it('of every lookup is an outage', async () => {
    const { dependencies } = world(payout(), () => ({ kind: 'unknown', cause: 'status_503' }));
    expect(await applyWebhooks(dependencies, tried(1))).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  });

  it.each([
    ['no answer', () => ({ kind: 'unknown', cause: 'status_500' }) as const, [{ itemIdentifier: '1' }]],
    [
      'a refusal',
      () => {
        throw new ProviderRefused('403');
      },
      [],
    ],
  ])('about one payout, %s, does not hold up the others of its hint', async (_name, answer, repeated) => {
    const says = (_rail: Rail, id: string): Lookup => (id === 'd-0' ? answer() : found()());
    const { dependencies, add, held } = world(payout({ reference: 'r-0', row: 2, disbursementId: 'd-0' }), says);
    add(payout());
    const hint = queued('[{"reference":"r-0"},{"reference":"r-1"}]');
    expect(await applyWebhooks(dependencies, hint)).toEqual({ batchItemFailures: repeated });
    expect(held('r-1').status).toBe('completed');
  });

  it('by which one payout is refused and another unanswered repeats the hint', async () => {
    const says = (_rail: Rail, id: string): Lookup => {
      if (id === 'd-0') throw new ProviderRefused('403');
      return { kind: 'unknown', cause: 'status_500' };
    };
    const { dependencies, add, aside } = world(payout({ reference: 'r-0', row: 2, disbursementId: 'd-0' }), says);
    add(payout());
    const hint = queued('[{"reference":"r-0"},{"reference":"r-1"}]');
    expect(await applyWebhooks(dependencies, hint)).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect(aside).toEqual([]);
  });

  it('leaves the hint uncovered, so it is looked up again after the window', async () => {
    let down = true;
    const { dependencies, asked, held, time } = world(payout(), () => {
      if (down) throw new ProviderUnavailable('down');
      return found()();
    });
    await applyWebhooks(dependencies, tried(1));
    down = false;
    time.now += 30_000;
    expect(await applyWebhooks(dependencies, tried(2))).toEqual(none);
    expect(asked).toHaveLength(2);
    expect(held().status).toBe('completed');
  });

  it.each(['', 'null', '{"webhook":"x"}'])('to parse a hint moves it to the dead-letter queue: %j', async (body) => {
    const { dependencies, aside } = world(payout(), found());
    const event = { Records: tried(1).Records.map((one) => ({ ...one, body })) };
    expect(await applyWebhooks(dependencies, event)).toEqual(none);
    expect(aside).toEqual([body]);
  });
});

describe('many hints about one payout', () => {
  const hintAt = (at: number, attempt: number) => ({
    Records: tried(attempt).Records.map((one) => ({
      ...one,
      body: JSON.stringify({ webhook: 'hash', receivedAt: new Date(at).toISOString(), candidates: ['r-1'] }),
    })),
  });

  it('make one lookup in 30 seconds, and one after the window for all that came within it', async () => {
    const { dependencies, asked, hidden, held, time } = world(payout(), () =>
      found({ status: asked.length === 1 ? 'pending' : 'completed' })(),
    );
    const start = time.now;
    for (let n = 0; n < 100; n += 1) {
      time.now = start + n * 100;
      await applyWebhooks(dependencies, hintAt(time.now, 1));
    }
    expect(asked).toHaveLength(1);
    expect(held().status).toBe('pending');
    expect(hidden).toHaveLength(99);
    expect(hidden[98]).toEqual(['handle-1', 21]);
    time.now = start + 31_000;
    for (let n = 1; n < 100; n += 1)
      expect(await applyWebhooks(dependencies, hintAt(start + n * 100, 2))).toEqual(none);
    expect(asked).toHaveLength(2);
    expect(held().status).toBe('completed');
  });

  it('wait a few seconds for a lookup that began after they came, and not for another window', async () => {
    const { dependencies, asked, hidden, time } = world(payout(), found());
    const start = time.now;
    await applyWebhooks(dependencies, hintAt(start - 1000, 1));
    time.now = start + 30_000;
    const late: number[] = [];
    // During the second lookup, the other hints of the window become visible as well.
    const { provider } = dependencies;
    const slow = {
      ...dependencies,
      provider: {
        ...provider,
        lookUp: async (...what: Parameters<typeof provider.lookUp>) => {
          time.now += 1000;
          await applyWebhooks(dependencies, hintAt(start + 2000, 2));
          late.push(...hidden.map(([, seconds]) => seconds));
          return provider.lookUp(...what);
        },
      },
    };
    expect(await applyWebhooks(slow, hintAt(start + 1000, 2))).toEqual(none);
    expect(late).toEqual([5]);
    time.now += 5000;
    expect(await applyWebhooks(dependencies, hintAt(start + 2000, 3))).toEqual(none);
    expect(asked).toHaveLength(2);
  });

  it('wait as after a failure for a lookup that seems to have died', async () => {
    const { dependencies, hidden, time } = world(payout(), () => {
      throw new ProviderUnavailable('down');
    });
    const start = time.now;
    await applyWebhooks(dependencies, hintAt(start - 1000, 1));
    for (const age of [0, 9999, 10_000]) {
      time.now = start + age;
      await applyWebhooks(dependencies, hintAt(start - 2000, 2));
    }
    expect(hidden.slice(1).map(([, seconds]) => seconds)).toEqual([5, 5, 30]);
  });
});
