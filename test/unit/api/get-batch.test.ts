import { describe, expect, it } from 'vitest';
import { getBatch } from '../../../functions/api/get-batch.ts';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import { batchView } from '../../../functions/api/schemas/batch.ts';
import type { Batch, BatchEvent, Conversion } from '../../../functions/domain/batch.ts';
import type { ChunkRecord } from '../../../functions/domain/chunk.ts';
import { exampleChunk } from '../../support/example-batch.ts';
import { batch, fakeLedger, fakeWorkflow, plan } from './fixtures.ts';

const chunk = (differences: Partial<ChunkRecord>): ChunkRecord => exampleChunk('b-1', differences);

const chunks: readonly ChunkRecord[] = [
  chunk({
    tallies: {
      completed: { count: 2, amount: '500.30', fee: '8.1' },
      on_hold: { count: 1, amount: '400', fee: '0' },
    },
    proofs: 1,
  }),
];

const conversion: Conversion = {
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
};

const read = async (
  held: Batch,
  records: readonly ChunkRecord[] = [],
  more: readonly BatchEvent[] = [],
): Promise<BatchView> => {
  const ledger = fakeLedger({
    getBatch: async () => held,
    listChunks: async () => records,
    listConversions: async () => [conversion],
    listEvents: async () => [{ at: held.createdAt, code: 'batch.accepted', by: held.createdBy }, ...more],
  });
  const outcome = await getBatch({ ledger, workflow: fakeWorkflow(), clock: () => 0 }, { path: { batchId: 'b-1' } });
  if (outcome.kind === 'problem') throw new Error(outcome.code);
  expect(batchView.parse(outcome.body)).toEqual(outcome.body);
  return outcome.body;
};

describe('the status of a batch', () => {
  it('adds up to the plan: what no chunk has registered is ready', async () => {
    const { currencies, counts } = await read(batch({ plan }), chunks);
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
  });

  it('counts no fee for payouts that the provider refunds or never charged', async () => {
    const [first] = chunks;
    if (first === undefined) throw new Error('no chunk');
    const tallies = {
      completed: { count: 1, amount: '250', fee: '4' },
      failed: { count: 1, amount: '250', fee: '4.1' },
      canceled: { count: 1, amount: '400', fee: '4.2' },
    };
    const { currencies } = await read(batch({ plan }), [{ ...first, tallies }]);
    expect(currencies[0]?.feeActual).toBe('4');
  });

  it('takes the estimate of the fees over the fees of the plan', async () => {
    const fees = [{ rail: 'crypto', currency: 'usdt-tron', fee: '1.25', source: 'crypto_estimate' }] as const;
    const { currencies } = await read(batch({ plan, fees }));
    expect(currencies.map(({ feeEstimated }) => feeEstimated)).toEqual(['16', '1.25']);
  });

  it.each([
    ['canceled', {}, { canceled: 5 }],
    ['validation_failed', {}, {}],
    ['previewed', { mode: 'preview' }, {}],
  ] as const)('does not call payouts ready that a batch which is %s never pays', async (status, more, counts) => {
    expect((await read(batch({ status, plan, ...more }))).counts).toEqual(counts);
  });

  it('tells conversions, proofs, files, timeline and where to watch', async () => {
    const report = { resultsKey: 'r', evidenceKey: 'e', reportedAt: '2026-01-05T10:00:00.000Z' };
    const view = await read(batch({ plan, report, executions: 2, status: 'partially_completed' }), chunks);
    expect(view).toMatchObject({
      conversions: [{ n: 1, status: 'completed', plannedInputAmount: '10.5', convertId: 'c-1' }],
      proofs: { archived: 1, expected: 2 },
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

  it('tells the last of what the provider showed, and all that people did, of a timeline too long for an answer', async () => {
    const contradicted = Array.from({ length: 1000 }, (_, index) => ({
      at: '2026-01-06T09:00:00.000Z',
      code: 'payout.contradicted',
      by: 'system',
      detail: `${index}`,
    }));
    const settled = { at: '2026-01-07T09:00:00.000Z', code: 'payout.settled', by: 'arn:person' };
    const { timeline } = await read(batch({ plan }), [], [...contradicted, settled]);
    expect(timeline).toHaveLength(202);
    expect(timeline.at(1)?.detail).toBe('800');
    expect(timeline.at(-1)).toEqual(settled);
  });

  it.each([
    ['accepted', {}, ['cancel']],
    ['processing', {}, ['pause', 'cancel']],
    ['awaiting_funds', {}, ['pause', 'cancel']],
    ['paused', {}, ['resume', 'cancel']],
    ['processing', { cancelRequestedAt: '2026-01-05T09:05:00.000Z' }, []],
    ['processing', { executionEnded: true }, ['pause', 'resume', 'cancel']],
    ['paused', { cancelRequestedAt: '2026-01-05T09:05:00.000Z', executionEnded: true }, ['cancel']],
    ['canceled', { report: { resultsKey: 'r', evidenceKey: 'e', reportedAt: 't' } }, ['resume']],
    ['completed', {}, ['resume']],
    ['canceled', {}, []],
    ['validation_failed', {}, []],
  ] as const)('says what an operator can do next when %s %o', async (status, more, actions) => {
    expect((await read(batch({ status, plan, ...more }), chunks)).actions).toEqual(actions);
  });

  it('of an unknown batch is a problem', async () => {
    const ledger = fakeLedger({ getBatch: async () => undefined });
    expect(
      await getBatch({ ledger, workflow: fakeWorkflow(), clock: () => 0 }, { path: { batchId: 'b-0' } }),
    ).toMatchObject({
      kind: 'problem',
      code: 'batch_not_found',
    });
  });
});
