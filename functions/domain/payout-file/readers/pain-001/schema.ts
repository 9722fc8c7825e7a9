import { fractionDigits } from '../../../money/decimal.ts';
import { readDecimal } from './decimals.ts';

/** The supported versions of the message. */
export const messageNames = ['pain.001.001.03', 'pain.001.001.09'] as const;
export type MessageName = (typeof messageNames)[number];

type HeaderText = 'messageId' | 'createdAt' | 'count' | 'sum';
type PaymentText = 'paymentId' | 'method' | 'executionDay';
type IdText = 'instructionId' | 'endToEndId' | 'uetr';
type AmountText = 'amount' | 'currency' | 'equivalentAmount';
type BankText = 'bic' | 'memberId' | 'bankName' | 'bankId';
type CreditorText = 'name' | 'email' | 'iban' | 'accountId' | 'accountName' | 'note';
/** Values taken from a file, each from one element. */
export type TextName = HeaderText | PaymentText | IdText | AmountText | BankText | CreditorText;

/** An element with text. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly isValid: (text: string) => boolean;
  /** Describes a valid text, to follow "must be". */
  readonly says: string;
  /** The value that it provides. Undefined when the text is only checked. */
  readonly as?: TextName;
  /** Present when it is an amount, with its currency in the attribute `Ccy`. */
  readonly isAmount?: true;
}

/** An element with child elements: all in this order, or a choice of one. */
export interface Group {
  readonly kind: 'group';
  readonly isChoice: boolean;
  readonly children: ReadonlyMap<string, Child>;
  /** The bits of all required children, combined. */
  readonly needed: number;
  /** Names an element at whose begin and end the reader acts. */
  readonly mark?: Mark;
}

export type Mark = 'header' | 'payment' | 'transaction';

export interface Child {
  readonly part: Part;
  /** Among the children of its group. The children of a choice share one. */
  readonly position: number;
  /** Its bit among the required children; 0 when it is optional. */
  readonly bit: number;
  readonly most: number;
}

/** An element whose content is ignored, because no payout value comes from it. */
const anything = { kind: 'anything' } as const;

export type Part = Leaf | Group | typeof anything;

type Occurs = readonly [part: Part, least: 0 | 1, most: number];
const needed = (part: Part): Occurs => [part, 1, 1];
const maybe = (part: Part): Occurs => [part, 0, 1];
const several = (part: Part, most = Number.POSITIVE_INFINITY): Occurs => [part, 0, most];
const some = (part: Part): Occurs => [part, 1, Number.POSITIVE_INFINITY];

const sequence = (parts: Readonly<Record<string, Occurs>>): Group => {
  let bits = 0;
  const children = Object.entries(parts).map(([name, [part, least, most]], position) => {
    const bit = least === 0 ? 0 : 1 << position;
    bits |= bit;
    return [name, { part, position, bit, most }] as const;
  });
  return { kind: 'group', isChoice: false, children: new Map(children), needed: bits };
};

const marked = (mark: Mark, parts: Readonly<Record<string, Occurs>>): Group => ({ ...sequence(parts), mark });

const choice = (parts: Readonly<Record<string, Part>>): Group => {
  const children = Object.entries(parts).map(([name, part]) => [name, { part, position: 0, bit: 1, most: 1 }] as const);
  return { kind: 'group', isChoice: true, children: new Map(children), needed: 1 };
};

const leaf = (says: string, isValid: (text: string) => boolean) => ({ kind: 'leaf', says, isValid }) as const;
const pattern = (says: string, shape: RegExp) => leaf(says, (text) => shape.test(text));
const upTo = (most: number) => pattern(`1 to ${most} characters`, new RegExp(`^[^]{1,${most}}$`, 'u'));
const as = (name: TextName, one: Leaf): Leaf => ({ ...one, as: name });

const isDay = (day: string): boolean => {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};
const zone = String.raw`(?:Z|[+-]\d{2}:\d{2})?`;
const dayShape = new RegExp(String.raw`^\d{4}-\d{2}-\d{2}${zone}$`);
const timeShape = new RegExp(String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?${zone}$`);
const dayText = leaf('a date such as 2026-11-30', (text) => dayShape.test(text) && isDay(text.slice(0, 10)));
const isTime = (text: string): boolean =>
  timeShape.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text));
const timeText = leaf('a time such as 2026-11-30T08:00:00Z', isTime);
const countText = pattern('a number of 1 to 15 digits', /^\d{1,15}$/);
const isWithin = (text: string, decimals: number): boolean => {
  const decimal = readDecimal(text);
  if (decimal === undefined) return false;
  const digits = decimal.replaceAll(/^-?0?|\./g, '');
  return fractionDigits(decimal) <= decimals && digits.length <= 18;
};
const sumText = leaf('a decimal of at most 18 digits, 17 of them after the point', (text) => isWithin(text, 17));
const isAmount = (text: string): boolean => isWithin(text, 5) && readDecimal(text)?.startsWith('-') === false;
const amount: Leaf = { ...leaf('an amount of at most 18 digits, 5 of them after the point', isAmount), isAmount: true };

const bicShapes: Readonly<Record<MessageName, RegExp>> = {
  'pain.001.001.03': /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$/,
  'pain.001.001.09': /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/,
};
const ibanText = pattern('an IBAN without spaces', /^[A-Z]{2}\d{2}[a-zA-Z0-9]{1,30}$/);
const uuidText = pattern(
  'a UUID of version 4 in lower case',
  /^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$/,
);

/** Optional elements whose content is ignored. */
const ignored = (names: string): Readonly<Record<string, Occurs>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, maybe(anything)]));

/**
 * The parts of a message's schema that matter for payouts: elements, their order, how often they occur, and their
 * texts. Source: the published pain.001.001.03.xsd and pain.001.001.09.xsd. The root element is Document.
 */
export const schemaOf = (message: MessageName): Group => {
  const isNew = message === 'pain.001.001.09';
  const since09 = (parts: Readonly<Record<string, Occurs>>): typeof parts => (isNew ? parts : {});
  const bic = maybe(as('bic', pattern('a BIC', bicShapes[message])));
  const scheme = maybe(choice({ Cd: upTo(4), Prtry: upTo(35) }));
  const header = marked('header', {
    MsgId: needed(as('messageId', upTo(35))),
    CreDtTm: needed(as('createdAt', timeText)),
    Authstn: several(anything, 2),
    NbOfTxs: needed(as('count', countText)),
    CtrlSum: maybe(as('sum', sumText)),
    InitgPty: needed(anything),
    ...ignored('FwdgAgt'),
  });
  const institution = sequence({
    ...(isNew ? { BICFI: bic } : { BIC: bic }),
    ClrSysMmbId: maybe(sequence({ ...ignored('ClrSysId'), MmbId: needed(as('memberId', upTo(35))) })),
    ...since09(ignored('LEI')),
    Nm: maybe(as('bankName', upTo(140))),
    ...ignored('PstlAdr'),
    Othr: maybe(sequence({ Id: needed(as('bankId', upTo(35))), ...ignored('SchmeNm Issr') })),
  });
  const agent = sequence({ FinInstnId: needed(institution), ...ignored('BrnchId') });
  const accountNumber = choice({
    IBAN: as('iban', ibanText),
    Othr: sequence({ Id: needed(as('accountId', upTo(34))), SchmeNm: scheme, Issr: maybe(upTo(35)) }),
  });
  const account = sequence({
    Id: needed(accountNumber),
    ...ignored('Tp Ccy'),
    Nm: maybe(as('accountName', upTo(70))),
    ...since09(ignored('Prxy')),
  });
  const contact = sequence({
    ...ignored('NmPrfx Nm PhneNb MobNb FaxNb'),
    EmailAdr: maybe(as('email', upTo(2048))),
    ...since09(ignored('EmailPurp JobTitl Rspnsblty Dept')),
    Othr: isNew ? several(anything) : maybe(anything),
    ...since09(ignored('PrefrdMtd')),
  });
  const creditor = sequence({
    Nm: maybe(as('name', upTo(140))),
    ...ignored('PstlAdr Id CtryOfRes'),
    CtctDtls: maybe(contact),
  });
  const ids = sequence({
    InstrId: maybe(as('instructionId', upTo(35))),
    EndToEndId: needed(as('endToEndId', upTo(35))),
    ...since09({ UETR: maybe(as('uetr', uuidText)) }),
  });
  const sum = choice({
    InstdAmt: as('amount', amount),
    EqvtAmt: sequence({ Amt: needed(as('equivalentAmount', amount)), CcyOfTrf: needed(upTo(3)) }),
  });
  const transaction = marked('transaction', {
    PmtId: needed(ids),
    ...ignored('PmtTpInf'),
    Amt: needed(sum),
    ...ignored('XchgRateInf ChrgBr ChqInstr UltmtDbtr'),
    ...ignored('IntrmyAgt1 IntrmyAgt1Acct IntrmyAgt2 IntrmyAgt2Acct IntrmyAgt3 IntrmyAgt3Acct'),
    CdtrAgt: maybe(agent),
    ...ignored('CdtrAgtAcct'),
    Cdtr: maybe(creditor),
    CdtrAcct: maybe(account),
    ...ignored('UltmtCdtr'),
    InstrForCdtrAgt: several(anything),
    ...ignored('InstrForDbtrAgt Purp'),
    RgltryRptg: several(anything, 10),
    ...ignored('Tax'),
    RltdRmtInf: several(anything, 10),
    RmtInf: maybe(sequence({ Ustrd: several(as('note', upTo(140))), Strd: several(anything) })),
    ...since09({ SplmtryData: several(anything) }),
  });
  const day = as('executionDay', dayText);
  const payment = marked('payment', {
    PmtInfId: needed(as('paymentId', upTo(35))),
    PmtMtd: needed(as('method', pattern('one of CHK, TRF and TRA', /^(?:CHK|TRF|TRA)$/))),
    ...ignored('BtchBookg'),
    NbOfTxs: maybe(as('count', countText)),
    CtrlSum: maybe(as('sum', sumText)),
    ...ignored('PmtTpInf'),
    ReqdExctnDt: needed(isNew ? choice({ Dt: day, DtTm: as('executionDay', timeText) }) : day),
    ...ignored('PoolgAdjstmntDt'),
    Dbtr: needed(anything),
    DbtrAcct: needed(anything),
    DbtrAgt: needed(anything),
    ...ignored('DbtrAgtAcct'),
    ...since09(ignored('InstrForDbtrAgt')),
    ...ignored('UltmtDbtr ChrgBr ChrgsAcct ChrgsAcctAgt'),
    CdtTrfTxInf: some(transaction),
  });
  const initiation = sequence({
    GrpHdr: needed(header),
    PmtInf: some(payment),
    ...since09({ SplmtryData: several(anything) }),
  });
  return sequence({ CstmrCdtTrfInitn: needed(initiation) });
};
