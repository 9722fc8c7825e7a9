import { describe, expect, it } from 'vitest';
import { getFileLink } from '../../../functions/api/batches/get-file-link.ts';
import { listBatches } from '../../../functions/api/batches/list-batches.ts';
import { getPayout } from '../../../functions/api/payouts/get-payout.ts';
import { listPayouts } from '../../../functions/api/payouts/list-payouts.ts';
import { batchPage } from '../../../functions/api/schemas/batch.ts';
import { fileLink } from '../../../functions/api/schemas/file-links.ts';
import { payoutPage, payoutView } from '../../../functions/api/schemas/payout.ts';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import type { ChunkRecord } from '../../../functions/domain/batch/chunk.ts';
import { sumProgress } from '../../../functions/domain/batch/progress.ts';
import type { ReportName } from '../../../functions/ports/files.ts';
import { retryNames } from '../../../functions/ports/files.ts';
import { idr } from '../../support/money.ts';
import { exampleChunk } from '../../support/scenes/example-batch.ts';
import { fakeWorkflow } from '../../support/scenes/fake-workflow.ts';
import { batch, fakeFiles, fakeLedger, payout, plan } from './fixtures.ts';

const clock = () => Date.parse('2026-01-05T23:59:59.000Z');

describe('the list of batches', () => {
  it.each([
    [{ limit: 50 }, { day: '2026-01-05', limit: 50 }],
    [
      { limit: 2, day: '2025-12-31', status: 'paused', cursor: 'c-1' },
      { limit: 2, day: '2025-12-31', status: 'paused', cursor: 'c-1' },
    ],
  ] as const)('passes the query to the ledger: %o', async (query, expected) => {
    const queries: unknown[] = [];
    const ledger = fakeLedger({
      listBatches: async (asked) => {
        queries.push(asked);
        return { items: [batch(), batch({ batchId: 'b-2' })], cursor: 'c-2' };
      },
    });
    const outcome = await listBatches({ ledger, workflow: fakeWorkflow(), clock }, { query });
    expect(outcome).toMatchObject({
      status: 200,
      body: { batches: [{ batchId: 'b-1' }, { batchId: 'b-2' }], cursor: 'c-2' },
    });
    expect(outcome.kind === 'answer' && batchPage.parse(outcome.body)).toBeTruthy();
    expect(queries).toEqual([expected]);
  });
});

describe('the payouts of a batch', () => {
  const request = { path: { batchId: 'b-1' }, query: { limit: 10, status: 'failed' as const, cursor: 'c-1' } };

  it('are filtered by status and cursor', async () => {
    const queries: unknown[] = [];
    const ledger = fakeLedger({
      getBatch: async () => batch({ plan }),
      listPayouts: async (query) => {
        queries.push(query);
        return { items: [payout()] };
      },
    });
    const outcome = await listPayouts({ ledger }, request);
    expect(outcome.kind === 'answer' && payoutPage.parse(outcome.body)).toMatchObject({
      payouts: [{ reference: 'r-1' }],
    });
    expect(queries).toEqual([{ batchId: 'b-1', limit: 10, status: 'failed', cursor: 'c-1' }]);
  });

  it('are filtered to contradicted ones', async () => {
    const queries: unknown[] = [];
    const ledger = fakeLedger({
      getBatch: async () => batch({ plan }),
      listPayouts: async (query) => {
        queries.push(query);
        return { items: [] };
      },
    });
    await listPayouts({ ledger }, { path: { batchId: 'b-1' }, query: { limit: 10, contradicted: 'true' } });
    expect(queries).toEqual([{ batchId: 'b-1', limit: 10, contradicted: true }]);
  });

  it('of an unknown batch are a problem', async () => {
    const ledger = fakeLedger({ getBatch: async () => undefined });
    expect(await listPayouts({ ledger }, request)).toMatchObject({ code: 'batch_not_found' });
  });
});

describe('a payout', () => {
  const held = payout({
    status: 'failed',
    reference: 'June 5% a/b',
    fee: idr('4'),
    reason: { code: 'provider_failed', message: 'It failed.', providerText: 'Account closed' },
    destination: { bankCode: 'bca', account: '***5678' },
    proof: { key: 'k', sha256: 's', bytes: 3 },
    heldBy: 'b-0',
  });
  const ledger = fakeLedger({
    getPayoutByReference: async (reference) => (reference === held.reference ? held : undefined),
    findReferences: async () => new Map(),
  });

  it.each([
    ['as it is', 'June 5% a/b'],
    ['encoded', 'June%205%25%20a%2Fb'],
  ])('is found by its reference %s, and its view has no hash of the recipient', async (_name, reference) => {
    const outcome = await getPayout({ ledger }, { path: { reference } });
    expect(outcome.kind === 'answer' && payoutView.parse(outcome.body)).toMatchObject({
      reference: 'June 5% a/b',
      bankCode: 'bca',
      account: '***5678',
      reason: { providerText: 'Account closed' },
      fee: '4',
    });
    expect(JSON.stringify(outcome)).not.toContain(held.destinationHash);
  });

  it.each(['unknown', '%', '%zz'])('that does not exist is a problem: %s', async (reference) => {
    expect(await getPayout({ ledger }, { path: { reference } })).toMatchObject({ code: 'payout_not_found' });
  });
});

describe('a link to a file', () => {
  const files = fakeFiles({ linkTo: async (key, seconds) => `https://files.test/${key}?for=${seconds}` });
  const linkOf = (
    held: Batch | undefined,
    name: ReportName,
    chunks: readonly ChunkRecord[] = [],
    linked: ReturnType<typeof fakeFiles> = files,
  ) =>
    getFileLink(
      {
        ledger: fakeLedger({ getBatch: async () => held, readProgress: async () => sumProgress(chunks, clock()) }),
        files: linked,
        settings: { fileLinkSeconds: 300 },
        clock,
      },
      { path: { batchId: 'b-1', name } },
    );
  const reported = batch({
    plan,
    report: {
      resultsKey: 'r',
      retryKey: 't/retry.csv',
      evidenceKey: 'e',
      statusReportKey: 's',
      reportedAt: '2026-01-05T10:00:00.000Z',
    },
  });

  it.each([
    ['errors.csv', plan.errorsFile?.key],
    ['results.csv', 'r'],
    ['retry.csv', 't/retry.csv'],
    ['evidence.json', 'e'],
    ['pain-002.xml', 's'],
  ] as const)('%s has address and expiry', async (name, key) => {
    const outcome = await linkOf(reported, name);
    expect(outcome).toMatchObject({
      status: 200,
      body: { url: `https://files.test/${key}?for=300`, expiresAt: '2026-01-06T00:04:59.000Z' },
    });
    expect(outcome.kind === 'answer' && fileLink.parse(outcome.body)).toBeTruthy();
  });

  it.each([
    ['errors.csv', 'errors-b-1.csv'],
    ['to-correct.csv', 'to-correct-b-1.csv'],
    ['results.csv', 'results-b-1.interim-2-open.csv'],
    ['retry.xlsx', 'retry-b-1.interim-2-open.xlsx'],
  ] as const)('to %s has it saved as %s', async (name, saved) => {
    const held = batch({
      plan: { ...plan, toCorrectKey: 'batches/b-1/plan-1/to-correct.csv' },
      report: {
        resultsKey: 'r',
        retryKey: 'r/retry.xlsx',
        evidenceKey: 'e',
        reportedAt: 't',
        interim: { openRows: 2 },
      },
    });
    const named = fakeFiles({ linkTo: async (_key, _seconds, downloadName) => `https://files.test/${downloadName}` });
    expect(await linkOf(held, name, [], named)).toMatchObject({ body: { url: `https://files.test/${saved}` } });
  });

  it.each(['results.csv', ...retryNames, 'evidence.json', 'pain-002.xml', 'errors.csv'] as const)(
    '%s is not there yet',
    async (name) => {
      expect(await linkOf(batch(), name)).toMatchObject({ code: 'file_not_ready' });
    },
  );

  it.each([
    ['since', 3, { recorded: 1, payouts: 1 }, 'file_not_ready'],
    ['since, and noted', 3, { recorded: 1, payouts: 0 }, 'file_not_ready'],
    ['before', 4, { recorded: 1, payouts: 1 }, undefined],
    ['never, though it is out of date', 3, { recorded: 0, payouts: 0 }, undefined],
  ])(
    'to a file for paying again is refused if payouts were contradicted since it was written: %s',
    async (_name, chunkVersions, contradictions, code) => {
      const report = { ...reported.report, resultsKey: 'r', evidenceKey: 'e', reportedAt: 't', chunkVersions };
      const chunk = exampleChunk('b-1', { contradictions, version: 4 });
      const held = batch({ plan, report });
      for (const name of ['retry.csv', 'pain-002.xml'] as const) {
        const outcome = await linkOf(held, name, [chunk]);
        expect(outcome.kind === 'problem' ? outcome.code : undefined).toBe(code);
      }
      expect(await linkOf(held, 'results.csv', [chunk])).toMatchObject({ status: 200 });
    },
  );

  it.each([
    ['runs', {}, 'The batch still runs, and writes it again by itself.'],
    [
      'was paused',
      { status: 'paused', resumeTo: 'processing' },
      'The batch still runs, and writes it again by itself.',
    ],
    ['has no workflow', { executionEnded: true }, 'Resume the batch to write it again.'],
    ['has ended', { status: 'partially_completed', executionEnded: true }, 'Resume the batch to write it again.'],
  ] as const)(
    'to a file for paying again says how it is written again: the batch %s',
    async (_name, changes, again) => {
      const report = { ...reported.report, resultsKey: 'r', evidenceKey: 'e', reportedAt: 't', chunkVersions: 3 };
      const chunk = exampleChunk('b-1', { contradictions: { recorded: 1, payouts: 1 }, version: 4 });
      const outcome = await linkOf(batch({ plan, report, ...changes }), 'retry.csv', [chunk]);
      expect(outcome).toMatchObject({ code: 'file_not_ready', about: { detail: expect.stringContaining(again) } });
    },
  );

  it('to a retry file exists only under the name of the one that was written', async () => {
    const held = batch({
      plan,
      report: { ...reported.report, resultsKey: 'r', evidenceKey: 'e', reportedAt: 't', retryKey: 'r/retry.xlsx' },
    });
    expect(await linkOf(held, 'retry.xlsx')).toMatchObject({ status: 200 });
    expect(await linkOf(held, 'retry.csv')).toMatchObject({ code: 'file_not_ready' });
  });

  it('to a refused file’s pain.002 points beside its plan', async () => {
    const texts = { messageId: 'M-1', createdAt: '', count: '1', sum: '' };
    const initiation = { message: 'pain.001.001.09', ...texts, statusReportKey: 'plan/pain-002.xml' } as const;
    const held = batch({ plan: { ...plan, initiation } });
    expect(await linkOf(held, 'pain-002.xml')).toMatchObject({
      status: 200,
      body: { url: expect.stringContaining('plan/') },
    });
  });

  it('of an unknown batch is a problem', async () => {
    expect(await linkOf(undefined, 'results.csv')).toMatchObject({ code: 'batch_not_found' });
  });
});
