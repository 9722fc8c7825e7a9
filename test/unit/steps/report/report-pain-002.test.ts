import { describe, expect, it } from 'vitest';
import type { Initiation } from '../../../../functions/domain/batch/plan.ts';
import { differencesOf, readXml, textsOf } from '../../../support/pain/read-pain-002.ts';
import { batchId, createReportScene } from './report-scene.ts';

const initiation: Initiation = {
  message: 'pain.001.001.09',
  messageId: 'MSG-1',
  createdAt: '2026-11-21T07:00:00Z',
  count: '7',
  sum: '73.5',
  instructions: { key: 'instructions.jsonl', sha256: '' },
};

const sceneOf = (skipped: readonly number[] = []) =>
  createReportScene(skipped.length > 0 ? [1, 3] : [1, 2, 3], undefined, skipped, { initiation });

const statusesIn = (xml = '') => {
  expect(differencesOf(xml)).toEqual([]);
  const { root } = readXml(xml);
  const of = (...path: string[]) => textsOf(root, 'CstmrPmtStsRpt', ...path);
  return {
    group: of('OrgnlGrpInfAndSts', 'GrpSts'),
    payments: of('OrgnlPmtInfAndSts', 'PmtInfSts'),
    transactions: of('OrgnlPmtInfAndSts', 'TxInfAndSts', 'TxSts'),
  };
};

describe('the reports of a pain.001', () => {
  it('have a pain.002 with the status of each transaction in its payment', async () => {
    const scene = await sceneOf();
    await scene.endAll('completed');
    await scene.end(4, 'failed');
    await scene.run();
    expect((await scene.batch())?.report?.statusReportKey).toMatch(/pain-002\.xml$/);
    expect(statusesIn(scene.written.get('pain-002.xml'))).toEqual({
      group: ['PART'],
      payments: ['ACSC', 'PART'],
      transactions: ['ACSC', 'ACSC', 'ACSC', 'RJCT', 'ACSC', 'ACSC', 'ACSC'],
    });
  });

  it('show open payouts as pending while the batch continues', async () => {
    const scene = await sceneOf();
    await scene.end(2, 'completed');
    await scene.run(batchId, true);
    expect(statusesIn(scene.written.get('pain-002.xml'))).toEqual({
      group: ['PART'],
      payments: ['PART', 'PDNG'],
      transactions: ['PDNG', 'ACSC', 'PDNG', 'PDNG', 'PDNG', 'PDNG', 'PDNG'],
    });
  });

  it('show skipped rows as rejected, with the reason', async () => {
    const scene = await sceneOf([2, 3, 6]);
    for (const row of [1, 4, 5, 7]) await scene.end(row, 'completed');
    await scene.run();
    const xml = scene.written.get('pain-002.xml') ?? '';
    expect(statusesIn(xml).transactions).toEqual(['ACSC', 'RJCT', 'RJCT', 'ACSC', 'ACSC', 'RJCT', 'ACSC']);
    const reasons = textsOf(
      readXml(xml).root,
      'CstmrPmtStsRpt',
      'OrgnlPmtInfAndSts',
      'TxInfAndSts',
      'StsRsnInf',
      'Rsn',
      'Cd',
    );
    expect(reasons).toEqual(['AM01', 'AM01', 'AM01']);
  });

  it('have none for other files', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.run();
    expect(scene.written.has('pain-002.xml')).toBe(false);
  });
});
