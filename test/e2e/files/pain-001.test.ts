import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { differencesOf, readXml, textsOf } from '../../support/pain/read-pain-002.ts';
import type { Transaction } from '../../support/pain/written-pain-001.ts';
import { bankOf, pain001, payment, transaction } from '../../support/pain/written-pain-001.ts';
import { freshAccount, readReport, start, untilEnded, upload } from '../deployed/deployed-orchestrator.ts';

/** A reference that no other run uses, short enough for the message's ids. */
const freshId = (): string => randomUUID().slice(4);

const toBca = (changes: Transaction): ReturnType<typeof transaction> =>
  transaction({
    amount: '150000',
    bank: [bankOf('BCA'), ['Nm', 'Bank Central Asia']],
    account: ['CdtrAcct', ['Id', ['Othr', ['Id', freshAccount()]]]],
    ...changes,
  });

const run = async (...transactions: readonly ReturnType<typeof transaction>[]) => {
  const file = pain001({ payments: [payment('pain.001.001.09', { day: '2026-01-05', transactions })] });
  const batch = await untilEnded(await start(await upload(file, 'xml')));
  const xml = await readReport(batch.batchId, 'pain-002.xml');
  expect(differencesOf(xml)).toEqual([]);
  const of = (...path: string[]) => textsOf(readXml(xml).root, 'CstmrPmtStsRpt', ...path);
  return {
    batch,
    group: of('OrgnlGrpInfAndSts', 'GrpSts'),
    ids: of('OrgnlPmtInfAndSts', 'TxInfAndSts', 'OrgnlEndToEndId'),
    statuses: of('OrgnlPmtInfAndSts', 'TxInfAndSts', 'TxSts'),
  };
};

describe('a pain.001', () => {
  it('is paid, and answered by a pain.002 with its own ids', async () => {
    const ids = [freshId(), freshId()];
    const { batch, ...answer } = await run(...ids.map((endToEndId) => toBca({ endToEndId })));
    expect(batch).toMatchObject({ status: 'completed', counts: { completed: 2 } });
    expect(answer).toEqual({ group: ['ACSC'], ids, statuses: ['ACSC', 'ACSC'] });
  });

  it('gets an answer when it is refused', async () => {
    const ids = [freshId(), freshId()];
    const { batch, ...answer } = await run(
      toBca({ endToEndId: ids[0] ?? '' }),
      toBca({ endToEndId: ids[1] ?? '', amount: '0' }),
    );
    expect(batch.status).toBe('validation_failed');
    expect(answer).toEqual({ group: ['RJCT'], ids: ids.slice(1), statuses: ['RJCT'] });
  });
});
