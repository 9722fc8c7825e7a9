import type { MessageName } from '../../../functions/domain/payout-file/readers/pain-001/schema.ts';

/** An element of a test's file: its name, then texts or elements. Attributes follow the name, as in a tag. */
export type Element = readonly (string | Element)[];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export const xmlOf = ([name = '', ...inside]: Element): string => {
  const content = inside.map((each) => (typeof each === 'string' ? escaped(each) : xmlOf(each))).join('');
  return `<${name}>${content}</${String(name).split(' ')[0]}>`;
};

/** Changes to an ordinary transaction. `''` omits an element. */
export interface Transaction {
  readonly endToEndId?: string;
  readonly instructionId?: string;
  readonly amount?: string;
  readonly currency?: string;
  /** Replace the bank, the creditor, the account and the remittance. */
  readonly bank?: readonly Element[];
  readonly creditor?: Element;
  readonly account?: Element;
  readonly rest?: readonly Element[];
}

export const bankOf = (code: string): Element => ['ClrSysMmbId', ['MmbId', code]];

export const transaction = ({
  endToEndId = 'A-1',
  instructionId = '',
  amount = '50000',
  currency = 'IDR',
  bank = [bankOf('bca'), ['Nm', 'Bank Central Asia']],
  creditor = ['Cdtr', ['Nm', 'Siti Rahma']],
  account = ['CdtrAcct', ['Id', ['Othr', ['Id', '0012345678']]]],
  rest = [],
}: Transaction = {}): Element => [
  'CdtTrfTxInf',
  ['PmtId', ...(instructionId === '' ? [] : [['InstrId', instructionId] as const]), ['EndToEndId', endToEndId]],
  ['Amt', [`InstdAmt Ccy="${currency}"`, amount]],
  ['CdtrAgt', ['FinInstnId', ...bank]],
  creditor,
  account,
  ...rest,
];

export interface Payment {
  readonly paymentId?: string;
  readonly method?: string;
  readonly day?: string;
  readonly totals?: readonly Element[];
  readonly transactions?: readonly Element[];
}

export const payment = (
  message: MessageName,
  {
    paymentId = 'PAY-1',
    method = 'TRF',
    day = '2026-11-21',
    totals = [],
    transactions = [transaction()],
  }: Payment = {},
): Element => [
  'PmtInf',
  ['PmtInfId', paymentId],
  ['PmtMtd', method],
  ...totals,
  ['ReqdExctnDt', message === 'pain.001.001.09' ? ['Dt', day] : day],
  ['Dbtr', ['Nm', 'PT Contoh']],
  ['DbtrAcct', ['Id', ['Othr', ['Id', '998877']]]],
  ['DbtrAgt', ['FinInstnId', ['Nm', 'Bank Contoh']]],
  ...transactions,
];

export interface Written {
  readonly message?: MessageName;
  readonly header?: readonly Element[];
  readonly payments?: readonly Element[];
  /** The element that contains all others. */
  readonly root?: string;
}

export const header = (count: number, ...more: readonly Element[]): readonly Element[] => [
  ['MsgId', 'MSG-1'],
  ['CreDtTm', '2026-11-21T07:00:00Z'],
  ['NbOfTxs', String(count)],
  ...more,
  ['InitgPty', ['Nm', 'PT Contoh']],
];

export const namespaceOf = (message: string): string => `urn:iso:std:iso:20022:tech:xsd:${message}`;

/** A whole file. The default header states the number of transactions. */
export const pain001 = ({
  message = 'pain.001.001.09',
  payments = [payment(message)],
  header: groupHeader,
  root = `Document xmlns="${namespaceOf(message)}"`,
}: Written = {}): string => {
  const count = payments.flatMap(([, ...inside]) => inside.filter((each) => each[0] === 'CdtTrfTxInf')).length;
  const document: Element = [root, ['CstmrCdtTrfInitn', ['GrpHdr', ...(groupHeader ?? header(count))], ...payments]];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlOf(document)}\n`;
};

/** A file with one payment of one transaction. */
export const withTransaction = (changes: Transaction, message: MessageName = 'pain.001.001.09'): string =>
  pain001({ message, payments: [payment(message, { transactions: [transaction(changes)] })] });
