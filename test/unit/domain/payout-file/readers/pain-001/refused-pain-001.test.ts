import { describe, expect, it } from 'vitest';
import type { Element } from '../../../../../support/pain/written-pain-001.ts';
import {
  header,
  namespaceOf,
  pain001,
  payment,
  transaction,
  withTransaction,
} from '../../../../../support/pain/written-pain-001.ts';
import { planBytes } from '../../plan-bytes.ts';

const good = pain001();
const document = (name: string, root = 'Document') => `<${root} xmlns="${namespaceOf(name)}"><A/></${root}>`;

interface Refused {
  readonly why: string;
  readonly file: string | Buffer;
  readonly code: string;
  readonly says: string;
}

const bombs = Array.from({ length: 12 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');

const broken: readonly Refused[] = [
  { why: 'nothing but a declaration', file: '<?xml version="1.0"?>', code: 'xml_malformed', says: 'cut off' },
  { why: 'a cut', file: good.slice(0, 500), code: 'xml_malformed', says: 'cut off' },
  {
    why: 'a cut between two elements',
    file: good.slice(0, good.indexOf('</PmtInf>')),
    code: 'xml_malformed',
    says: 'cut off',
  },
  { why: 'a tag closed by another', file: good.replace('</Nm>', '</Mn>'), code: 'xml_malformed', says: 'broken here' },
  { why: 'text after the document', file: `${good}more`, code: 'xml_malformed', says: 'broken here' },
  { why: 'an ampersand by itself', file: good.replace('PT Contoh', 'A & B'), code: 'xml_malformed', says: '&amp;' },
  {
    why: 'a prefix of no namespace',
    file: good.replace('<PmtInf>', '<x:PmtInf>'),
    code: 'xml_malformed',
    says: 'broken here',
  },
  { why: 'a DTD', file: `<!DOCTYPE Document>${document('pain.001.001.09')}`, code: 'xml_doctype', says: 'DOCTYPE' },
  {
    why: 'entities of entities',
    file: `<!DOCTYPE d [<!ENTITY l0 "lol">${bombs}]><Document>&l12;</Document>`,
    code: 'xml_doctype',
    says: 'DOCTYPE',
  },
  {
    why: 'a file of the machine',
    file: '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><d>&x;</d>',
    code: 'xml_doctype',
    says: 'DOCTYPE',
  },
  { why: 'an endless DTD', file: `<!DOCTYPE d [${'<!-- -->'.repeat(50_000)}`, code: 'xml_malformed', says: 'longer' },
  {
    why: 'an entity of nobody',
    file: good.replace('PT Contoh', '&company;'),
    code: 'xml_malformed',
    says: 'broken here',
  },
  { why: 'another encoding', file: good.replace('UTF-8', 'ISO-8859-1'), code: 'xml_encoding', says: 'ISO-8859-1' },
  {
    why: 'bytes that are not UTF-8',
    file: Buffer.from(good.replace('Siti', 'Sïti'), 'latin1'),
    code: 'invalid_utf8',
    says: 'UTF-8',
  },
  {
    why: 'an endless text',
    file: good.replace('PT Contoh', 'x'.repeat(300_000)),
    code: 'xml_malformed',
    says: 'longer',
  },
  {
    why: 'an endless attribute',
    file: good.replace('Ccy="IDR"', `Ccy="${'I'.repeat(300_000)}"`),
    code: 'xml_malformed',
    says: 'longer',
  },
  {
    why: 'an endless name',
    file: good.replace('<PmtInf>', `<${'P'.repeat(300_000)}`),
    code: 'xml_malformed',
    says: 'longer',
  },
  {
    why: 'deep elements',
    file: document('pain.001.001.09').replace('<A/>', '<a>'.repeat(100_000)),
    code: 'xml_malformed',
    says: 'deep',
  },
  {
    why: 'deep elements in ignored places',
    file: good.replace('PT Contoh', `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}`),
    code: 'xml_malformed',
    says: 'deep',
  },
];

const ofAnotherKind: readonly Refused[] = [
  { why: 'a direct debit', file: document('pain.008.001.02'), code: 'xml_not_pain_001', says: 'pain.008.001.02' },
  { why: 'a statement', file: document('camt.053.001.08'), code: 'xml_not_pain_001', says: 'camt.053.001.08' },
  { why: 'a status report', file: document('pain.002.001.10'), code: 'xml_not_pain_001', says: 'status report' },
  { why: 'a later version', file: document('pain.001.001.11'), code: 'xml_not_pain_001', says: 'another version' },
  { why: 'no namespace', file: '<Document/>', code: 'xml_not_pain_001', says: 'not an ISO 20022 payment file' },
  {
    why: 'another document',
    file: document('pain.001.001.09', 'Invoice'),
    code: 'xml_not_pain_001',
    says: 'not an ISO 20022 payment file',
  },
  {
    why: 'a country’s own namespace',
    file: '<Document xmlns="http://www.six-interbank-clearing.com/de/pain.001.001.03.ch.02.xsd"/>',
    code: 'xml_not_pain_001',
    says: 'not an ISO 20022 payment file',
  },
  { why: 'a web page', file: '<html><body>Log in</body></html>', code: 'xml_not_pain_001', says: 'web page' },
];

const replaced = (from: string | RegExp, to: string) => good.replace(from, to);
const withHeader = (...elements: readonly Element[]) => pain001({ header: elements });
const amounts = { code: 'xml_schema', says: 'InstdAmt must be an amount' };

const againstSchema: readonly Refused[] = [
  ...(
    [
      ['no message id', replaced('<MsgId>MSG-1</MsgId>', ''), 'GrpHdr has no MsgId.'],
      ['an empty message id', replaced('MSG-1', ''), 'MsgId must be 1 to 35 characters.'],
      ['a message id of 36 characters', replaced('MSG-1', 'M'.repeat(36)), 'MsgId must be 1 to 35 characters.'],
      ['no payments', pain001({ payments: [], header: header(0) }), 'CstmrCdtTrfInitn has no PmtInf.'],
      [
        'a payment of nothing',
        pain001({ payments: [payment('pain.001.001.09', { transactions: [] })] }),
        'PmtInf has no CdtTrfTxInf.',
      ],
      ['no amount', replaced(/<Amt>.*<\/Amt>/, ''), 'CdtTrfTxInf has no Amt.'],
      ['an amount of neither kind', replaced(/<InstdAmt.*<\/InstdAmt>/, ''), 'Amt has none of InstdAmt, EqvtAmt.'],
      ['two amounts', replaced(/(<InstdAmt.*<\/InstdAmt>)/, '$1$1'), 'Amt has more than one element.'],
      ['two ids', replaced(/(<EndToEndId>.*<\/EndToEndId>)/, '$1$1'), 'EndToEndId occurs too often in PmtId.'],
      ['no id', replaced(/<EndToEndId>.*<\/EndToEndId>/, ''), 'PmtId has no EndToEndId.'],
      [
        'elements in another order',
        replaced(/(<MsgId>.*<\/MsgId>)(<CreDtTm>.*<\/CreDtTm>)/, '$2$1'),
        'MsgId comes too late in GrpHdr.',
      ],
      ['an element of nobody', replaced('<PmtMtd>', '<Pmt/><PmtMtd>'), 'Pmt does not belong in PmtInf.'],
      [
        'an element of the other version',
        replaced('<ClrSysMmbId>', '<BIC>CENAIDJA</BIC><ClrSysMmbId>'),
        'BIC does not belong in FinInstnId.',
      ],
      [
        'an element of another namespace',
        replaced('<MsgId>', '<MsgId xmlns="urn:x">'),
        'MsgId in GrpHdr has another namespace.',
      ],
      ['text between elements', replaced('<PmtInf>', '<PmtInf>pay'), 'PmtInf has text outside of its elements.'],
      ['an element in a text', replaced('A-1', '<b>A-1</b>'), 'EndToEndId may have text only, and has b.'],
      ['no currency', replaced(' Ccy="IDR"', ''), 'Ccy of InstdAmt must be three capital letters.'],
      ['a currency in lower case', replaced('"IDR"', '"idr"'), 'Ccy of InstdAmt must be three capital letters.'],
      ['an attribute of nobody', replaced('Ccy=', 'Unit="thousand" Ccy='), 'InstdAmt may not have the attribute Unit.'],
      [
        'a day that is none',
        pain001({ payments: [payment('pain.001.001.09', { day: '2026-02-30' })] }),
        'Dt must be a date such as 2026-11-30.',
      ],
      ['a time that is none', replaced('T07:00:00Z', ' 7 am'), 'CreDtTm must be a time such as 2026-11-30T08:00:00Z.'],
      ['another way of paying', replaced('TRF', 'CARD'), 'PmtMtd must be one of CHK, TRF and TRA.'],
    ] as const
  ).map(([why, file, says]) => ({ why, file, says, code: 'xml_schema' })),
  ...['', '5e4', '50,000', '-50000', 'fifty', '1.123456', '1234567890123456789', '5 0', '0x10', 'NaN', '.'].map(
    (amount) => ({
      why: `the amount "${amount}"`,
      file: withTransaction({ amount }),
      ...amounts,
    }),
  ),
];

const differentTotals: readonly Refused[] = (
  [
    ['more transactions than it says', withHeader(...header(0)), 'NbOfTxs of the file (GrpHdr) is 0, but it has 1'],
    ['fewer transactions than it says', withHeader(...header(2)), 'NbOfTxs of the file (GrpHdr) is 2, but it has 1'],
    [
      'another sum',
      withHeader(...header(1, ['CtrlSum', '50000.01'])),
      'CtrlSum of the file (GrpHdr) is 50000.01, but its amounts add up to 50000.',
    ],
    ['a negative sum', withHeader(...header(1, ['CtrlSum', '-50000'])), 'is -50000, but'],
    ...(['NbOfTxs', 'CtrlSum'] as const).map(
      (total) =>
        [
          `another ${total} of its second payment`,
          pain001({
            payments: [
              payment('pain.001.001.09'),
              payment('pain.001.001.09', {
                totals: [[total, '50001']],
                transactions: [transaction({ endToEndId: 'A-2' })],
              }),
            ],
          }),
          `${total} of payment 2 (PmtInf) is 50001, but`,
        ] as const,
    ),
  ] as const
).map(([why, file, says]) => ({ why, file, says, code: 'xml_totals_differ' }));

describe('an XML file', () => {
  it.each([...broken, ...ofAnotherKind, ...againstSchema, ...differentTotals])(
    'is refused for $why',
    async ({ file, code, says }) => {
      const { planned } = await planBytes(file, { invalidRows: 'skip' });
      expect(planned.kind).toBe('refused');
      const refusal = expect.objectContaining({ code, message: expect.stringContaining(says) });
      expect(planned.errors).toContainEqual(refusal);
    },
  );

  it.each([
    ['at which its XML is broken', good.replace('</Nm>', '</Mn>'), '</Mn>', 'xml_malformed'],
    ['of a difference from the schema', good.replace('TRF', 'CARD'), '<PmtMtd>', 'xml_schema'],
    ['of a transaction that cannot be paid', good.replace('bca', 'nobank'), '<CdtTrfTxInf>', 'bank_code_unknown'],
  ])('names the line %s', async (_what, file, at, code) => {
    const lines = file.replaceAll('><', '>\n<');
    const line = lines.slice(0, lines.indexOf(at)).split('\n').length;
    const { planned } = await planBytes(lines);
    expect(planned.errors).toEqual([expect.objectContaining({ code, line })]);
  });

  it('is refused with all differences, not just the first', async () => {
    const file = good.replace('MSG-1', '').replace('TRF', 'CARD').replace('<NbOfTxs>1', '<NbOfTxs>7');
    const { planned } = await planBytes(file);
    expect(planned.errors.map(({ code }) => code)).toEqual(['xml_schema', 'xml_schema', 'xml_totals_differ']);
  });

  it('is not read to its end when everything differs', async () => {
    const transactions = Array.from({ length: 5000 }, (_, n) => transaction({ endToEndId: `A-${n}`, currency: 'Rp' }));
    const { planned } = await planBytes(pain001({ payments: [payment('pain.001.001.09', { transactions })] }));
    expect(planned.errors).toHaveLength(100);
    expect(planned.rows).toBeLessThan(5000);
  });

  it('names no value of a recipient', async () => {
    const file = withTransaction({ account: ['CdtrAcct', ['Id', ['Othr', ['Id', '0012345678'.repeat(4)]]]] });
    const { planned } = await planBytes(file);
    expect(planned.errors.length).toBeGreaterThan(0);
    expect(JSON.stringify(planned.errors)).not.toContain('0012345678');
  });
});
