import { gzipSync } from 'node:zlib';
import { payoutFields } from '../../../../../functions/domain/payout-file/fields.ts';

const allFields = payoutFields.join(', ');

const header = 'reference,amount,currency,recipientId\n';
const row = 'A-1,50000,IDR,rec_1\n';

/** The error of a file, the file, and its messages: place and text. */
export const brokenFiles: readonly (readonly [what: string, file: string | Buffer, says: readonly string[]])[] = [
  ['nothing in it', '', ['file: The file is empty. Export it again and upload it.']],
  [
    'a header alone',
    header,
    ['file: The file has no payouts, only a header or nothing. Write a row below the header for each.'],
  ],
  [
    'an old Excel workbook saved as .csv',
    Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'),
    ['file: This is an old Excel workbook (.xls). Open it, save it as an Excel workbook (.xlsx), and upload that.'],
  ],
  [
    'a PDF',
    '%PDF-1.7\n1 0 obj\n',
    ['file: This is a PDF, whatever its name says. Upload the CSV or JSON that it was made from.'],
  ],
  [
    'a web page saved as .xls',
    '<html><table><tr><td>amount</td></tr></table></html>',
    ['file: This is a web page, saved in place of a payout file.'],
  ],
  [
    'another XML',
    '<?xml version="1.0"?><payouts/>',
    [
      'file: This XML is not an ISO 20022 payment file. Export it as pain.001.001.03 or pain.001.001.09: Document with the namespace urn:iso:std:iso:20022:tech:xsd:pain.001.001.09.',
    ],
  ],
  [
    'a SWIFT message',
    '{1:F01BANKIDJAAXXX0000000000}{4:\n:20:R-1\n-}',
    ['file: This is a SWIFT MT message, whatever its name says. Upload the CSV or JSON that it was made from.'],
  ],
  [
    'a picture',
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ['file: This is a picture, whatever its name says. Upload the CSV or JSON that it was made from.'],
  ],
  [
    'UTF-16 without its mark',
    Buffer.from(header + row, 'utf16le'),
    [
      'file: The file has zero bytes. It is UTF-16 without a byte order mark, or it is not a text. Save it as "CSV UTF-8".',
    ],
  ],
  [
    'a packed file cut off',
    gzipSync(header + row).subarray(0, 30),
    ['file: The gzip file ends too early: it was cut off, or not uploaded whole. Upload it again.'],
  ],
  [
    'no header',
    'A-1,50000,IDR,Siti Rahma\n',
    [`file: The first line is not a header. Write one above the payments that names their columns: ${allFields}.`],
  ],
  [
    'a column mistyped',
    `refrence,ammount,currency,recipientId\n${row}`,
    [
      'file, refrence: Column 1, "refrence", is not known. Did you mean reference?',
      'file, ammount: Column 2, "ammount", is not known. Did you mean amount?',
    ],
  ],
  [
    'columns as another program calls them',
    'ref,value,ccy,bank,account,beneficiary,swift\nA-1,50000,IDR,BCA,001,Siti,bca\n',
    [
      'file, ref: Column 1, "ref", is not known. Did you mean reference?',
      'file, value: Column 2, "value", is not known. Did you mean amount?',
      'file, ccy: Column 3, "ccy", is not known. Did you mean currency?',
      'file, bank: Column 4, "bank", is not known. Did you mean bankName?',
      'file, account: Column 5, "account", is not known. Did you mean accountNumber?',
      'file, beneficiary: Column 6, "beneficiary", is not known. Did you mean accountName?',
      'file, swift: Column 7, "swift", is not known. Did you mean bankCode?',
    ],
  ],
  [
    'a column of the merchant’s own',
    'reference,amount,currency,recipientId,flavor\nA-1,50000,IDR,rec_1,HR\n',
    [
      `file, flavor: Column 5, "flavor", is not known. If it is your own, let its name begin with x-. Otherwise remove it, or name it as one of: ${allFields}.`,
    ],
  ],
  [
    'a column without a name',
    'reference,amount,,currency,recipientId\nA-1,50000,,IDR,rec_1\n',
    ['file: Column 3 has no name. Name it, or remove it.'],
  ],
  [
    'a column twice',
    'amount,Amount,currency,recipientId\n1,50000,IDR,rec_1\n',
    ['file, amount: Columns 1 and 2 both mean "amount". Keep one of them.'],
  ],
  [
    'a column missing',
    'reference,amount,recipientId\nA-1,50000,rec_1\n',
    ['file, currency: The file has no column "currency". Add it to the header.'],
  ],
  [
    'no recipient column',
    'reference,amount,currency\nA-1,50000,IDR\n',
    [
      'file: The file has no column that says who is paid. Add recipientId, walletAddress, or bankCode, bankName, accountNumber, accountName.',
    ],
  ],
  [
    'bank details without a column',
    'amount,currency,bankCode,bankName,accountNumber\n50000,IDR,bca,BCA,0012345678\n',
    ['file, accountName: Bank details need the column "accountName" too.'],
  ],
  [
    'an unclosed quote',
    `${header}${row}A-2,50000,IDR,"rec_2\nA-3,50000,IDR,rec_3\n`,
    ['line 3: The quote opened on line 3 is never closed. Nothing after it can be read.'],
  ],
  [
    'a quote that another row closes',
    `${header}A-1,50000,IDR,"rec_1\nA-2,50000,IDR,"rec_2"\n`,
    [
      'line 2: The quoted field that begins on line 2 goes on after its closing quote. Write a quote inside a quoted field twice. Nothing after it can be read.',
    ],
  ],
  [
    'a quote within a field',
    `${header}${row}A-2,50000,IDR,rec"2\n`,
    [
      'line 3: A field on line 3 has a quote in it but none around it. Put quotes around the field and write the quote in it twice. Nothing after it can be read.',
    ],
  ],
  [
    'a row cut off',
    `${header}${row}A-2,500`,
    [
      'line 3: The row has 2 fields and the header has 4. Write "," for each empty field too. It is the last row and has no line end: the file was probably cut off. Export or upload it again.',
    ],
  ],
  [
    'a comma too many',
    `${header}A-1,50000,00,IDR,rec_1\n`,
    ['line 2: The row has 5 fields and the header has 4. Put quotes around a value that has "," in it.'],
  ],
  [
    'a field too few, with semicolons',
    'reference;amount;currency;recipientId\nA-1;50000;IDR\n',
    ['line 2: The row has 3 fields and the header has 4. Write ";" for each empty field too.'],
  ],
  [
    'a row without an end',
    `${header}${'x'.repeat(100_000)}\n`,
    ['line 2: The row that begins on line 2 goes on for more than 65,536 bytes. Nothing after it can be read.'],
  ],
  [
    'the same reference twice',
    `${header}${row}\n${row}`,
    ['line 4, A-1, reference: Line 2 of this file has the same reference. Give each its own, or remove one.'],
  ],
  [
    'a letter of Windows-1252',
    Buffer.concat([Buffer.from('amount,currency,recipientId,name\n50000,IDR,rec_1,Jos'), Buffer.from([0xe9, 0x0a])]),
    [
      'line 2, name: "name" has a letter that is not UTF-8. The file is probably saved as Windows-1252 (ANSI): save it as "CSV UTF-8".',
    ],
  ],
  [
    'JSON cut off',
    '[{"amount":"50000","currency":"IDR","recipientId":"rec_1"},\n{"amount":"5',
    ['line 2: The JSON array is not closed: the file was cut off. Export or upload it again.'],
  ],
  [
    'a comma too many in JSON',
    '[{"amount":"50000","currency":"IDR","recipientId":"rec_1",}]',
    [
      'line 1: The file is not valid JSON from here on: a quote, a comma or a brace is missing or too many. Nothing after it can be read.',
    ],
  ],
  [
    'JSON with a number for an account',
    '[{"amount":"50000","currency":"IDR","bankCode":"bca","bankName":"BCA","accountNumber":12345678,"accountName":"Siti"}]',
    [
      'line 1, accountNumber: "accountNumber" is a number. Write it as text in quotes, so that zeros in front are kept.',
    ],
  ],
  [
    'JSON with a field mistyped',
    '[{"ammount":"50000","currency":"IDR","recipientId":"rec_1"}]',
    [
      'line 1, ammount: "ammount" is not known. Did you mean amount?',
      'line 1, amount: "amount" is empty. Write what is owed, such as 1250.50.',
    ],
  ],
  [
    'a line that is no JSON',
    '{"amount":"50000","currency":"IDR","recipientId":"rec_1"}\n{"amount":50000,}\n',
    ['line 2: The line is not valid JSON. A quote, a comma or a brace is missing or too many.'],
  ],
  [
    'one JSON object over lines',
    '{\n"payouts": []\n}\n',
    [
      'line 1: The file is neither a JSON array of objects nor one whole JSON object a line. Write [ … ] around the payouts, or each on one line.',
    ],
  ],
];
