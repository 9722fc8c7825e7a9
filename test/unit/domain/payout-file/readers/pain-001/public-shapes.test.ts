import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { RowStatuses } from '../../../../../../functions/domain/pain-002/row-statuses.ts';
import { writePain002 } from '../../../../../../functions/domain/pain-002/write-pain-002.ts';
import { differencesOf, readXml, textsOf } from '../../../../../support/pain/read-pain-002.ts';
import type { Element } from '../../../../../support/pain/written-pain-001.ts';
import { header, namespaceOf, pain001, payment, xmlOf } from '../../../../../support/pain/written-pain-001.ts';
import type { PlannedBytes } from '../../plan-bytes.ts';
import { payoutsOf, planBytes } from '../../plan-bytes.ts';

const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const company: Element = ['Id', ['OrgId', ['Othr', ['Id', 'CONTOH']]]];
const address: Element = [
  'PstlAdr',
  ['StrtNm', 'Jalan Contoh'],
  ['BldgNb', '41'],
  ['TwnNm', 'Jakarta'],
  ['Ctry', 'ID'],
];
const ibans = ['GB33BUKB20201555555555', 'DE89370400440532013000'];

/** A bank's sample for treasury systems: clearing members, no instruction id, account types, one currency. */
const ofClearingMembers = pain001({
  message: 'pain.001.001.03',
  header: [
    ['MsgId', 'Message-Id'],
    ['CreDtTm', '2026-11-20T16:10:02.017+00:00'],
    ['NbOfTxs', '1'],
    ['CtrlSum', '510000.24'],
    ['InitgPty', company],
  ],
  payments: [
    [
      'PmtInf',
      ['PmtInfId', 'Batch-Id'],
      ['PmtMtd', 'TRF'],
      ['PmtTpInf', ['LclInstrm', ['Cd', 'PPD']], ['CtgyPurp', ['Prtry', 'BILLPYMENT']]],
      ['ReqdExctnDt', '2026-11-21'],
      ['Dbtr', ['Nm', 'PT Contoh'], company],
      ['DbtrAcct', ['Id', ['Othr', ['Id', '998877']]]],
      ['DbtrAgt', ['FinInstnId', ['ClrSysMmbId', ['ClrSysId', ['Cd', 'USABA']], ['MmbId', '021000021']]]],
      [
        'CdtTrfTxInf',
        ['PmtId', ['EndToEndId', 'End-to-End-Id']],
        ['Amt', ['InstdAmt Ccy="IDR"', '510000.24']],
        ['CdtrAgt', ['FinInstnId', ['ClrSysMmbId', ['ClrSysId', ['Cd', 'USABA']], ['MmbId', 'bca']]]],
        ['Cdtr', ['Nm', 'Siti Rahma']],
        ['CdtrAcct', ['Id', ['Othr', ['Id', '0012345678']]], ['Tp', ['Cd', 'CACC']]],
      ],
    ],
  ],
});

const byBic = (reference: string, iban: string, more: readonly Element[] = []): Element => [
  'CdtTrfTxInf',
  ['PmtId', ['InstrId', reference], ['EndToEndId', reference]],
  ['Amt', ['InstdAmt Ccy="IDR"', '10000.00']],
  ['CdtrAgt', ['FinInstnId', ['BIC', 'CENAIDJAXXX']]],
  ['Cdtr', ['Nm', 'Dáel Muñiz'], address],
  ['CdtrAcct', ['Id', ['IBAN', iban]], ['Ccy', 'IDR']],
  ...more,
];

const ofTwoPayments = (totals: number) =>
  pain001({
    message: 'pain.001.001.03',
    root: `Document xmlns="${namespaceOf('pain.001.001.03')}" ${xsi}`,
    header: header(totals, ['CtrlSum', `${totals}0000.00`]),
    payments: ibans.map((iban, n) => [
      'PmtInf',
      ['PmtInfId', `a790e857-e006-4dea-8d35-3fccf4736e${n}`],
      ['PmtMtd', 'TRF'],
      ['BtchBookg', 'true'],
      ['NbOfTxs', '1'],
      ['CtrlSum', '10000.00'],
      ['PmtTpInf', ['SvcLvl', ['Cd', 'SEPA']], ['CtgyPurp', ['Cd', 'SALA']]],
      ['ReqdExctnDt', '2025-02-10'],
      ['Dbtr', ['Nm', 'PT Contoh']],
      ['DbtrAcct', ['Id', ['IBAN', 'ES9121000418450200051332']], ['Tp', ['Prtry', 'CND']]],
      ['DbtrAgt', ['FinInstnId', ['BIC', 'BSCHESMMXXX']]],
      ['ChrgBr', 'SLEV'],
      byBic(`d6ecf0cb-e0c3-4fe9-8f21-45464fde65${n}`, iban, [
        ['RmtInf', ['Strd', ['CdtrRefInf', ['Ref', '120000000000234']]]],
      ]),
    ]),
  });

/** A generator's template: the schema's location, a repeated namespace, arbitrary supplementary data. */
const ofTemplate = pain001({
  root: `Document xmlns="${namespaceOf('pain.001.001.09')}" ${xsi} xsi:schemaLocation="${namespaceOf('pain.001.001.09')} pain.001.001.09.xsd"`,
  payments: [
    payment('pain.001.001.09', {
      transactions: [
        [
          'CdtTrfTxInf',
          ['PmtId', ['EndToEndId', 'PaymentID6789']],
          ['Amt', ['InstdAmt Ccy="IDR"', '150000.00']],
          ['CdtrAgt', ['FinInstnId', [`BICFI xmlns="${namespaceOf('pain.001.001.09')}"`, 'CENAIDJA']]],
          ['Cdtr', ['Nm', 'Global Tech']],
          ['CdtrAcct', ['Id', ['IBAN', ibans[0] ?? '']]],
          ['SplmtryData', ['Envlp', ['WC', ['x:Any xmlns:x="urn:any" y="1"', 'thing']]]],
        ],
      ],
    }),
  ],
});

const settings = { bankCodesByBic: { CENAIDJA: 'bca' } };

/** The pain.002 of a file after all its transactions have settled. */
const answerOf = async ({ seen, planned }: PlannedBytes) => {
  if (seen === undefined) throw new Error('the file says nothing of itself');
  const statuses = new RowStatuses(planned.rows);
  for (let row = 1; row <= planned.rows; row++) statuses.set(row, { status: 'ACSC' });
  const instructions = async function* () {
    yield seen.instructions;
  };
  const createdAt = '2026-11-22T08:00:00.000Z';
  return text(writePain002({ initiation: seen.message, messageId: 'P', createdAt, instructions, statuses }));
};

describe('a file in the shape of public examples', () => {
  it.each([
    ['clearing members', ofClearingMembers, ['End-to-End-Id'], ['0012345678']],
    [
      'two payments by BIC and IBAN',
      ofTwoPayments(2),
      ['d6ecf0cb-e0c3-4fe9-8f21-45464fde650', 'd6ecf0cb-e0c3-4fe9-8f21-45464fde651'],
      ibans,
    ],
    ['a template with supplementary data', ofTemplate, ['PaymentID6789'], ibans.slice(0, 1)],
  ])('is planned and answered: %s', async (_shape, file, ids, accounts) => {
    const plan = await planBytes(file, { settings });
    expect(plan.errors).toEqual([]);
    const payouts = payoutsOf(plan);
    expect(payouts.map(({ reference }) => reference)).toEqual(ids);
    expect(payouts.map(({ recipient }) => recipient)).toEqual(
      accounts.map((accountNumber) => expect.objectContaining({ bankCode: 'bca', accountNumber })),
    );
    const answer = await answerOf(plan);
    expect(differencesOf(answer)).toEqual([]);
    const { root } = readXml(answer);
    expect(textsOf(root, 'CstmrPmtStsRpt', 'OrgnlPmtInfAndSts', 'TxInfAndSts', 'OrgnlEndToEndId')).toEqual(ids);
    expect(textsOf(root, 'CstmrPmtStsRpt', 'OrgnlGrpInfAndSts', 'GrpSts')).toEqual(['ACSC']);
  });

  it('is refused when it counts its transactions wrong, as several of them do', async () => {
    const { planned } = await planBytes(ofTwoPayments(1), { settings });
    expect(planned.errors.map(({ code }) => code)).toEqual(['xml_totals_differ', 'xml_totals_differ']);
  });

  it('is refused for an equivalent amount, as one of them has', async () => {
    const equivalent = xmlOf(['EqvtAmt', ['Amt Ccy="CHF"', '10000.00'], ['CcyOfTrf', 'EUR']]);
    const { planned } = await planBytes(ofTwoPayments(2).replace(/<InstdAmt.*?<\/InstdAmt>/, equivalent), { settings });
    expect(planned.errors).toContainEqual(expect.objectContaining({ row: 1, code: 'amount_not_instructed' }));
  });
});
