import { describe, expect, it } from 'vitest';
import { drawConsole } from '../../../functions/console/draw-console.ts';
import { rejectedByPerson } from '../../../functions/domain/batch/batch-status.ts';
import type { Uploads } from '../../../functions/ports/files.ts';
import { batch, plan } from '../api/fixtures.ts';
import type { LedgerAnswers } from './draw-scene.ts';
import { archive, context, dependencies, nowMs } from './draw-scene.ts';
import { at, consoleArn } from './example-views.ts';

describe('the view of files', () => {
  const refused = `b-${'1'.repeat(26)}`;
  const upload = (key: string, minute: number, versionId = 'v-1') => ({
    key: `uploads/${key}`,
    versionId,
    bytes: 2048,
    uploadedAt: new Date(nowMs - minute * 60_000).toISOString(),
  });
  const shown = (answers: LedgerAnswers, uploads: Uploads, forms: Readonly<Record<string, unknown>> = {}) =>
    drawConsole(dependencies(answers, archive, uploads).given, { view: 'uploads', ...context(forms) }, consoleArn);
  const none: LedgerAnswers = { listBatches: async () => ({ items: [] }) };
  const begun = (source: string): readonly unknown[] =>
    [...source.matchAll(/confirmation="[^"]*">([^<]*)</g)].map(([, params = '']) =>
      JSON.parse(params.replaceAll('&quot;', '"')),
    );

  it('shows the newest first, with their exact version on the buttons', async () => {
    const source = await shown(none, { uploads: [upload('a.csv', 5), upload('b.xlsx', 1, 'v-7')], isWhole: true });
    const pinned = { file: 'uploads/b.xlsx', versionId: 'v-7', drawnAt: at, console: consoleArn };
    expect(begun(source).slice(0, 2)).toEqual([
      { mode: 'preview', ...pinned },
      { mode: 'disburse', ...pinned },
    ]);
    expect(begun(source)).toMatchObject([{}, {}, { file: 'uploads/a.csv' }, { file: 'uploads/a.csv' }]);
    expect(source).toContain('The newest 2 of 2 files.');
  });

  it('shows fifty, and notes when there are more', async () => {
    const uploads = Array.from({ length: 60 }, (_, index) => upload(`${index}.csv`, index));
    const source = await shown(none, { uploads, isWhole: false });
    expect(source).toContain('The newest 50 of 60 files that come first by name. There are more');
    expect(begun(source)).toHaveLength(100);
  });

  it('searches names by the field, and keeps the choice about bad rows', async () => {
    const { given, links } = dependencies(none);
    const forms = { startsWith: ' 2026-01 ', invalidRows: 'skip' };
    const source = await drawConsole(given, { view: 'uploads', ...context(forms) }, consoleArn);
    expect(links).toEqual(['2026-01']);
    expect(source).toContain('<option value="skip" selected="selected">');
  });

  it.each([
    ['a preview', { mode: 'preview', status: 'previewed' }, 2],
    ['a refused file', { mode: 'disburse', status: 'validation_failed' }, 2],
    ['a payment', { mode: 'disburse', status: 'completed' }, 0],
    ['a canceled payment', { mode: 'disburse', status: 'canceled' }, 0, true],
    ['a failed payment', { mode: 'disburse', status: 'failed' }, 0, true],
    ['a rejected payment', { mode: 'disburse', status: 'canceled', reason: rejectedByPerson }, 2],
  ] as const)(
    'of %s reports that, and offers what may still be started',
    async (_, about, buttons, mayBeOwed: boolean = false) => {
      const file = { key: 'uploads/a.csv', versionId: 'v-1', bytes: 2048 };
      const items = [batch({ batchId: 'b-7', file, ...about }), batch({ file: { ...file, versionId: 'v-0' } })];
      const source = await shown(
        { listBatches: async () => ({ items }), getBatch: async () => items[0] },
        { uploads: [upload('a.csv', 1)], isWhole: true },
      );
      expect(source.match(/&quot;batchId&quot;:&quot;b-\w+/g)).toEqual(['&quot;batchId&quot;:&quot;b-7']);
      expect(begun(source)).toHaveLength(buttons);
      expect(source.includes('An operator of the API decides')).toBe(mayBeOwed);
    },
  );

  it('shows the payment of a file that is older than the newest batches, and offers no second one', async () => {
    const file = { key: 'uploads/a.csv', versionId: 'v-1', bytes: 2048 };
    const old = batch({ batchId: 'b-7', file, status: 'completed' });
    const asked: unknown[] = [];
    const findByFile = async ({ key, versionId }: Pick<typeof file, 'key' | 'versionId'>) => {
      asked.push(`${versionId} ${key}`);
      return key === file.key ? ['b-7'] : [];
    };
    const answers = { ...none, findByFile, getBatch: async () => old };
    const source = await shown(answers, { uploads: [upload('a.csv', 1), upload('b.csv', 2)], isWhole: true });
    expect(asked).toEqual(['v-1 uploads/a.csv', 'v-1 uploads/b.csv']);
    expect(source.match(/&quot;batchId&quot;:&quot;b-\w+/g)).toEqual(['&quot;batchId&quot;:&quot;b-7']);
    expect(begun(source)).toMatchObject([{ file: 'uploads/b.csv' }, { file: 'uploads/b.csv' }]);
  });

  it.each([
    ['it has some', 'validation_failed', { corrects: refused }],
    ['it has none', 'completed', {}],
  ] as const)(
    'starts the correction of a batch that the file name contains, if that has rows to correct: %s',
    async (_, status, corrects) => {
      const asked: string[] = [];
      const getBatch = async (batchId: string) => {
        asked.push(batchId);
        return batch({ batchId, status });
      };
      const corrections = [`to-correct-${refused}.csv`, `to-correct-${refused} (1).xlsx`];
      const uploads = [...corrections, `xb-${'1'.repeat(27)}.csv`, `retry-${refused}.xlsx`];
      const source = await shown(
        { ...none, getBatch },
        { uploads: uploads.map((name, index) => upload(name, index)), isWhole: true },
      );
      expect(asked).toEqual([refused]);
      const found = begun(source).map((params) => Object.entries(params ?? {}).filter(([name]) => name === 'corrects'));
      const [first, second] = [Object.entries(corrects), []];
      expect(found).toEqual([first, first, first, first, second, second, second, second]);
    },
  );

  it.each([
    ['was not checked', { mode: 'disburse', status: 'validation_failed' }, 'No check has let it pass yet.', undefined],
    ['a check refused', { mode: 'preview', status: 'validation_failed' }, 'No check has let it pass yet.', undefined],
    [
      'passed a check',
      { mode: 'preview', status: 'previewed', invalidRows: 'skip' },
      'Bad rows are left out: 1.',
      'skip',
    ],
  ] as const)('shows what is known before payment of a file that %s', async (_, about, words, invalidRows) => {
    const found = batch({
      batchId: 'b-7',
      plan,
      file: { key: 'uploads/a.csv', versionId: 'v-1', bytes: 2048 },
      ...about,
    });
    const source = await shown(
      { listBatches: async () => ({ items: [found] }), getBatch: async () => found },
      { uploads: [upload('a.csv', 1)], isWhole: true },
    );
    const [, confirmation] = [...source.matchAll(/confirmation="([^"]*)"/g)].map(([, text]) => text);
    expect(confirmation).toContain(words);
    expect(begun(source)[1]).toMatchObject({ mode: 'disburse', ...(invalidRows === undefined ? {} : { invalidRows }) });
  });

  it('offers nothing for a file whose name the API rejects', async () => {
    const source = await shown(none, { uploads: [upload('a\u202egpj.csv', 1)], isWhole: true });
    expect(begun(source)).toEqual([]);
    expect(source).toContain('Rename it');
  });
});
