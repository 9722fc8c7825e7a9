import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Initiation } from '../../../../functions/domain/batch/plan.ts';
import { instructionLine, readInstructions } from '../../../../functions/domain/pain-002/instruction-lines.ts';
import { RowStatuses } from '../../../../functions/domain/pain-002/row-statuses.ts';
import type { ReportedStatus } from '../../../../functions/domain/pain-002/status-codes.ts';
import { transactionStatuses } from '../../../../functions/domain/pain-002/status-codes.ts';
import { writePain002 } from '../../../../functions/domain/pain-002/write-pain-002.ts';
import type { Reason } from '../../../../functions/domain/payout/payout.ts';
import type { Instruction } from '../../../../functions/domain/payout-file/readers/pain-001/read-pain-001.ts';
import { messageNames } from '../../../../functions/domain/payout-file/readers/pain-001/schema.ts';
import { anyText } from '../../../support/any-text.ts';
import { runs } from '../../../support/fast-loop.ts';
import { differencesOf, find, readXml, textsOf } from '../../../support/pain/read-pain-002.ts';

const initiation: Initiation = {
  message: 'pain.001.001.09',
  messageId: 'MSG-1',
  createdAt: '2026-11-21T07:00:00Z',
  count: '3',
  sum: '1500.50',
};

const payment = (paymentId: string): Instruction => [paymentId];
const transaction = (endToEndId: string, instructionId = '', uetr = ''): Instruction => [
  instructionId,
  endToEndId,
  uetr,
];
const failed: ReportedStatus = { status: 'RJCT', reason: { code: 'provider_failed', message: 'It failed.' } };

const written = (
  instructions: readonly Instruction[],
  reported: readonly ReportedStatus[],
  { refusal, ...changes }: Partial<Initiation> & { readonly refusal?: Reason } = {},
) => {
  const statuses = new RowStatuses(reported.length);
  reported.forEach((status, n) => {
    statuses.set(n + 1, status);
  });
  return text(
    writePain002({
      initiation: { ...initiation, ...changes },
      messageId: 'PSR-1',
      createdAt: '2026-11-22T08:00:00.000Z',
      statuses,
      instructions: async function* () {
        yield instructions.slice(0, 2);
        yield instructions.slice(2);
      },
      ...(refusal === undefined ? {} : { refusal }),
    }),
  );
};

const three = [
  payment('PAY-1'),
  transaction('A-1'),
  transaction('A-2', 'I-2'),
  payment('PAY-2'),
  transaction('NOTPROVIDED', 'I-3'),
];

describe('a pain.002', () => {
  it.each(messageNames)('of a %s reports each transaction, each payment and all of them', async (message) => {
    const xml = await written(three, [{ status: 'ACSC' }, failed, { status: 'PDNG' }], { message });
    expect(differencesOf(xml)).toEqual([]);
    const [report] = find(readXml(xml).root, 'CstmrPmtStsRpt');
    if (report === undefined) throw new Error('there is no report');
    const of = (...path: string[]) => textsOf(report, ...path);
    expect(of('OrgnlGrpInfAndSts', 'OrgnlMsgId')).toEqual(['MSG-1']);
    expect(of('OrgnlGrpInfAndSts', 'OrgnlMsgNmId')).toEqual([message]);
    expect(of('OrgnlGrpInfAndSts', 'GrpSts')).toEqual(['PART']);
    expect(of('OrgnlGrpInfAndSts', 'NbOfTxsPerSts', 'DtldSts')).toEqual(['PDNG', 'ACSC', 'RJCT']);
    expect(of('OrgnlGrpInfAndSts', 'NbOfTxsPerSts', 'DtldNbOfTxs')).toEqual(['1', '1', '1']);
    expect(of('OrgnlPmtInfAndSts', 'OrgnlPmtInfId')).toEqual(['PAY-1', 'PAY-2']);
    expect(of('OrgnlPmtInfAndSts', 'PmtInfSts')).toEqual(['PART', 'PDNG']);
    expect(of('OrgnlPmtInfAndSts', 'TxInfAndSts', 'OrgnlEndToEndId')).toEqual(['A-1', 'A-2', 'NOTPROVIDED']);
    expect(of('OrgnlPmtInfAndSts', 'TxInfAndSts', 'OrgnlInstrId')).toEqual(['I-2', 'I-3']);
    expect(of('OrgnlPmtInfAndSts', 'TxInfAndSts', 'TxSts')).toEqual(['ACSC', 'RJCT', 'PDNG']);
    expect(of('OrgnlPmtInfAndSts', 'TxInfAndSts', 'StsRsnInf', 'Rsn', 'Prtry')).toEqual(['provider_failed']);
  });

  it.each([
    ['ACSC', ['ACSC', 'ACSC', 'ACSC']],
    ['RJCT', ['RJCT', 'RJCT', 'RJCT']],
    ['PDNG', ['PDNG', 'PDNG', 'PDNG']],
    ['PDNG', ['RJCT', 'PDNG', 'RJCT']],
    ['PART', ['ACSC', 'RJCT', 'RJCT']],
    ['PART', ['PDNG', 'PDNG', 'ACSC']],
  ] as const)('is %s of %j', async (group, statuses) => {
    const xml = await written(
      three,
      statuses.map((status) => ({ status })),
    );
    expect(textsOf(readXml(xml).root, 'CstmrPmtStsRpt', 'OrgnlGrpInfAndSts', 'GrpSts')).toEqual([group]);
  });

  it('of a refused file has the reason, and the transactions with a reason', async () => {
    const refusal = { code: 'file_invalid', message: '1 of 3 rows are invalid.' };
    const reported: ReportedStatus[] = [
      { status: 'PDNG' },
      { status: 'RJCT', reason: { code: 'amount_zero', message: 'Zero.' } },
    ];
    const xml = await written(three, reported, { refusal });
    expect(differencesOf(xml)).toEqual([]);
    const { root } = readXml(xml);
    const group = ['CstmrPmtStsRpt', 'OrgnlGrpInfAndSts'];
    expect(textsOf(root, ...group, 'GrpSts')).toEqual(['RJCT']);
    expect(textsOf(root, ...group, 'StsRsnInf', 'Rsn', 'Cd')).toEqual(['FF01']);
    expect(textsOf(root, ...group, 'StsRsnInf', 'AddtlInf')).toEqual([refusal.message]);
    expect(textsOf(root, 'CstmrPmtStsRpt', 'OrgnlPmtInfAndSts', 'PmtInfSts')).toEqual(['RJCT', 'RJCT']);
    expect(textsOf(root, 'CstmrPmtStsRpt', 'OrgnlPmtInfAndSts', 'TxInfAndSts', 'OrgnlEndToEndId')).toEqual(['A-2']);
  });

  it('of a file without details is valid', async () => {
    const nothing = { messageId: '', createdAt: '', count: '', sum: '' };
    const xml = await written([], [], { ...nothing, refusal: { code: 'xml_malformed', message: 'It is broken.' } });
    expect(differencesOf(xml)).toEqual([]);
    expect(textsOf(readXml(xml).root, 'CstmrPmtStsRpt', 'OrgnlGrpInfAndSts', 'OrgnlMsgId')).toEqual(['NOTPROVIDED']);
  });

  it('is not written when a transaction is missing', async () => {
    await expect(written(three.slice(0, 3), [{ status: 'ACSC' }, failed, failed])).rejects.toThrow('2 transactions');
  });

  it('is valid and returns every end-to-end id, for any ids and reasons', async () => {
    const character = fc.oneof(fc.constantFrom('<', '&', '>', '"', "'", ']', '😀', 'é', 'A', '1'), fc.constant(' '));
    const id = fc.string({ unit: character, minLength: 1, maxLength: 30 }).map((all) => [...all].slice(0, 35).join(''));
    const reason = fc.record({
      code: fc.constantFrom(
        'amount_zero',
        'provider_failed',
        'a_code_that_is_longer_than_thirty_five_characters',
        'toString',
      ),
      message: anyText({ maxLength: 400 }),
    });
    const reported = fc.record(
      { status: fc.constantFrom(...transactionStatuses), reason },
      { requiredKeys: ['status'] },
    );
    const row = fc.record({ endToEndId: id, instructionId: fc.option(id, { nil: '' }), reported });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(id, fc.array(row, { minLength: 1, maxLength: 4 })), { minLength: 1, maxLength: 4 }),
        async (all) => {
          const instructions = all.flatMap(([paymentId, rows]) => [
            payment(paymentId),
            ...rows.map(({ endToEndId, instructionId }) => transaction(endToEndId, instructionId)),
          ]);
          const rows = all.flatMap(([, each]) => each);
          const xml = await written(
            instructions,
            rows.map((each) => each.reported),
          );
          expect(differencesOf(xml)).toEqual([]);
          const ids = textsOf(
            readXml(xml).root,
            'CstmrPmtStsRpt',
            'OrgnlPmtInfAndSts',
            'TxInfAndSts',
            'OrgnlEndToEndId',
          );
          expect(ids).toEqual(rows.map(({ endToEndId }) => endToEndId));
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

it('reads the lines of instructions unchanged, wherever parts end', async () => {
  const lines = Buffer.from(
    [payment('Päy "1"'), transaction('A\\1', 'I\n2', 'u'), transaction('B')].map(instructionLine).join(''),
  );
  const parts = Array.from(lines, (_byte, at) => lines.subarray(at, at + 1));
  const read = await Array.fromAsync(
    readInstructions(
      (async function* () {
        yield* parts;
      })(),
    ),
  );
  expect(read.flat()).toEqual([payment('Päy "1"'), transaction('A\\1', 'I\n2', 'u'), transaction('B')]);
});
