import type { Fields } from '../bad-rows.ts';
import { toBank, toId, toWallet } from '../bad-rows.ts';

/** The error of a row, the row, and its messages: column or row, and text. */
export const brokenRows: readonly (readonly [what: string, row: Fields, says: readonly string[]])[] = [
  [
    'thousands by points',
    { ...toId, amount: '1.250.000' },
    ['amount: `1.250.000`: more than one point. Write 1250000 without thousands separators.'],
  ],
  [
    'thousands by commas and a point',
    { ...toId, amount: '1,250,000.50' },
    ['amount: `1,250,000.50`: a comma and a point. Write 1250000.50 without thousands separators.'],
  ],
  [
    'thousands by points and a comma',
    { ...toId, amount: '1.250.000,50' },
    ['amount: `1.250.000,50`: a comma and a point. Write 1250000.50 without thousands separators.'],
  ],
  ['a decimal comma', { ...toId, amount: '50000,50' }, ['amount: `50000,50`: a comma. Write 50000.50 with a point.']],
  [
    'a thousand by a comma',
    { ...toId, amount: '50,000' },
    ['amount: `50,000`: a comma. Write 50000 without a thousands separator.'],
  ],
  [
    'a thousand or a decimal comma of a token',
    { ...toWallet, amount: '1,250' },
    ['amount: `1,250`: a comma. Write 1250 without a thousands separator. If it has decimals, write 1.250.'],
  ],
  [
    'a thousand by a point',
    { ...toId, amount: '50.000' },
    ['amount: `50.000` has 3 decimals; IDR has 2. If the point separates thousands, write 50000.'],
  ],
  [
    'thousands by spaces',
    { ...toId, amount: '1 250 000' },
    ['amount: `1 250 000`: a space in it. Write 1250000 without spaces.'],
  ],
  [
    'thousands by apostrophes',
    { ...toId, amount: "1'250'000" },
    ["amount: `1'250'000`: not a number. Write 1250000 instead."],
  ],
  [
    'a currency sign',
    { ...toId, amount: 'Rp 50.000' },
    ['amount: `Rp 50.000`: a currency or a word in it. Write 50000 alone: the currency has a column of its own.'],
  ],
  [
    'the currency behind it',
    { ...toId, amount: '50000 IDR' },
    ['amount: `50000 IDR`: a currency or a word in it. Write 50000 alone: the currency has a column of its own.'],
  ],
  [
    'a word for millions',
    { ...toId, amount: '1,5 jt' },
    ['amount: `1,5 jt`: a currency or a word in it. Write digits, and a point before decimals, such as 1250.50.'],
  ],
  [
    'parentheses',
    { ...toId, amount: '(50000)' },
    ['amount: `(50000)`: in parentheses, as a negative amount. Write what is owed, without a sign, or remove the row.'],
  ],
  [
    'a minus',
    { ...toId, amount: '-50000' },
    ['amount: `-50000`: negative. Write what is owed, without a sign, or remove the row.'],
  ],
  [
    'a minus behind',
    { ...toId, amount: '50000-' },
    ['amount: `50000-`: negative. Write what is owed, without a sign, or remove the row.'],
  ],
  ['a plus', { ...toId, amount: '+50000' }, ['amount: `+50000`: a plus in front. Write 50000 without it.']],
  [
    'an exponent',
    { ...toId, amount: '1e5' },
    [
      'amount: `1e5`: a spreadsheet’s short form, which may be rounded. Format the column as a number and write all digits.',
    ],
  ],
  [
    'a spreadsheet’s short form',
    { ...toId, amount: '1.23457E+11' },
    [
      'amount: `1.23457E+11`: a spreadsheet’s short form, which may be rounded. Format the column as a number and write all digits.',
    ],
  ],
  ['a formula', { ...toId, amount: '=1+1' }, ['amount: `=1+1`: a formula. Write the amount itself.']],
  [
    'a formula with a name',
    { ...toId, amount: '=VLOOKUP("Siti",A:C,3)' },
    ['amount: The amount is a formula. Write the amount itself.'],
  ],
  [
    'a formula’s error',
    { ...toId, amount: '#REF!' },
    ['amount: `#REF!`: the spreadsheet could not compute it. Correct its formula, or write the amount.'],
  ],
  [
    'a column too narrow',
    { ...toId, amount: '#####' },
    ['amount: `#####`: the spreadsheet could not compute it. Correct its formula, or write the amount.'],
  ],
  [
    'a date',
    { ...toId, amount: '01.02.2026' },
    [
      'amount: `01.02.2026`: a date, which a spreadsheet may have made of it. Format the column as a number and write the amount again.',
    ],
  ],
  [
    'Arabic digits',
    { ...toId, amount: '٥٠٠٠٠' },
    ['amount: `٥٠٠٠٠`: digits of another script. Write 50000 with the digits 0 to 9.'],
  ],
  [
    'full-width digits',
    { ...toId, amount: '５００００' },
    ['amount: `５００００`: digits of another script. Write 50000 with the digits 0 to 9.'],
  ],
  [
    'smart quotes',
    { ...toId, amount: '“50000”' },
    ['amount: `“50000”`: quotation marks around it. Write 50000 without them.'],
  ],
  [
    'a word',
    { ...toId, amount: 'fifty' },
    ['amount: The amount is not a number. Write digits, and a point before decimals, such as 1250.50.'],
  ],
  [
    'an account number with a comma',
    { ...toId, amount: '0012345678,' },
    ['amount: The amount has a comma. Write digits, and a point before decimals, such as 1250.50.'],
  ],
  ['zero', { ...toId, amount: '0' }, ['amount: The amount is zero. Write what is owed, or remove the row.']],
  ['nothing', { ...toId, amount: '' }, ['amount: "amount" is empty. Write what is owed, such as 1250.50.']],
  ['too little', { ...toBank, amount: '5000' }, ['amount: `5000` is below 10000 IDR, the least that bca takes.']],
  [
    'too much',
    { ...toBank, amount: '500000001' },
    ['amount: The amount is above 500000000 IDR, the most that bca takes.'],
  ],
  [
    'decimals of a currency without',
    { ...toBank, amount: '90000.5', currency: 'VND', bankCode: 'vcb' },
    ['amount: `90000.5` has 1 decimal; VND has 0. Write no more than that: nothing is rounded here.'],
  ],
  [
    'a currency by name',
    { ...toId, currency: 'rupiah' },
    ['currency: `RUPIAH` is not a known currency. Did you mean IDR?'],
  ],
  ['a currency mistyped', { ...toId, currency: 'IRD' }, ['currency: `IRD` is not a known currency. Did you mean IDR?']],
  [
    'a token without its network',
    { ...toWallet, currency: 'usdt' },
    ['currency: `USDT` is not a known currency. Did you mean usdt-tron?'],
  ],
  [
    'a person for a currency, as of shifted columns',
    { ...toId, currency: 'Siti Rahma', amount: 'Rp 5' },
    [
      'currency: The currency is not known. Write a code such as IDR, or a token such as usdt-tron.',
      'amount: The amount is not a number. Write digits, and a point before decimals, such as 1250.50.',
    ],
  ],
  [
    'a currency that is not paid',
    { ...toId, currency: 'EUR' },
    ['currency: The provider does not pay in EUR. It pays in IDR, PHP, VND, usdt-tron, eth-ethereum.'],
  ],
  [
    'no currency',
    { ...toId, currency: '' },
    ['currency: "currency" is empty. Write one of IDR, PHP, VND, usdt-tron, eth-ethereum.'],
  ],
  [
    'a bank code in capitals',
    { ...toBank, bankCode: 'BCA' },
    ['bankCode: The provider has no bank `BCA` for IDR. Did you mean bca?'],
  ],
  [
    'an unknown bank',
    { ...toBank, bankCode: 'mandiri' },
    ['bankCode: The provider has no bank `mandiri` for IDR. It has bri, bca.'],
  ],
  [
    'the code of one bank and the name of another',
    { ...toBank, bankName: 'BRI' },
    [
      'bankName: "bankCode" is bca, and "bankName" is that of bri. Write the code and the name of the bank that has the account.',
    ],
  ],
  [
    'an account number in place of a bank',
    { ...toBank, bankCode: '1234-5678-90' },
    ['bankCode: The provider has no bank of this code for IDR. It has bri, bca.'],
  ],
  [
    'an account that a spreadsheet shortened',
    { ...toBank, accountNumber: '1.23457E+11' },
    [
      'accountNumber: A spreadsheet has shortened the account number (E+ and digits at its end) and rounded it. Format the column as text and write the whole number again.',
    ],
  ],
  [
    'an account that a spreadsheet made a number',
    { ...toBank, accountNumber: '12345678.0' },
    [
      'accountNumber: A spreadsheet has turned the account number into a number (a point at its end), and may have lost zeros in front. Format the column as text and write it again.',
    ],
  ],
  [
    'an account with spaces',
    { ...toBank, accountNumber: '0012 3456 78' },
    ['accountNumber: "accountNumber" has a space. Write letters, digits and hyphens only.'],
  ],
  [
    'an account in other digits',
    { ...toBank, accountNumber: '００１２３４５６' },
    ['accountNumber: "accountNumber" has a digit of another script. Write letters, digits and hyphens only.'],
  ],
  [
    'an account cut short',
    { ...toBank, accountNumber: '001' },
    ['accountNumber: "accountNumber" has less than 4 characters. Write the whole number.'],
  ],
  [
    'bank details without a name',
    { ...toBank, accountName: '' },
    ['accountName: "accountName" is empty. Bank details need all of bankCode, bankName, accountNumber, accountName.'],
  ],
  [
    'an address cut short',
    { ...toWallet, walletAddress: 'TV2c3n1PyV8sfePATXTpMBnb7bCg' },
    [
      'walletAddress: "walletAddress" is not an address of tron, which is T and 33 letters and digits, never 0, O, I or l. This has 28 characters: copy it again.',
    ],
  ],
  [
    'an address mistyped',
    { ...toWallet, walletAddress: 'TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn4' },
    [
      'walletAddress: "walletAddress" looks like one of tron, but a character is mistyped or missing. Copy the address again.',
    ],
  ],
  [
    'an address of another network',
    { ...toWallet, walletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
    [
      'walletAddress: "walletAddress" is an address of an EVM network, not of tron. Ask for one of tron, or correct the currency.',
    ],
  ],
  [
    'nobody',
    { ...toId, recipientId: '' },
    ['row: No recipient is named. Fill in recipientId, or the four bank columns, or walletAddress.'],
  ],
  [
    'two recipients',
    { ...toBank, recipientId: 'rec_1' },
    ['row: More than one recipient. Keep recipientId, the four bank columns or walletAddress, and empty the others.'],
  ],
  [
    'a mail address without a host',
    { ...toId, email: 'siti@' },
    [
      'email: "email" is not a mail address: it has no whole host after its @, such as example.com. Correct it, or leave it empty.',
    ],
  ],
  [
    'a reference with a space',
    { ...toId, reference: 'Siti Rahma' },
    [
      'reference: "reference" has a space. It may have letters, digits and . _ : - only, and begins with a letter or digit.',
    ],
  ],
  [
    'a zero-width space',
    { ...toBank, accountName: 'Siti\u200bRahma' },
    ['accountName: "accountName" has an invisible character (U+200B). Empty the cell and type the text again.'],
  ],
  [
    'a letter of Windows-1252 broken by an export',
    { ...toBank, accountName: 'Jos\ufffd' },
    [
      'accountName: "accountName" has a letter that is not UTF-8. The file is probably saved as Windows-1252 (ANSI): save it as "CSV UTF-8".',
    ],
  ],
  [
    'a name too long',
    { ...toBank, accountName: 'x'.repeat(141) },
    ['accountName: "accountName" has 141 characters. Write at most 140.'],
  ],
];
