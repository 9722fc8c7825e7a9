import type { PayoutField } from '../../../../functions/domain/payout-file/field-table.ts';
import { payoutFields } from '../../../../functions/domain/payout-file/fields.ts';
import { batchId } from './plan-bytes.ts';

/** Values of a row by field. */
export type Fields = Partial<Record<PayoutField, string>>;

const bank: Fields = {
  bankCode: 'bca',
  bankName: 'BCA',
  accountNumber: '0012345678',
  accountName: 'Siti Rahma',
};
export const toBank: Fields = { reference: 'A-1', amount: '50000', currency: 'IDR', ...bank };
export const toId: Fields = { reference: 'A-1', amount: '50000', currency: 'IDR', recipientId: 'rec_1' };
export const toWallet: Fields = {
  reference: 'A-1',
  amount: '25',
  currency: 'usdt-tron',
  walletAddress: 'TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3',
};

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
export const csvOf = (...rows: readonly Fields[]): string =>
  [payoutFields.join(','), ...rows.map((row) => payoutFields.map((field) => quoted(row[field] ?? '')).join(','))].join(
    '\n',
  );

/** A row with one error, and the code and column of that. */
interface BadRow {
  readonly why: string;
  readonly row: Fields;
  readonly code: string;
  readonly column: string;
}

export const badRows: readonly BadRow[] = [
  { why: 'no amount', row: { ...toId, amount: '' }, code: 'value_missing', column: 'amount' },
  { why: 'no currency', row: { ...toId, currency: '' }, code: 'value_missing', column: 'currency' },
  { why: 'no recipient', row: { ...toId, recipientId: '' }, code: 'recipient_missing', column: '' },
  { why: 'recipient by id and by details', row: { ...toId, ...bank }, code: 'recipient_ambiguous', column: '' },
  ...Object.entries(bank).map(([field, value]) => ({
    why: `recipient by id and ${field}`,
    row: { ...toId, [field]: value },
    code: 'recipient_ambiguous',
    column: '',
  })),
  {
    why: 'recipient by id and a wallet',
    row: { ...toWallet, recipientId: 'rec_1' },
    code: 'recipient_ambiguous',
    column: '',
  },
  {
    why: 'bank details without a name',
    row: { ...toBank, accountName: '' },
    code: 'value_missing',
    column: 'accountName',
  },
  { why: 'bank details without a code', row: { ...toBank, bankCode: '' }, code: 'value_missing', column: 'bankCode' },
  {
    why: 'a wallet for fiat',
    row: { ...toWallet, currency: 'IDR', amount: '50000' },
    code: 'recipient_wrong_rail',
    column: 'walletAddress',
  },
  {
    why: 'a bank for a token',
    row: { ...toBank, currency: 'usdt-tron' },
    code: 'recipient_wrong_rail',
    column: 'bankCode',
  },
  {
    why: 'a recipient id for a token',
    row: { ...toId, currency: 'usdt-tron' },
    code: 'recipient_wrong_rail',
    column: 'recipientId',
  },
  { why: 'zero', row: { ...toId, amount: '0' }, code: 'amount_zero', column: 'amount' },
  { why: 'zero with decimals', row: { ...toId, amount: '0.00' }, code: 'amount_zero', column: 'amount' },
  { why: 'a negative amount', row: { ...toId, amount: '-50000' }, code: 'amount_negative', column: 'amount' },
  { why: 'an exponent', row: { ...toId, amount: '5e4' }, code: 'amount_exponent', column: 'amount' },
  { why: 'a comma', row: { ...toId, amount: '50,000' }, code: 'amount_comma', column: 'amount' },
  { why: 'a word', row: { ...toId, amount: 'fifty' }, code: 'amount_not_a_number', column: 'amount' },
  { why: 'a bare point', row: { ...toId, amount: '50000.' }, code: 'amount_not_a_number', column: 'amount' },
  { why: 'a plus sign', row: { ...toId, amount: '+50000' }, code: 'amount_not_a_number', column: 'amount' },
  { why: 'a currency sign', row: { ...toId, amount: 'Rp50000' }, code: 'amount_not_a_number', column: 'amount' },
  {
    why: 'three decimals of IDR',
    row: { ...toId, amount: '50000.125' },
    code: 'amount_too_many_decimals',
    column: 'amount',
  },
  {
    why: 'a decimal of VND',
    row: { ...toBank, amount: '90000.5', currency: 'VND', bankCode: 'vcb' },
    code: 'amount_too_many_decimals',
    column: 'amount',
  },
  {
    why: 'seven decimals of USDT',
    row: { ...toWallet, amount: '2.1234567' },
    code: 'amount_too_many_decimals',
    column: 'amount',
  },
  { why: 'a currency of no form', row: { ...toId, currency: 'rupiah' }, code: 'currency_unknown', column: 'currency' },
  { why: 'a currency nobody has', row: { ...toId, currency: 'XQZ' }, code: 'currency_unknown', column: 'currency' },
  { why: 'a currency of a dotless i', row: { ...toId, currency: 'ıdr' }, code: 'currency_unknown', column: 'currency' },
  {
    why: 'a currency without a method',
    row: { ...toId, currency: 'EUR' },
    code: 'currency_not_offered',
    column: 'currency',
  },
  {
    why: 'the code of one bank and the name of another',
    row: { ...toBank, bankCode: 'bri', bankName: 'BCA' },
    code: 'bank_name_of_another',
    column: 'bankName',
  },
  { why: 'an unknown bank', row: { ...toBank, bankCode: 'nobank' }, code: 'bank_code_unknown', column: 'bankCode' },
  {
    why: 'a bank of another currency',
    row: { ...toBank, bankCode: 'bdo' },
    code: 'bank_code_unknown',
    column: 'bankCode',
  },
  {
    why: 'less than the bank takes',
    row: { ...toBank, amount: '9999.99' },
    code: 'amount_below_minimum',
    column: 'amount',
  },
  {
    why: 'more than the bank takes',
    row: { ...toBank, amount: '500000000.01' },
    code: 'amount_above_maximum',
    column: 'amount',
  },
  { why: 'less than any bank takes', row: { ...toId, amount: '9999' }, code: 'amount_below_minimum', column: 'amount' },
  {
    why: 'more than any bank takes',
    row: { ...toId, amount: '500000001' },
    code: 'amount_above_maximum',
    column: 'amount',
  },
  {
    why: 'less than the token takes',
    row: { ...toWallet, amount: '0.999999' },
    code: 'amount_below_minimum',
    column: 'amount',
  },
  {
    why: 'a reference too long',
    row: { ...toId, reference: 'x'.repeat(65) },
    code: 'value_too_long',
    column: 'reference',
  },
  { why: 'a note too long', row: { ...toId, note: 'x'.repeat(256) }, code: 'value_too_long', column: 'note' },
  {
    why: 'an account name too long',
    row: { ...toBank, accountName: 'x'.repeat(141) },
    code: 'value_too_long',
    column: 'accountName',
  },
  {
    why: 'an amount of many digits',
    row: { ...toId, amount: '9'.repeat(41) },
    code: 'value_too_long',
    column: 'amount',
  },
  {
    why: 'a space in a reference',
    row: { ...toId, reference: 'A 1' },
    code: 'reference_malformed',
    column: 'reference',
  },
  {
    why: 'a slash in a reference',
    row: { ...toId, reference: 'A/1' },
    code: 'reference_malformed',
    column: 'reference',
  },
  {
    why: 'a reference made for another row',
    row: { ...toId, reference: `${batchId}-9` },
    code: 'reference_reserved',
    column: 'reference',
  },
  {
    why: 'a reference made for another batch',
    row: { ...toId, reference: 'b-01hx0000000000000000000000-12' },
    code: 'reference_reserved',
    column: 'reference',
  },
  {
    why: 'the shortest of these',
    row: { ...toId, reference: '01hx0000000000000000000000-1' },
    code: 'reference_reserved',
    column: 'reference',
  },
  {
    why: 'a reference that is a word of the path',
    row: { ...toId, reference: 'estimate' },
    code: 'reference_reserved',
    column: 'reference',
  },
  {
    why: 'such a word in capitals',
    row: { ...toId, reference: 'ESTIMATE' },
    code: 'reference_reserved',
    column: 'reference',
  },
  {
    why: 'a control character in a name',
    row: { ...toBank, accountName: 'Siti\u0007Rahma' },
    code: 'control_character',
    column: 'accountName',
  },
  {
    why: 'a line break in an account number',
    row: { ...toBank, accountNumber: '0012\n345' },
    code: 'control_character',
    column: 'accountNumber',
  },
  {
    why: 'a reversed reading direction',
    row: { ...toBank, accountName: 'Siti\u202eamhaR' },
    code: 'control_character',
    column: 'accountName',
  },
  {
    why: 'a mark of direction in a note',
    row: { ...toId, note: 'salary\u200e2026' },
    code: 'control_character',
    column: 'note',
  },
  {
    why: 'a zero-width space in an email',
    row: { ...toId, email: 'siti@exam\u200bple.com' },
    code: 'control_character',
    column: 'email',
  },
  {
    why: 'a spreadsheet number as account',
    row: { ...toBank, accountNumber: '1.23E+11' },
    code: 'value_malformed',
    column: 'accountNumber',
  },
  {
    why: 'spaces in a recipient id',
    row: { ...toId, recipientId: 'rec 1' },
    code: 'value_malformed',
    column: 'recipientId',
  },
  {
    why: 'a wallet address cut short',
    row: { ...toWallet, walletAddress: 'TV2c3n1PyV8sfePATXTpMBnb7bCg' },
    code: 'value_malformed',
    column: 'walletAddress',
  },
  {
    why: 'a wallet address with a space',
    row: { ...toWallet, walletAddress: 'TV2c3n1PyV8sfePA TXTpMBnb7bCgDxfXn3' },
    code: 'value_malformed',
    column: 'walletAddress',
  },
  {
    why: 'a wallet address of another network',
    row: { ...toWallet, walletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
    code: 'address_wrong_network',
    column: 'walletAddress',
  },
  { why: 'an email without a host', row: { ...toId, email: 'siti@' }, code: 'email_malformed', column: 'email' },
  {
    why: 'a replacement character',
    row: { ...toBank, accountName: 'Jos\ufffd' },
    code: 'invalid_utf8',
    column: 'accountName',
  },
];
