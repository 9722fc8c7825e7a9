import { describe, expect, it } from 'vitest';
import { drawConsole } from '../../../functions/console/draw-console.ts';
import { consoleCaller } from '../../../functions/domain/batch/caller.ts';
import { sumProgress } from '../../../functions/domain/batch/progress.ts';
import { InvalidCursor } from '../../../functions/domain/errors.ts';
import { payoutFields } from '../../../functions/domain/payout-file/fields.ts';
import { idr, tally } from '../../support/money.ts';
import { batch, payout, plan } from '../api/fixtures.ts';
import type { LedgerAnswers } from './draw-scene.ts';
import { archive, context, dependencies, drawn, known, nowMs } from './draw-scene.ts';
import { at, consoleArn } from './example-views.ts';

describe('the function that draws the console', () => {
  it('describes its parameters as Markdown', async () => {
    expect(await drawConsole(dependencies().given, { describe: true }, consoleArn)).toMatch(
      /^## .*\n[^<]*### Parameters/,
    );
  });

  it.each([
    ['nothing', {}],
    ['a view', { view: 'batches' }],
    ['a view, with the field at “all batches”', { view: 'batches', ...context({ status: '' }) }],
  ])('shows all batches when a widget requests %s', async (_, event) => {
    const asked: unknown[] = [];
    const listBatches = async (query: unknown) => {
      asked.push(query);
      return { items: [batch()] };
    };
    const text = await drawn({ ...known(batch()), listBatches }, event);
    expect(text).toContain('salaries.csv');
    expect(asked).toEqual([{ day: '2026-01-05', limit: 20 }]);
  });

  it.each([
    ['a field', { view: 'batches', ...context({ status: 'paused' }) }, { status: 'paused' }],
    ['a button', { view: 'batches', status: 'failed', ...context({ status: 'paused' }) }, { status: 'failed' }],
    // The next page belongs to the search, not to the field's new content.
    ['the next page', { view: 'batches', cursor: 'c-2', ...context({ status: 'paused' }) }, { cursor: 'c-2' }],
  ])('lists the batches for %s', async (_, event, expected) => {
    const asked: unknown[] = [];
    const listBatches = async (query: unknown) => {
      asked.push(query);
      return { items: [] };
    };
    await drawn({ listBatches }, event);
    expect(asked).toEqual([{ day: '2026-01-05', limit: 20, ...expected }]);
  });

  const pages = (...behind: readonly number[]) => {
    const asked: (string | undefined)[] = [];
    const listBatches: NonNullable<LedgerAnswers['listBatches']> = async ({ cursor }) => {
      asked.push(cursor);
      const page = cursor === undefined ? 0 : Number(cursor.slice(1));
      const count = [1, ...behind][page] ?? 0;
      const more = page < behind.length ? { cursor: `c${page + 1}` } : {};
      return { items: Array.from({ length: count }, () => batch()), ...more };
    };
    return { asked, given: dependencies({ ...known(batch()), listBatches }).given };
  };

  it.each([
    [[1], true],
    [[0, 0, 1], true],
    [[0, 0, 0], false],
    [[], false],
  ])('offers older batches when there are some (%j: %s)', async (behind, isOffered) => {
    const { given } = pages(...behind);
    const text = await drawConsole(given, { view: 'batches' }, consoleArn);
    expect(text.includes('>Older batches<')).toBe(isOffered);
  });

  it('searches the time before the first batch only once', async () => {
    const { asked, given } = pages(0, 0);
    for (let times = 0; times < 3; times += 1) await drawConsole(given, { view: 'batches' }, consoleArn);
    expect(asked).toEqual([undefined, 'c1', 'c2', undefined, undefined]);
  });

  it('offers to look further back for batches in a status', async () => {
    const { asked, given } = pages(0);
    const text = await drawConsole(given, { view: 'batches', status: 'processing' }, consoleArn);
    expect(text).toContain('>Look further back<');
    expect(asked).toEqual([undefined]);
  });

  it('refreshes the counts of a list less often than those of one batch', async () => {
    const ages: unknown[] = [];
    const readProgress = async (_: string, wanted: object) => {
      ages.push('atMostMs' in wanted ? wanted.atMostMs : undefined);
      return sumProgress([], nowMs);
    };
    const running = { ...known(batch()), readProgress, listBatches: async () => ({ items: [batch()] }) };
    await drawn(running, { view: 'batches' });
    const ended = batch({ status: 'completed' });
    await drawn({ ...known(ended), readProgress, listBatches: async () => ({ items: [ended] }) }, { view: 'batches' });
    await drawn(running, { view: 'batch', batchId: 'b-1' });
    expect(ages).toEqual([15_000, 600_000, 5000]);
  });

  it.each([
    ['on_hold', [600_000, 15_000]],
    ['quarantined', [600_000, 15_000]],
    ['completed', [600_000]],
  ] as const)(
    'refreshes the counts of an ended batch more often while a payout may still move: %s',
    async (status, expected) => {
      const ages: unknown[] = [];
      const readProgress = async (_: string, wanted: object) => {
        ages.push('atMostMs' in wanted ? wanted.atMostMs : undefined);
        const currencies = [{ rail: 'fiat', currency: 'IDR', tallies: { [status]: tally(1, '10') } }] as const;
        return { ...sumProgress([], nowMs), payouts: 1, currencies };
      };
      const ended = batch({ status: 'partially_completed', plan });
      await drawn(
        { ...known(ended), readProgress, listBatches: async () => ({ items: [ended] }) },
        { view: 'batches' },
      );
      expect(ages).toEqual(expected);
    },
  );

  it('shows one batch with its errors, and buttons to pause and cancel it', async () => {
    const text = await drawn(known(batch({ plan })), { view: 'batch', batchId: 'b-1' });
    expect(text).toContain('The amount must be above zero.');
    expect(text).toContain('1,000.40');
    expect(text.match(/ confirmation="/g)).toHaveLength(2);
  });

  it('finds the payment of a preview by the file’s exact version', async () => {
    const asked: unknown[] = [];
    const preview = batch({ mode: 'preview', status: 'previewed', plan });
    const findByFile = async (file: unknown) => {
      asked.push(file);
      return ['b-9'];
    };
    const text = await drawn({ ...known(preview), findByFile }, { view: 'batch', batchId: 'b-1' });
    expect(asked).toEqual([preview.file]);
    expect(text).toContain('&quot;batchId&quot;:&quot;b-9&quot;');
  });

  it.each([
    ['it is', ['b-9'], 'None of these waits for a person.', false],
    ['it is not yet', [], '1 of these 1 wants a look.', true],
  ])('counts a preview with skipped rows until payment is requested: %s', async (_, payments, words, isShown) => {
    const preview = batch({ mode: 'preview', status: 'previewed', plan: { ...plan, manifestKey: 'm' } });
    const listed = { ...known(preview), listBatches: async () => ({ items: [preview] }) };
    const text = await drawn({ ...listed, findByFile: async () => payments }, { view: 'batches' });
    expect(text).toContain(words);
    expect(text.includes('badge waits')).toBe(isShown);
  });

  it('shows the approver the hash for the approve call, while approval is possible', async () => {
    const hash = 'c0de'.repeat(16);
    const approval = { hash, findings: [], why: 'request' as const, expiresAt: at };
    const read = (status: 'pending_approval' | 'processing') =>
      drawn(known(batch({ status, plan, approval })), { view: 'batch', batchId: 'b-1' });
    expect(await read('pending_approval')).toContain(`<code>${hash}</code>`);
    expect(await read('processing')).not.toContain(hash);
  });

  it.each([
    ['a wallet', { rail: 'crypto', status: 'completed' }, 'The provider gives proofs of bank transfers only.', true],
    ['a bank account', { rail: 'fiat', status: 'completed' }, 'proofs of bank transfers only', false],
    ['a bank account that failed', { status: 'failed', fee: idr('4000') }, 'given back', true],
    ['a bank account that was paid', { status: 'completed', fee: idr('4000') }, 'given back', false],
    [
      'a bank account that was written off',
      { status: 'failed', fee: idr('4000'), reason: { code: 'settled_written_off', message: 'Given up.' } },
      'given back',
      false,
    ],
    [
      'a bank account that may have been paid after all',
      {
        status: 'failed',
        fee: idr('4000'),
        contradictions: [{ code: 'x', disbursementId: 'd', observed: 'completed', at }],
      },
      'given back',
      false,
    ],
  ] as const)('says that a proof is missing or a fee given back, if so: %s', async (_, changes, words, isShown) => {
    const getPayoutByReference = async () => payout(changes);
    const text = await drawn(
      { ...known(batch({ plan })), getPayoutByReference, findReferences: async () => new Map() },
      { view: 'payout', reference: 'r-1' },
    );
    expect(text.includes(words)).toBe(isShown);
  });

  it.each(['fiat', 'crypto'] as const)('shows that the provider gives no proofs (%s)', async (rail) => {
    const getPayoutByReference = async () => payout({ rail, status: 'completed' });
    const without = known(batch({ plan: { ...plan, hasNoProofs: true } }));
    const text = await drawn({ ...without, getPayoutByReference }, { view: 'payout', reference: 'r-1' });
    expect(text).toContain('The provider gives no transfer proofs.');
    expect(text).not.toContain('bank transfers only');
  });

  it('says where to find a skipped row of an unknown reference', async () => {
    const text = await drawn({ getPayoutByReference: async () => undefined }, { view: 'payout', reference: 'r-1' });
    expect(text).toContain('A skipped row is not a payout: find it in its batch’s file to correct');
  });

  it('offers no pause for an ended batch', async () => {
    const text = await drawn(known(batch({ status: 'completed' })), { view: 'batch', batchId: 'b-1' });
    expect(text).not.toContain(' confirmation="');
  });

  it.each([
    ['a button', { view: 'payout', reference: 'r-1' }],
    ['a field', { view: 'payout', ...context({ reference: ' r-1 ' }) }],
  ])('finds a payout by the reference in %s', async (_, event) => {
    const asked: string[] = [];
    const getPayoutByReference = async (reference: string) => {
      asked.push(reference);
      return payout({ status: 'completed' });
    };
    expect(await drawn({ ...known(batch()), getPayoutByReference }, event)).toContain('<h1>Paid</h1>');
    expect(asked).toEqual(['r-1']);
  });

  it('has links to reports and proofs with the API’s lifetime', async () => {
    const proof = { key: 'batches/b-1/proofs/1.pdf', sha256: 'x', bytes: 1 };
    const report = { resultsKey: 'results', evidenceKey: 'evidence', reportedAt: at };
    const { given, links } = dependencies({
      ...known(batch({ report })),
      getPayoutByReference: async () => payout({ proof }),
    });
    for (const event of [
      { view: 'file', batchId: 'b-1', name: 'results.csv' },
      { view: 'proof', reference: 'r-1' },
    ]) {
      expect(await drawConsole(given, event, consoleArn)).toContain('href="https://files.test/');
    }
    expect(links).toEqual(['results 300 results-b-1.csv', 'batches/b-1/proofs/1.pdf 300 1-r-1.pdf']);
  });

  it('requests a ZIP of proofs from the API in its own name, and the next part by its cursor', async () => {
    const { given, made } = dependencies({}, { ...archive, cursor: 'c-2' });
    const text = await drawConsole(given, { view: 'proofs', batchId: 'b-1' }, consoleArn);
    expect(text).toContain('href="https://files.test/zip"');
    expect(text).toContain('2 transfer proofs');
    expect(text).toContain('This is not all');
    expect(text).toContain('>Next part<');
    await drawConsole(given, { view: 'proofs', batchId: 'b-1', cursor: 'c-2' }, consoleArn);
    expect(made).toEqual([
      [{ batchId: 'b-1' }, consoleCaller],
      [{ batchId: 'b-1', cursor: 'c-2' }, consoleCaller],
    ]);
  });

  it('offers no next part when there is none, and counts the omitted proofs', async () => {
    const { given } = dependencies({}, { ...archive, altered: 3 });
    const text = await drawConsole(given, { view: 'proofs', batchId: 'b-1' }, consoleArn);
    expect(text).not.toMatch(/Next part|This is not all/);
    expect(text).toContain('3 are left out');
  });

  it('shows the API’s reason when there is no ZIP', async () => {
    const { given } = dependencies(
      {},
      { kind: 'refused', type: 'urn:x', title: 'Not yet', detail: 'No <proof> is archived.' },
    );
    const text = await drawConsole(given, { view: 'proofs', batchId: 'b-1' }, consoleArn);
    expect(text).toContain('Not yet');
    expect(text).toContain('No &lt;proof&gt; is archived.');
  });

  it('explains each column of a file', async () => {
    const text = await drawn({}, { view: 'columns' });
    for (const field of payoutFields) expect(text).toContain(`<b>${field}</b>`);
    expect(text).toContain(`<code>${payoutFields.join(',')}</code>`);
    expect(text).toContain('<b>x-…</b>');
    expect(text).toContain('Up to 10;');
    expect(text).toContain(
      'Bank codes are the provider’s own: its list of payment methods has those of each currency.',
    );
  });

  it('shows the pace of requests and the reserved money', async () => {
    const text = await drawn(
      {
        ...known(batch()),
        listFundedCurrencies: async () => ['IDR'],
        readFunds: async () => [
          { currency: 'IDR', version: 1, reservations: [{ batchId: 'b-1', amount: idr('1250000.5') }] },
        ],
      },
      { view: 'provider' },
    );
    expect(text).toContain('1,250,000.50');
    expect(text).toContain('full pace');
  });

  it.each([
    ['a missing batch', { view: 'batch', batchId: 'b-2' }, 'There is no such batch'],
    ['a file of a missing batch', { view: 'file', batchId: 'b-2', name: 'retry.csv' }, 'There is no such batch'],
    ['an empty field', { view: 'payout', ...context({ reference: ' ' }) }, 'There is no payout with this reference'],
  ])('reports %s', async (_, event, title) => {
    expect(await drawn(known(undefined), event)).toContain(title);
  });

  it.each([
    { action: 'approve', batchId: 'b-1' },
    { action: 'pause', batchId: 'b-1', console: consoleArn },
    { view: 'batch', batchId: 'b-1', action: 'settle' },
    { view: 'approve', batchId: 'b-1' },
    { view: 'batch', batchId: 'b/../1' },
    { view: 'batches', status: 'nonsense' },
    { view: 'batches', cursor: '"' },
    { view: ['batches'] },
  ])('has no view for %o, and makes no request', async (event) => {
    expect(await drawn({}, event)).toContain('There is no such view');
  });

  it.each([undefined, null, 'text', 7, []])('accepts any input: %j', async (event) => {
    expect(await drawn({ listBatches: async () => ({ items: [] }) }, event)).toContain('class="');
  });

  it('returns to the first page for an invalid cursor', async () => {
    const listBatches = () => Promise.reject(new InvalidCursor());
    expect(await drawn({ listBatches }, { view: 'batches', cursor: 'abc' })).toContain('That page is gone');
  });

  it('reports a failed read, and logs only the error’s name', async () => {
    const { given, logged } = dependencies({ getBatch: () => Promise.reject(new RangeError('account 0012345678')) });
    const text = await drawConsole(given, { view: 'batch', batchId: 'b-1' }, consoleArn);
    expect(text).toContain('Something went wrong');
    expect(text).not.toContain('0012345678');
    expect(logged).toEqual(['console.failed RangeError']);
  });

  it('accepts only known themes, widths and clocks', async () => {
    const odd = { widgetContext: { theme: '"><b>', width: 'wide', timezone: 7, forms: 'none' } };
    const text = await drawn({ listBatches: async () => ({ items: [] }) }, { ...odd, view: 'batches' });
    expect(text).toContain('po light"');
    expect(text).not.toContain('"><b>');
  });
});
