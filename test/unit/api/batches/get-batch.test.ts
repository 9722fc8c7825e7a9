import { describe, expect, it } from 'vitest';
import { getBatch } from '../../../../functions/api/batches/get-batch.ts';
import type { BatchView } from '../../../../functions/api/schemas/batch.ts';
import { batchView } from '../../../../functions/api/schemas/batch.ts';
import type { Batch, Conversion, TimelineLine } from '../../../../functions/domain/batch/batch.ts';
import { consoleCaller } from '../../../../functions/domain/batch/caller.ts';
import type { ChunkRecord } from '../../../../functions/domain/batch/chunk.ts';
import { sumProgress } from '../../../../functions/domain/batch/progress.ts';
import { conversionOfText } from '../../../../functions/domain/money/money-records.ts';
import { tally, usdt } from '../../../support/money.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';
import { fakeWorkflow } from '../../../support/scenes/fake-workflow.ts';
import { batch, fakeLedger, plan } from '../fixtures.ts';

const chunk = (differences: Partial<ChunkRecord>): ChunkRecord => exampleChunk('b-1', differences);

const chunks: readonly ChunkRecord[] = [
  chunk({
    tallies: {
      completed: tally(2, '500.30', '8.1'),
      on_hold: tally(1, '400', '0'),
    },
    proofs: 1,
  }),
];

const conversion: Conversion = conversionOfText({
  batchId: 'b-1',
  n: 1,
  status: 'completed',
  planned: {
    inputCurrency: 'usdt-tron',
    inputAmount: '10.5',
    outputCurrency: 'IDR',
    outputAmount: '160000',
    fee: '0.1',
    rate: '15384.6',
  },
  quoteId: 'q-1',
  inputBalanceBefore: '100',
  outputBalanceBefore: '0',
  claimId: 'claim-1',
  claimedAt: '2026-01-05T09:00:30.000Z',
  convertId: 'c-1',
  inputAmount: '10.5',
  outputAmount: '160000',
  fee: '0.1',
  endedAt: '2026-01-05T09:00:31.000Z',
});

const now = Date.parse('2026-01-06T09:00:00.000Z');

/** The view of a batch, and the requests to the ledger for it. */
const look = async (
  held: Batch,
  records: readonly ChunkRecord[] = [],
  more: Partial<Record<'event' | 'contradiction', readonly TimelineLine[]>> = {},
  query: { readonly cursor?: string } = {},
  correction?: Batch,
  sameFile: readonly string[] = [],
) => {
  const asked: unknown[] = [];
  const ledger = fakeLedger({
    getBatch: async (batchId) => (batchId === correction?.batchId ? correction : held),
    findByFile: async () => [...sameFile],
    readProgress: async (_batchId, wanted) => {
      asked.push(wanted);
      return sumProgress(records, now);
    },
    listConversions: async () => [conversion],
    listTimeline: async (_batchId, wanted) => {
      asked.push(wanted);
      if (wanted.kind === 'contradiction') return { items: more.contradiction ?? [] };
      const accepted = { at: held.createdAt, code: 'batch.accepted', by: held.createdBy };
      return { items: [accepted, ...(more.event ?? [])], ...(wanted.cursor === undefined ? { cursor: 'older' } : {}) };
    },
  });
  const outcome = await getBatch(
    {
      ledger,
      workflow: fakeWorkflow(),
      settings: { readyTooLongMinutes: 60, feeTolerancePercent: '10' },
      clock: () => now,
    },
    { path: { batchId: 'b-1' }, query },
  );
  if (outcome.kind === 'problem') throw new Error(outcome.code);
  expect(batchView.parse(outcome.body)).toEqual(outcome.body);
  return { view: outcome.body, asked };
};

const read = async (held: Batch, records: readonly ChunkRecord[] = []): Promise<BatchView> =>
  (await look(held, records)).view;

it.each([
  ['processing', []],
  ['canceled', ['file_refused']],
] as const)('a refused file needs a person unless its correction pays it: %s', async (status, codes) => {
  const { manifestKey: _, ...refused } = plan;
  const held = batch({ status: 'validation_failed', plan: refused, correctedBy: new Set(['b-2']) });
  const correction = batch({ batchId: 'b-2', status, plan: { ...plan, validRows: plan.rows } });
  const { view } = await look(held, [], {}, {}, correction);
  expect(view.attention.map(({ code }) => code)).toEqual(codes);
});

it.each([
  ['pays it', 'b-2', 'processing', []],
  ['was refused too', 'b-2', 'validation_failed', ['file_refused']],
  ['came before', 'b-0', 'processing', ['file_refused']],
] as const)(
  'a refused file needs a person unless a later start of the same version pays it: one that %s',
  async (_, batchId, status, codes) => {
    const { manifestKey: _key, ...refused } = plan;
    const held = batch({ status: 'validation_failed', plan: refused });
    const other = batch({ batchId, status, plan: { ...plan, validRows: plan.rows } });
    const { view } = await look(held, [], {}, {}, other, [batchId]);
    expect(view.attention.map(({ code }) => code)).toEqual(codes);
  },
);

describe('a batch that paid nobody', () => {
  const failed = [chunk({ tallies: { failed: tally(3, '900', '0') } })];
  const retryOf = (paid: number, changes: Partial<Batch> = {}): Batch =>
    batch({
      batchId: 'b-2',
      status: 'completed',
      plan: { ...plan, retries: [{ batchId: 'b-1', payouts: 3 }] },
      report: { resultsKey: 'r', evidenceKey: 'e', reportedAt: 't', retriesPaid: [{ batchId: 'b-1', payouts: paid }] },
      ...changes,
    });
  const { report: _, ...unreported } = retryOf(0);

  it.each<[string, Batch, object | undefined, boolean]>([
    ['until a retry has paid all', retryOf(3), { status: 'completed', payouts: 3, paid: 3 }, false],
    ['while one is not paid', retryOf(2), { status: 'completed', payouts: 3, paid: 2 }, true],
    [
      'while all are only tried',
      { ...unreported, status: 'processing' },
      { status: 'processing', payouts: 3, paid: 0 },
      true,
    ],
    [
      'when the retry was canceled',
      retryOf(1, { status: 'canceled' }),
      { status: 'canceled', payouts: 3, paid: 1 },
      true,
    ],
    ['when the retry was rejected', { ...unreported, status: 'canceled' }, undefined, true],
  ])('needs a person %s', async (_case, retry, attempt, waits) => {
    const held = batch({ status: 'failed', plan, retriedBy: new Set(['b-2']) });
    const { view } = await look(held, failed, {}, {}, retry);
    expect(view.triedAgain).toEqual(attempt === undefined ? undefined : [{ batchId: 'b-2', ...attempt }]);
    expect(view.attention.some(({ code }) => code === 'batch_failed')).toBe(waits);
  });

  it('shows the newest of many retries', async () => {
    const ids = Array.from({ length: 130 }, (_id, index) => `b-${index + 100}`);
    const held = batch({ status: 'failed', plan, retriedBy: new Set(ids) });
    const { view } = await look(held, failed, {}, {}, retryOf(0, { batchId: 'b-229' }));
    expect(view.triedAgain?.at(-1)?.batchId).toBe('b-229');
  });
});

describe('the status of a batch', () => {
  it('adds up to the file: unregistered rows are ready, and the rest is skipped', async () => {
    const { currencies, counts, skippedRows } = await read(batch({ plan }), chunks);
    expect(currencies).toMatchObject([
      {
        currency: 'IDR',
        planned: { count: 4, amount: '1000.40' },
        statuses: {
          completed: { count: 2, amount: '500.3', fee: '8.1' },
          on_hold: { count: 1, amount: '400', fee: '0' },
          ready: { count: 1, amount: '100.1', fee: '0' },
        },
        feeEstimated: '16',
        feeActual: '8.1',
      },
      { currency: 'usdt-tron', statuses: { ready: { count: 1, amount: '0.000000000000000001' } } },
    ]);
    expect(counts).toEqual({ completed: 2, on_hold: 1, ready: 2 });
    expect(skippedRows).toBe(1);
  });

  it('counts no fee for payouts that the provider refunds or never charged', async () => {
    const [first] = chunks;
    if (first === undefined) throw new Error('no chunk');
    const tallies = {
      completed: tally(1, '250', '4'),
      failed: tally(1, '250', '4.1'),
      canceled: tally(1, '400', '4.2'),
    };
    const { currencies } = await read(batch({ plan }), [{ ...first, tallies }]);
    expect(currencies[0]?.feeActual).toBe('4');
  });

  it('takes the estimate of the fees over the fees of the plan', async () => {
    const fees = [{ rail: 'crypto', fee: usdt('1.25'), source: 'crypto_estimate' }] as const;
    const { currencies } = await read(batch({ plan, fees }));
    expect(currencies.map(({ feeEstimated }) => feeEstimated)).toEqual(['16', '1.25']);
  });

  it.each([
    ['canceled', {}, { canceled: 5 }],
    ['validation_failed', {}, {}],
    ['previewed', { mode: 'preview' }, {}],
  ] as const)('does not show payouts as ready that a batch which is %s never pays', async (status, more, counts) => {
    expect((await read(batch({ status, plan, ...more }))).counts).toEqual(counts);
  });

  it('offers no request for proofs while none is archived', async () => {
    const { proofs } = await read(
      batch({ plan }),
      chunks.map((chunk) => ({ ...chunk, proofs: 0 })),
    );
    expect(proofs).toEqual({ archived: 0, expected: 2 });
  });

  it.each([
    ['all go to wallets', 'crypto', {}, 'The provider gives proofs of bank transfers only.'],
    ['the provider gives none', 'fiat', { hasNoProofs: true }, 'The provider gives no transfer proofs.'],
    ['some go to banks', 'fiat', {}, undefined],
  ] as const)('explains why there are no proofs: %s', async (_, rail, lacking, note) => {
    const currencies = plan.currencies.map((one, index) =>
      index === 0 ? { ...one, rail } : { ...one, rail: 'crypto' as const },
    );
    const { proofs } = await read(batch({ plan: { ...plan, ...lacking, currencies } }));
    expect(proofs.note).toBe(note);
  });

  it('shows conversions, proofs, files, timeline and the address to watch', async () => {
    const report = { resultsKey: 'r', evidenceKey: 'e', reportedAt: '2026-01-05T10:00:00.000Z' };
    const view = await read(batch({ plan, report, executions: 2, status: 'partially_completed' }), chunks);
    expect(view).toMatchObject({
      conversions: [{ n: 1, status: 'completed', plannedInputAmount: '10.5', convertId: 'c-1' }],
      proofs: { archived: 1, expected: 2, request: 'POST /batches/b-1/proofs' },
      files: ['errors.csv', 'results.csv', 'evidence.json'],
      timeline: [{ code: 'batch.accepted' }],
      executions: [
        { name: 'b-1', consoleUrl: 'https://console.test/b-1' },
        { name: 'b-1-2', consoleUrl: 'https://console.test/b-1-2' },
      ],
      actions: ['resume'],
    });
    expect(view).not.toHaveProperty('conversions.0.claimId');
  });

  it('shows the newest timeline entries and contradictions, and how to read older ones', async () => {
    const contradicted = { at: '2026-01-06T08:00:00.000Z', code: 'payout.contradicted', by: 'system' };
    const settled = { at: '2026-01-06T08:30:00.000Z', code: 'payout.settled', by: 'arn:person' };
    const { view, asked } = await look(batch({ plan }), [], { event: [settled], contradiction: [contradicted] });
    expect(view.timeline.map(({ code }) => code)).toEqual(['batch.accepted', 'payout.contradicted', 'payout.settled']);
    expect(view.cursor).toBe('older');
    expect(asked).toMatchObject([{ limit: 25 }, { limit: 10, kind: 'contradiction' }, {}]);
    const before = await look(batch({ plan }), [], { contradiction: [contradicted] }, { cursor: 'older' });
    expect(before.asked[0]).toEqual({ limit: 25, cursor: 'older' });
    expect(before.view).not.toHaveProperty('cursor');
    // The newest contradictions would stand beside older entries on each page.
    expect(before.view.timeline.map(({ code }) => code)).toEqual(['batch.accepted']);
  });

  it.each([
    ['it came to its status', {}, [], '2026-01-05T09:01:00.000Z'],
    [
      'somebody did something',
      {},
      [{ at: '2026-01-06T08:30:00.000Z', code: 'c', by: 'arn' }],
      '2026-01-06T08:30:00.000Z',
    ],
    [
      'its reports were written',
      { report: { resultsKey: 'r', evidenceKey: 'e', reportedAt: '2026-01-06T08:45:00.000Z' } },
      [{ at: '2026-01-06T08:30:00.000Z', code: 'c', by: 'arn' }],
      '2026-01-06T08:45:00.000Z',
    ],
    [
      'the provider contradicted a payout',
      {},
      [{ at: '2026-01-06T08:30:00.000Z', code: 'c', by: 'arn' }],
      '2026-01-06T08:50:00.000Z',
      [{ at: '2026-01-06T08:50:00.000Z', code: 'payout.contradicted', by: 'system' }],
    ],
  ] as const)(
    'requests counts at most five seconds old, and newer than %s',
    async (_name, changes, event, changedAt, contradiction: readonly TimelineLine[] = []) => {
      const { view, asked } = await look(batch({ plan, ...changes }), [], { event, contradiction });
      expect(asked.at(-1)).toEqual({ atMostMs: 5000, changedAt });
      expect(view.countsAsOf).toBe('2026-01-06T09:00:00.000Z');
    },
  );

  it.each([
    ['accepted', {}, ['cancel']],
    ['processing', {}, ['pause', 'cancel']],
    ['awaiting_funds', {}, ['pause', 'cancel']],
    ['pending_approval', {}, ['pause', 'approve', 'reject', 'cancel']],
    ['pending_approval', { createdBy: consoleCaller }, ['pause', 'approve', 'reject', 'cancel']],
    ['pending_approval', { createdBy: 'arn:aws:sts::123456789012:federated-user/anybody' }, ['pause', 'cancel']],
    ['paused', {}, ['resume', 'cancel']],
    ['processing', { cancelRequestedAt: '2026-01-05T09:05:00.000Z' }, []],
    ['processing', { executionEnded: true }, ['pause', 'resume', 'cancel']],
    ['paused', { cancelRequestedAt: '2026-01-05T09:05:00.000Z', executionEnded: true }, ['cancel']],
    ['paused', { plan: { ...plan, payableUntil: '2026-01-05T08:59:59.999Z' } }, ['cancel']],
    ['canceled', { report: { resultsKey: 'r', evidenceKey: 'e', reportedAt: 't' } }, ['resume']],
    ['completed', {}, ['resume']],
    ['canceled', {}, []],
    ['validation_failed', {}, []],
  ] as const)('lists an operator’s next actions when %s %o', async (status, more, actions) => {
    expect((await read(batch({ status, plan, ...more }), chunks)).actions).toEqual(actions);
  });

  it('of an unknown batch is a problem', async () => {
    const ledger = fakeLedger({ getBatch: async () => undefined });
    expect(
      await getBatch(
        {
          ledger,
          workflow: fakeWorkflow(),
          settings: { readyTooLongMinutes: 60, feeTolerancePercent: '10' },
          clock: () => now,
        },
        { path: { batchId: 'b-0' }, query: {} },
      ),
    ).toMatchObject({
      kind: 'problem',
      code: 'batch_not_found',
    });
  });
});
