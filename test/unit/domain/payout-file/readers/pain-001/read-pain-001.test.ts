import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readPain001 } from '../../../../../../functions/domain/payout-file/readers/pain-001/read-pain-001.ts';
import { messageNames } from '../../../../../../functions/domain/payout-file/readers/pain-001/schema.ts';
import type { Element, Transaction } from '../../../../../support/pain/written-pain-001.ts';
import {
  bankOf,
  header,
  namespaceOf,
  pain001,
  payment,
  transaction,
  withTransaction,
} from '../../../../../support/pain/written-pain-001.ts';
import { payoutsOf, planBytes } from '../../plan-bytes.ts';

const bic = { 'pain.001.001.03': 'BIC', 'pain.001.001.09': 'BICFI' } as const;
const iban = 'DE89370400440532013000';

describe.each(messageNames)('a %s', (message) => {
  it('is read as its payouts, in order', async () => {
    const planned = await planBytes(
      pain001({
        message,
        header: header(3, ['CtrlSum', '120000.50']),
        payments: [
          payment(message, {
            paymentId: 'PAY-1',
            totals: [
              ['NbOfTxs', '2'],
              ['CtrlSum', '100000.5'],
            ],
            transactions: [
              transaction({ endToEndId: 'A-1', amount: '50000.50' }),
              transaction({ endToEndId: 'A-2', instructionId: 'I-2' }),
            ],
          }),
          payment(message, { paymentId: 'PAY-2', transactions: [transaction({ endToEndId: 'A-3', amount: '20000' })] }),
        ],
      }),
    );
    expect(planned.errors).toEqual([]);
    expect(
      payoutsOf(planned).map(({ row, reference, amount, currency }) => [row, reference, amount, currency]),
    ).toEqual([
      [1, 'A-1', '50000.50', 'IDR'],
      [2, 'A-2', '50000', 'IDR'],
      [3, 'A-3', '20000', 'IDR'],
    ]);
    expect(planned.seen).toEqual({
      message: {
        message,
        messageId: 'MSG-1',
        createdAt: '2026-11-21T07:00:00Z',
        count: '3',
        sum: '120000.50',
      },
      instructions: [['PAY-1'], ['', 'A-1', ''], ['I-2', 'A-2', ''], ['PAY-2'], ['', 'A-3', '']],
    });
  });

  it('pays the account at the named bank', async () => {
    const rest: Element[] = [['RmtInf', ['Ustrd', 'Salary & bonus'], ['Ustrd', 'second line']]];
    const creditor: Element = ['Cdtr', ['Nm', 'Siti Rahma'], ['CtctDtls', ['EmailAdr', 'siti@example.com']]];
    const account: Element = ['CdtrAcct', ['Id', ['Othr', ['Id', '0012345678']]], ['Nm', 'S. Rahma']];
    expect(payoutsOf(await planBytes(withTransaction({ creditor, account, rest }, message)))).toEqual([
      expect.objectContaining({
        recipient: {
          kind: 'bank',
          bankCode: 'bca',
          bankName: 'Bank Central Asia',
          accountNumber: '0012345678',
          accountName: 'S. Rahma',
        },
        name: 'Siti Rahma',
        email: 'siti@example.com',
        note: 'Salary & bonus',
      }),
    ]);
  });

  const paid = async (changes: Transaction, bankCodesByBic: Readonly<Record<string, string>> = {}) => {
    const planned = await planBytes(withTransaction(changes, message), { settings: { bankCodesByBic } });
    return { ...planned, payouts: payoutsOf(planned) };
  };

  it.each<{ readonly by: string; readonly bank: readonly Element[]; readonly code: string; readonly name: string }>([
    { by: 'the code of its clearing system', bank: [bankOf('bca')], code: 'bca', name: 'bca' },
    {
      by: 'another id',
      bank: [
        ['Nm', 'BRI'],
        ['Othr', ['Id', 'bri']],
      ],
      code: 'bri',
      name: 'BRI',
    },
    { by: 'code before BIC', bank: [[bic[message], 'BRINIDJA'], bankOf('bca')], code: 'bca', name: 'bca' },
    { by: 'a BIC of the settings', bank: [[bic[message], 'CENAIDJA']], code: 'bca', name: 'bca' },
    {
      by: 'the BIC of a branch',
      bank: [
        [bic[message], 'CENAIDJAXXX'],
        ['Nm', 'BCA'],
      ],
      code: 'bca',
      name: 'BCA',
    },
  ])('takes the bank by $by', async ({ bank, code, name }) => {
    const { payouts, errors } = await paid({ bank }, { CENAIDJA: 'bca' });
    expect(errors).toEqual([]);
    expect(payouts[0]?.recipient).toMatchObject({ kind: 'bank', bankCode: code, bankName: name });
  });

  it('takes an IBAN as the account', async () => {
    const { payouts } = await paid({ account: ['CdtrAcct', ['Id', ['IBAN', iban]]] });
    expect(payouts[0]?.recipient).toMatchObject({ accountNumber: iban, accountName: 'Siti Rahma' });
  });

  it.each([
    { why: 'an id of its own', instructionId: 'I-1', endToEndId: 'A-7', reference: 'A-7' },
    { why: 'the instruction when it has none', instructionId: 'I-1', endToEndId: 'NOTPROVIDED', reference: 'I-1' },
    { why: 'a made one when both are missing', instructionId: '', endToEndId: 'NOTPROVIDED', reference: undefined },
  ])('takes as reference $why', async ({ instructionId, endToEndId, reference }) => {
    const { payouts } = await paid({ instructionId, endToEndId });
    expect(payouts[0]?.reference).toEqual(reference ?? expect.stringMatching(/-1$/));
  });

  it.each([
    ['50000', '50000'],
    ['+050000.00', '50000.00'],
    ['50000.', '50000'],
    ['50000.50000', '50000.50'],
    [' 50000.5 ', '50000.5'],
  ])('reads the decimal %s as %s', async (amount, read) => {
    const { payouts, errors } = await paid({ amount });
    expect(errors).toEqual([]);
    expect(payouts[0]?.amount).toBe(read);
  });

  it.each<{ readonly why: string; readonly changes: Transaction; readonly column: string; readonly code: string }>([
    { why: 'a slash in its id', changes: { endToEndId: 'INV/7' }, column: 'reference', code: 'reference_malformed' },
    {
      why: 'a bank by BIC alone',
      changes: { bank: [[bic[message], 'BRINIDJA']] },
      column: 'bankCode',
      code: 'bank_code_unknown',
    },
    {
      why: 'a bank that is not offered',
      changes: { bank: [bankOf('nobank')] },
      column: 'bankCode',
      code: 'bank_code_unknown',
    },
    { why: 'nobody’s name', changes: { creditor: ['Cdtr'] }, column: 'accountName', code: 'value_missing' },
    { why: 'too many decimals', changes: { amount: '50000.125' }, column: 'amount', code: 'amount_too_many_decimals' },
    { why: 'nothing to pay', changes: { amount: '0.00' }, column: 'amount', code: 'amount_zero' },
    { why: 'a currency of nobody', changes: { currency: 'XQZ' }, column: 'currency', code: 'currency_unknown' },
  ])('refuses a row with $why', async ({ changes, column, code }) => {
    const { errors, planned } = await paid(changes);
    expect(planned.kind).toBe('refused');
    expect(errors).toEqual([expect.objectContaining({ row: 1, column, code })]);
  });

  it('refuses an equivalent amount, and a check', async () => {
    const equivalent: Element = [
      'CdtTrfTxInf',
      ['PmtId', ['EndToEndId', 'A-1']],
      ['Amt', ['EqvtAmt', ['Amt Ccy="USD"', '5'], ['CcyOfTrf', 'IDR']]],
    ];
    const of = (transactions: readonly Element[], method = 'TRF') =>
      planBytes(pain001({ message, payments: [payment(message, { method, transactions })] }));
    expect((await of([equivalent])).errors).toContainEqual(expect.objectContaining({ code: 'amount_not_instructed' }));
    expect((await of([transaction()], 'CHK')).errors).toEqual([expect.objectContaining({ code: 'check_not_offered' })]);
  });

  it('has transactions with equal ids refused as duplicates, and the others paid when rows are skipped', async () => {
    const file = pain001({ message, payments: [payment(message, { transactions: [transaction(), transaction()] })] });
    const planned = await planBytes(file, { invalidRows: 'skip' });
    expect(planned.errors).toEqual([expect.objectContaining({ row: 2, code: 'duplicate_reference' })]);
    expect(payoutsOf(planned)).toHaveLength(1);
  });

  it('is refused until its requested day', async () => {
    const file = pain001({ message, payments: [payment(message, { day: '2026-11-25' })] });
    const early = await planBytes(file, { paidOn: '2026-11-24', invalidRows: 'skip' });
    expect(early.planned).toMatchObject({ kind: 'refused', errors: [{ code: 'execution_day_later' }] });
    expect((await planBytes(file, { paidOn: '2026-11-25' })).planned.kind).toBe('planned');
    expect((await planBytes(file, { paidOn: '2027-01-02' })).planned.kind).toBe('planned');
  });

  it('fails with an error of its reader, which is no fault of the file', async () => {
    const failing = {
      get: () => {
        throw new TypeError('an error of the reader');
      },
    };
    const options = {
      paidOn: '2026-11-24',
      bankCodesByBic: Object.assign(new Map<string, string>(), failing),
      seeInstructions: () => undefined,
    };
    const file = Readable.from([Buffer.from(withTransaction({ bank: [[bic[message], 'CENAIDJA']] }, message))]);
    await expect(Array.fromAsync(readPain001(file, options))).rejects.toThrow('an error of the reader');
  });

  it('is read with prefixes, comments, CDATA, character references and blanks in front', async () => {
    const plain = pain001({ message }).replace('Siti Rahma', '<![CDATA[Siti]]> &#x52;ahma<!-- her name -->');
    const prefixed = plain
      .replaceAll(/<(\/?)([A-Z])/g, '<$1p:$2')
      .replace(`xmlns="${namespaceOf(message)}"`, `xmlns:p="${namespaceOf(message)}"`);
    const planned = await planBytes(`\n${prefixed}`, { blockBytes: 7 });
    expect(planned.errors).toEqual([]);
    expect(payoutsOf(planned)).toEqual([expect.objectContaining({ name: 'Siti Rahma' })]);
  });
});

it('takes the end-to-end reference of a pain.001.001.09 for its report', async () => {
  const uetr = 'eb6305c9-1f7f-49de-aed0-16487c27b42d';
  const file = pain001().replace('</EndToEndId>', `</EndToEndId><UETR>${uetr}</UETR>`);
  expect((await planBytes(file)).seen?.instructions).toContainEqual(['', expect.any(String), uetr]);
});
