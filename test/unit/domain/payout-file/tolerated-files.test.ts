import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../support/fast-loop.ts';
import { batchId, payoutsOf, planBytes } from './plan-bytes.ts';

const expected = [
  {
    row: 1,
    reference: 'A-1',
    amount: '50000.50',
    currency: 'IDR',
    recipient: {
      kind: 'bank',
      bankCode: 'bca',
      bankName: 'BCA',
      accountNumber: '0012345678',
      accountName: 'Siti Rahma',
    },
    email: 'siti@example.com',
  },
  {
    row: 2,
    reference: `${batchId}-2`,
    amount: '2.123456',
    currency: 'usdt-tron',
    recipient: { kind: 'wallet', walletAddress: 'TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3' },
    note: 'two lines',
  },
  {
    row: 3,
    reference: 'A-3',
    amount: '120.00',
    currency: 'PHP',
    recipient: { kind: 'recipientId', recipientId: 'rec_3' },
    name: 'Ana, "the" second',
  },
];

const csv = `reference,amount,currency,recipientId,bankCode,bankName,accountNumber,accountName,walletAddress,name,email,note
A-1,50000.50,IDR,,bca,BCA,0012345678,Siti Rahma,,,siti@example.com,
,2.123456,usdt-tron,,,,,,TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3,,,"two\nlines"
A-3,120.00,PHP,rec_3,,,,,,"Ana, ""the"" second",,
`;

const objects = [
  {
    reference: 'A-1',
    amount: '50000.50',
    currency: 'IDR',
    bankCode: 'bca',
    bankName: 'BCA',
    accountNumber: '0012345678',
    accountName: 'Siti Rahma',
    email: 'siti@example.com',
  },
  {
    amount: '2.123456',
    currency: 'usdt-tron',
    walletAddress: 'TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3',
    note: 'two\nlines',
    reference: null,
  },
  { reference: 'A-3', amount: '120.00', currency: 'PHP', recipientId: 'rec_3', name: 'Ana, "the" second' },
];
const lines = objects.map((each) => JSON.stringify(each)).join('\n');

/** The same file with another delimiter. All cells are quoted, so their content does not change. */
const delimitedBy = (delimiter: string): string =>
  csv
    .replace('"two\nlines"', '"two\u0001lines"')
    .split('\n')
    .map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).join(delimiter))
    .join('\n')
    .replace('\u0001', '\n');

const reordered = `note,WALLETADDRESS,Currency,amount,Reference,accountname,ACCOUNTNUMBER,bankname,BankCode,recipientid,NAME,eMail
,,IDR,50000.50,A-1,Siti Rahma,0012345678,BCA,bca,,,siti@example.com
"two\nlines",TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3,usdt-tron,2.123456,,,,,,,,
,,PHP,120.00,A-3,,,,,rec_3,"Ana, ""the"" second",
`;

/** Column names as a clerk writes them. */
const headed = csv.replace(
  /^.*\n/,
  'Reference,AMOUNT,currency,Recipient ID,Bank Code,bank_name,account-number,Account  Name, wallet_Address ,NAME,E-mail,note\n',
);
const inUtf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('a payout file as written by people and programs', () => {
  it.each<[string, string | Buffer]>([
    ['CSV', csv],
    ['CSV without a last line end', csv.trimEnd()],
    ['a byte order mark', `\ufeff${csv}`],
    ['CRLF', csv.replaceAll(/\n(?!lines)/g, '\r\n')],
    ['CRLF and LF mixed', csv.replace('email,note\n', 'email,note\r\n').replace('second",,\n', 'second",,\r\n')],
    ['a lone CR at line ends', csv.replaceAll(/\n(?!lines)/g, '\r')],
    ['blank lines', csv.replace('A-1', '\n   \n\nA-1').replace('A-3', ',,,,,,,,,,,\n\nA-3')],
    ['blank lines before the header', `\n \r\n${csv}\n\n`],
    ['semicolons', delimitedBy(';')],
    ['tabs', delimitedBy('\t')],
    ['bars', delimitedBy('|')],
    ['column names in words', headed],
    ['a first line with the delimiter', `sep=;\r\n${delimitedBy(';')}`],
    ['one in quotes, after a byte order mark', `\ufeff"sep=\t"\n${delimitedBy('\t')}`],
    ['one before a blank line and lines that end with a lone CR', `SEP=,\r\r${csv.replaceAll(/\n(?!lines)/g, '\r')}`],
    ['one with another delimiter than the file’s', `sep=;\n${csv}`],
    ['UTF-16', inUtf16(csv)],
    ['UTF-16, its greater bytes first', inUtf16(csv).swap16()],
    [
      'UTF-16, tabs and a line that names them, as spreadsheets save "Unicode text"',
      inUtf16(`sep=\t\r\n${delimitedBy('\t')}`),
    ],
    ['UTF-16, gzipped', gzipSync(inUtf16(csv))],
    ['JSON Lines in UTF-16', inUtf16(lines)],
    [
      'currencies in another letter case',
      csv.replace('IDR', 'idr').replace('usdt-tron', 'USDT-Tron').replace('PHP', 'Php'),
    ],
    [
      'JSON with fields in words',
      lines.replaceAll('"bankCode"', '"Bank Code"').replaceAll('"walletAddress"', '"wallet_address"'),
    ],
    ['another order of columns and letter case', reordered],
    ['empty columns at the end', csv.replaceAll(/\n(?!lines)/g, ',,\n')],
    ['spaces after a closing quote', csv.replace('second",', 'second"  ,').replace('lines"', 'lines" ')],
    ['spaces around values', csv.replace('A-1,50000.50', ' A-1 ,  50000.50 ')],
    [
      'every cell quoted',
      csv.replace('A-1,50000.50,IDR', '"A-1","50000.50","IDR"').replace('reference,amount', '"reference","amount"'),
    ],
    ['a JSON array', JSON.stringify(objects)],
    ['a JSON array over many lines, after a byte order mark', `\ufeff\n${JSON.stringify(objects, null, 2)}\n`],
    ['JSON Lines', lines],
    ['JSON Lines with CRLF and blank lines', `\r\n${lines.replaceAll('\n', '\r\n\r\n')}\r\n`],
    ['JSON with amounts as numbers', JSON.stringify(objects).replaceAll(/"amount":"([^"]+)"/g, '"amount":$1')],
    ['JSON Lines with amounts as numbers', lines.replaceAll(/"amount":"([^"]+)"/g, '"amount":$1')],
    [
      'JSON with fields in another letter case',
      lines.replaceAll('"amount"', '"Amount"').replaceAll('"currency"', '"CURRENCY"'),
    ],
    ['CSV, gzipped', gzipSync(csv)],
    ['a JSON array, gzipped', gzipSync(JSON.stringify(objects))],
    ['JSON Lines, gzipped in two members', Buffer.concat([gzipSync(lines.slice(0, 100)), gzipSync(lines.slice(100))])],
  ])('reads %s', async (_, file) => {
    for (const blockBytes of [65_536, 7, 1]) {
      const result = await planBytes(file, { blockBytes });
      expect(result.errors).toEqual([]);
      expect(payoutsOf(result)).toEqual(expected);
    }
  });

  it('keeps every digit of a JSON number', async () => {
    const item =
      '{"amount":12345.123456789012345678,"currency":"eth-ethereum","walletAddress":"0x52908400098527886E0F7030069857D2E4169EE7"}';
    for (const file of [`[${item}]`, `${item}\n`])
      expect(payoutsOf(await planBytes(file))[0]?.amount).toBe('12345.123456789012345678');
  });

  it.each([
    ['000050000.50', '50000.50'],
    ['50000.5', '50000.5'],
    ['50000.00', '50000.00'],
    // The lowest and the highest amount that any bank accepts.
    ['10000', '10000'],
    ['500000000', '500000000'],
  ])('reads the amount %s as %s', async (written, amount) => {
    const result = await planBytes(`amount,currency,recipientId\n${written},IDR,rec_1\n`);
    expect(payoutsOf(result)[0]?.amount).toBe(amount);
  });

  it('accepts texts of the maximum length', async () => {
    const [reference, name] = [`${'INVOICES:'.repeat(7)}7`, `é${'a'.repeat(139)}`];
    const result = await planBytes(
      `reference,amount,currency,recipientId,name\n${reference},50000,IDR,rec_1,${name}\n`,
    );
    expect(payoutsOf(result)).toMatchObject([{ reference, name }]);
  });

  it('joins a name or note that a spreadsheet broke into two lines', async () => {
    const broken = '"Siti \r\n Rahma"';
    const result = await planBytes(
      `amount,currency,bankCode,bankName,accountNumber,accountName,name,note\n50000,IDR,bca,${broken},1234,${broken},${broken},${broken}\n`,
    );
    const name = 'Siti Rahma';
    expect(payoutsOf(result)).toMatchObject([{ name, note: name, recipient: { bankName: name, accountName: name } }]);
  });

  it.each(['my-estimate', 'report-7', 'x01hx0000000000000000000000-1', '01hx0000000000000000000000-1a'])(
    'accepts the reference %s, which is not reserved',
    async (reference) => {
      const result = await planBytes(`reference,amount,currency,recipientId\n${reference},50000,IDR,rec_1\n`);
      expect(payoutsOf(result)).toMatchObject([{ reference }]);
    },
  );

  it('removes the retry files’ guard against formulas', async () => {
    const result = await planBytes(
      `amount,currency,recipientId,note\n50000,IDR,rec_1,'=1+1\n50000,IDR,rec_2,'s-Gravenhage\n`,
    );
    expect(payoutsOf(result).map(({ note }) => note)).toEqual(['=1+1', "'s-Gravenhage"]);
  });

  const cell = fc.string({
    // The last byte of `à` is a space in Latin-1.
    unit: fc.constantFrom('a', 'Z', '0', ' ', '\u00a0', '"', ',', ';', '\t', '\n', "'", 'é', 'à', '中', '😀'),
    maxLength: 20,
  });
  const clean = (note: string) => note.trim().replaceAll(/[ \t]*[\r\n]+[ \t]*/g, ' ');

  it('returns the written text on one line, with any delimiter, quoting, line ends and block borders', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 10_000, max: 99_999 }), cell), { minLength: 1, maxLength: 12 }),
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 64 }),
        async (rows, delimiter, lineEnd, blockBytes) => {
          const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
          const file = [
            ['amount', 'currency', 'recipientId', 'note'].join(delimiter),
            ...rows.map(([amount, note], index) => [amount, 'IDR', `rec_${index}`, quoted(note)].join(delimiter)),
          ].join(lineEnd);
          const result = await planBytes(file, { blockBytes });
          const refused = new Set(result.errors.map((error) => error.row));
          const hasTab = (note: string) => clean(note).includes('\t');
          expect([...refused]).toEqual(rows.flatMap(([, note], index) => (hasTab(note) ? [index + 1] : [])));
          if (refused.size === 0)
            expect(payoutsOf(result).map(({ row, amount, note }) => [row, amount, note ?? ''])).toEqual(
              rows.map(([amount, note], index) => [index + 1, String(amount), clean(note)]),
            );
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
