import { expect, it } from 'vitest';
import { Money } from '../../../../functions/payment-service/domain/money/money.ts';
import {
  drawTransferProof,
  printable,
  proofSections,
} from '../../../../functions/payment-service/proof/transfer-proof.ts';
import { newAccount } from '../../../support/payment-service/new-account.ts';
import { newDisbursement } from '../../../support/payment-service/new-disbursement.ts';

const account = newAccount();
const completed = newDisbursement({
  status: 'completed',
  amount: Money.of('1234.5', 'PHP'),
  reference: 'PAY-1',
  completedAt: '2026-11-21T06:00:05.000Z',
});

it('the proof shows recipient, amount, times and ids', () => {
  expect(proofSections(account, completed)).toEqual([
    [
      'Recipient',
      [
        ['Account name', 'Maria Reyes'],
        ['Account number', '0012345678'],
        ['Bank', 'BDO Unibank (BDO)'],
        ['Country', 'Philippines'],
      ],
    ],
    [
      'Amount',
      [
        ['Transferred', 'PHP 1,234.50'],
        ['Fee', 'PHP 10.00'],
        ['Taken from the balance', 'PHP 1,244.50'],
      ],
    ],
    [
      'Transfer',
      [
        ['Sender', 'Merchant Ltd'],
        ['Disbursement', completed.disbursementId],
        ['Reference', 'PAY-1'],
        ['Created', '21 November 2026, 06:00:00 UTC'],
        ['Completed', '21 November 2026, 06:00:05 UTC'],
      ],
    ],
  ]);
});

it.each([
  ['for July\r\nand\tAugust\n', [['Note', 'for July and August']]],
  ['', []],
  [' \n', []],
])('the proof shows the note %j on one line', (note, shown) => {
  const rows = proofSections(account, { ...completed, note }).flatMap(([, own]) => own);
  expect(rows.filter(([label]) => label === 'Note')).toEqual(shown);
});

const pages = (pdf: Uint8Array): number =>
  Buffer.from(pdf)
    .toString('latin1')
    .match(/\/Type \/Page\b/g)?.length ?? 0;

it('the proof is one page of PDF, always with the same bytes', async () => {
  const pdf = await drawTransferProof(account, completed);
  expect(Buffer.from(pdf.slice(0, 5)).toString()).toBe('%PDF-');
  expect(pages(pdf)).toBe(1);
  expect(await drawTransferProof(account, completed)).toEqual(pdf);
});

it.each([
  ['a usual letter', 'n'],
  ['the widest letter', '@'],
  ['words of which one line takes one', `${'@'.repeat(16)} `],
  ['words of which a line of smaller letters takes one', `${'@'.repeat(26)} `],
])('the longest texts still fit on one page, in %s', async (_, word) => {
  const filled = (length: number): string => word.repeat(length).slice(0, length);
  const bank = {
    bankName: filled(120),
    bankCode: filled(40),
    accountName: filled(140),
    accountNumber: 'W'.repeat(34),
  };
  const pdf = await drawTransferProof(newAccount({ organizationName: filled(80) }), {
    ...completed,
    recipient: { kind: 'bank', bank },
    reference: '@'.repeat(128),
    note: filled(255),
  });
  expect(pages(pdf)).toBe(1);
});

it.each([
  ['Nguyễn Đức', 'Nguyen Duc'],
  ['José', 'José'],
  ['สมชาย', '?????'],
])('%s is printed as %s', (text, shown) => {
  expect(printable(text)).toBe(shown);
});
